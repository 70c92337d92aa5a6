package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.consignee.Publisher;
import dev.consignee.Subscriber;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.Outbound;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an application that has ended leaves behind: nothing. */
class LifeThreadsContractTest {

    private EmbeddedArtemis broker;
    private FreshThreads threads;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("first");
        broker.createQueue("second");
        threads = new FreshThreads();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void assertThatNothingIsLeft() {
        await().untilAsserted(() -> assertThat(threads.names()).isEmpty());
        await().untilAsserted(() -> assertThat(broker.connectionCount()).isZero());
    }

    private void send(String payload) throws Exception {
        try (AmqpClient client = new AmqpClient(broker.url())) {
            client.sendToQueue("first", Outbound.text(payload));
        }
    }

    @Test
    @Asserts("life-4")
    void threadsAndConnectionsEndWithTheApplicationEachTime() throws Exception {
        for (int cycle = 1; cycle <= 5; cycle++) {
            try (WeldApplication application =
                    WeldApplication.of(Passing.class).url(broker.url()).start()) {
                send("m");
                int expected = cycle;
                await().until(() -> broker.queue("second").messagesAcknowledged() == expected);
                assertThat(threads.names()).contains("consignee-first", "consignee-second");
                assertThat(application.status("first").accepted()).isLessThanOrEqualTo(1);
            }
            assertThatNothingIsLeft();
        }
    }

    @Test
    @Asserts("life-4")
    void threadsOfLostConnectionsEndToo() throws Exception {
        try (FrameProxy proxy = FrameProxy.to(broker.port());
                WeldApplication application =
                        WeldApplication.of(Passing.class).url(proxy.url()).start()) {
            for (int cut = 1; cut <= 5; cut++) {
                application.awaitAttached();
                send("m");
                int expected = cut;
                await().until(() -> broker.queue("second").messagesAcknowledged() == expected);
                proxy.cut();
                await().until(() -> application.status("first").attached() == expected + 1
                        && application.status("second").attached() == expected + 1);
            }
            // one connection to receive, none to publish until the next message: two threads of Qpid's each
            await().untilAsserted(() -> assertThat(threads.names())
                    .filteredOn(name -> !name.startsWith("consignee-"))
                    .hasSizeLessThanOrEqualTo(4));
            await().until(() -> broker.connectionCount() <= 2);
        }
        assertThatNothingIsLeft();
    }

    @Test
    @Asserts("life-4")
    void threadsOfFailedTriesToConnectEnd() {
        broker.stop();
        try (LogCapture log = LogCapture.ofConsignee();
                WeldApplication application =
                        WeldApplication.of(Passing.class).url(broker.url()).start()) {
            await().until(() -> log.events("CONS0301").size() >= 8);
            await().untilAsserted(() -> assertThat(threads.names())
                    .as("those of one try at most, with the consumers'")
                    .hasSizeLessThanOrEqualTo(2 + 2));
            assertThat(application.status("first").attached()).isZero();
        }
        await().untilAsserted(() -> assertThat(threads.names()).isEmpty());
    }

    @Test
    @Asserts("life-4")
    void threadsOfRefusedCredentialsEnd() {
        try (EmbeddedArtemis strict =
                        EmbeddedArtemis.builder().user("carl", "secret").start();
                LogCapture log = LogCapture.ofConsignee()) {
            try (WeldApplication application = WeldApplication.of(Passing.class)
                    .url(strict.url())
                    .config("consignee.username", "carl")
                    .config("consignee.password", "wrong")
                    .start()) {
                await().until(() -> log.events("CONS0301").size() >= 5);
                assertThat(application.status("first").attached()).isZero();
            }
            await().untilAsserted(() -> assertThat(threads.names()).isEmpty());
            await().until(() -> strict.connectionCount() == 0);
        }
    }

    /** From one queue to the other. */
    @Singleton
    static class Passing {

        @Inject
        Publisher publisher;

        @Subscriber(queue = "first")
        void first(String payload) {
            publisher.toQueue("second").send(payload);
        }

        @Subscriber(queue = "second")
        void second(String payload) {}
    }
}

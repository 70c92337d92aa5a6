package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.consignee.Subscriber;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection or a link that goes while the application runs. */
class LifeReconnectContractTest {

    private EmbeddedArtemis broker;
    private FrameProxy proxy;

    @BeforeEach
    void start() {
        start(true);
    }

    private void start(boolean autoCreate) {
        broker = EmbeddedArtemis.builder().autoCreate(autoCreate).start();
        broker.createQueue("work");
        broker.createQueue("one");
        broker.createQueue("two");
        proxy = FrameProxy.to(broker.port());
    }

    @AfterEach
    void stop() {
        proxy.close();
        broker.close();
    }

    private WeldApplication gated() {
        return application(Gated.class).start().awaitAttached();
    }

    private WeldApplication.Builder application(Class<?> bean) {
        return WeldApplication.of(bean).url(proxy.url());
    }

    private void send(String queue, String... payloads) throws Exception {
        try (AmqpClient client = new AmqpClient(broker.url())) {
            client.sendToQueue(queue, Stream.of(payloads).map(Outbound::text).toArray(Outbound[]::new));
        }
    }

    private static void awaitReattached(WeldApplication application, String name, long times) {
        await().until(() -> application.status(name).attached() == times
                && application.status(name).state() == SubscriptionState.ATTACHED);
    }

    @Test
    @Asserts("life-3")
    void cutConnectionIsReestablishedAndUnsettledDeliveriesComeBack() throws Exception {
        try (WeldApplication application = gated()) {
            Gated gated = application.bean(Gated.class);
            String[] others = IntStream.range(0, 20).mapToObj(i -> "m" + i).toArray(String[]::new);
            send("work", "hold");
            send("work", others);
            await().until(() -> gated.held() == 1 && broker.unsettled("work") == 21);

            proxy.cut();
            await().until(() -> broker.unsettled("work") == 0);
            await().untilAsserted(() ->
                    assertThat(broker.queue("work").messageCount()).isEqualTo(21));
            gated.letGo();

            awaitReattached(application, "work", 2);
            await().until(() -> broker.queue("work").messageCount() == 0);
            await().untilAsserted(() ->
                    assertThat(broker.queue("work").messagesAcknowledged()).isEqualTo(21));
            assertThat(gated.handled()).hasSize(22).contains(others).startsWith("hold", "hold");
            assertThat(application.status("work").linkLost()).isEqualTo(1);
            assertThat(broker.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    @Asserts("life-3")
    void stateIsConnectingWhileTheConnectionIsAway() throws Exception {
        try (WeldApplication application = gated()) {
            proxy.refuse(true);
            proxy.cut();
            await().until(() -> application.status("work").state() == SubscriptionState.CONNECTING);

            proxy.refuse(false);
            awaitReattached(application, "work", 2);
        }
    }

    @Test
    @Asserts("life-3")
    void brokerThatRestartsIsFoundAgain() throws Exception {
        try (WeldApplication application =
                WeldApplication.of(Gated.class).url(broker.url()).start()) {
            application.awaitAttached();
            for (int restart = 1; restart <= 2; restart++) {
                broker.stop();
                await().until(() -> application.status("work").state() == SubscriptionState.CONNECTING);
                broker.start();
                awaitReattached(application, "work", restart + 1);
                send("work", "after restart " + restart);
                String expected = "after restart " + restart;
                await().until(() -> application.bean(Gated.class).handled().contains(expected));
            }
        }
    }

    @Test
    @Asserts("life-3")
    void connectionsThatTheBrokerClosesAreReestablished() throws Exception {
        try (WeldApplication application = gated()) {
            broker.closeConnections();
            awaitReattached(application, "work", 2);
            send("work", "m");
            await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
        }
    }

    @Test
    @Asserts("life-3")
    void silentConnectionIsNoticedByTheIdleTimeout() throws Exception {
        try (WeldApplication application = application(Gated.class)
                        .config("consignee.idle-timeout", "600ms")
                        .config("consignee.connect-timeout", "500ms")
                        .config("consignee.close-timeout", "500ms")
                        .start()
                        .awaitAttached();
                LogCapture log = LogCapture.ofConsignee()) {
            proxy.blackhole(true);
            await().until(() -> application.status("work").state() == SubscriptionState.CONNECTING);
            await().until(() -> !log.events("CONS0303").isEmpty());

            proxy.blackhole(false);
            awaitReattached(application, "work", 2);
            send("work", "m");
            await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
            await().untilAsserted(() ->
                    assertThat(proxy.connectionCount()).as("connections left").isEqualTo(1));
        }
    }

    @Test
    @Asserts("life-3")
    void idleConnectionIsKeptByHeartbeats() throws Exception {
        try (WeldApplication application = application(Gated.class)
                        .config("consignee.idle-timeout", "400ms")
                        .start()
                        .awaitAttached();
                LogCapture log = LogCapture.ofConsignee()) {
            await().during(Duration.ofMillis(1500)) // nearly four times the timeout
                    .until(() -> application.status("work").state() == SubscriptionState.ATTACHED);
            assertThat(application.status("work").attached()).isEqualTo(1);
            assertThat(log.events("CONS0303")).isEmpty();
        }
    }

    @Test
    @Asserts("life-3")
    void deletedQueueIsCreatedAgainByTheNextAttach() throws Exception {
        try (WeldApplication application = gated()) {
            broker.deleteQueue("work");
            awaitReattached(application, "work", 2);
            send("work", "m");
            await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
            assertThat(attachedConnections("work")).containsExactly(0, 0);
        }
    }

    @Test
    @Asserts("life-3")
    void deletedQueueIsAttachedToOnceItIsThereAgain() throws Exception {
        stop();
        start(false);
        try (WeldApplication application = gated();
                LogCapture log = LogCapture.ofConsignee()) {
            broker.deleteQueue("work");
            await().until(() -> log.events("CONS0304").size() >= 3);
            assertThat(application.status("work").state()).isEqualTo(SubscriptionState.CONNECTING);
            assertThat(log.messages("CONS0304"))
                    .allMatch(line -> line.contains("'work'") && line.contains("amqp:not-found"));
            assertThat(log.messages("CONS0306")).hasSize(1);

            broker.createQueue("work");
            awaitReattached(application, "work", 2);
            send("work", "m");
            await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
        }
    }

    @Test
    @Asserts("life-3")
    void queueThatIsNotThereAtStartIsAttachedToOnceItIs() throws Exception {
        stop();
        start(false);
        broker.deleteQueue("work");
        try (LogCapture log = LogCapture.ofConsignee();
                WeldApplication application = application(Gated.class).start()) {
            await().until(() -> log.events("CONS0304").size() >= 3);
            assertThat(broker.connectionCount()).isEqualTo(1);
            broker.createQueue("work");
            awaitReattached(application, "work", 1);
        }
    }

    @Test
    @Asserts("life-3")
    void detachedLinkLeavesTheOthersOfItsConnectionAlone() throws Exception {
        stop();
        start(false);
        try (WeldApplication application = application(Both.class).start().awaitAttached();
                LogCapture log = LogCapture.ofConsignee()) {
            Both both = application.bean(Both.class);
            broker.deleteQueue("one");
            await().until(() -> log.events("CONS0304").size() >= 2);

            send("two", "a", "b");
            await().until(() -> both.two.equals(List.of("a", "b")));
            assertThat(application.status("two").attached()).isEqualTo(1);
            assertThat(application.status("two").state()).isEqualTo(SubscriptionState.ATTACHED);

            broker.createQueue("one");
            awaitReattached(application, "one", 2);
            send("one", "c");
            await().until(() -> both.one.equals(List.of("c")));
            assertThat(application.status("two").attached()).isEqualTo(1);
            assertThat(attachedConnections("two")).containsExactly(0);
            assertThat(broker.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    @Asserts("life-3")
    void deliveriesOfADetachedLinkComeBackOnTheNext() throws Exception {
        try (WeldApplication application = gated()) {
            Gated gated = application.bean(Gated.class);
            send("work", "hold", "m");
            await().until(() -> gated.held() == 1 && broker.unsettled("work") == 2);

            broker.deleteQueue("work"); // with its messages
            await().until(() -> !broker.queue("work").exists());
            gated.letGo();
            awaitReattached(application, "work", 2);
            send("work", "n");

            await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
            assertThat(gated.handled()).as("m went with its link").containsExactly("hold", "n");
            assertThat(application.status("work").linkLost()).isEqualTo(1);
        }
    }

    @Test
    @Asserts("life-3")
    void retriesOfALostConnectionAreNoBusyLoop() throws Exception {
        try (WeldApplication application = application(Both.class).start().awaitAttached();
                LogCapture log = LogCapture.ofConsignee()) {
            proxy.refuse(true);
            proxy.cut();
            await().until(() -> log.events("CONS0301").size() >= 8);
            proxy.refuse(false);
            application.awaitAttached();

            List<ILoggingEvent> tries = log.events("CONS0301");
            Duration took = Duration.between(
                    tries.get(0).getInstant(), tries.get(tries.size() - 1).getInstant());
            assertThat(took)
                    .as("the delays of %d tries, at their shortest", tries.size())
                    .isGreaterThanOrEqualTo(shortest(tries.size()));
            assertThat(log.messages("CONS0303")).as("one for the connection").hasSize(1);
        }
    }

    /** The sum of the delays between so many tries: 20 ms doubled up to 200 ms, the first after the loss. */
    private static Duration shortest(int tries) {
        long millis = 0;
        for (int i = 2; i <= tries; i++) { // the loss was the first failure
            millis += (long) (0.8 * Math.min(200, 20 << Math.min(i - 1, 10)));
        }
        return Duration.ofMillis(millis);
    }

    /** The numbers of the connections on which the client has attached to an address, in order. */
    private List<Integer> attachedConnections(String address) {
        return proxy.events(LinkEvent.Attached.class).stream()
                .filter(attached ->
                        attached.receivingFrom(address) && attached.direction() == Direction.CLIENT_TO_BROKER)
                .map(attached -> attached.link().connection())
                .toList();
    }

    /** Two subscribers that share a connection. */
    @Singleton
    static class Both {

        private final List<String> one = new CopyOnWriteArrayList<>();
        private final List<String> two = new CopyOnWriteArrayList<>();

        @Subscriber(queue = "one")
        void one(String payload) {
            one.add(payload);
        }

        @Subscriber(queue = "two")
        void two(String payload) {
            two.add(payload);
        }
    }
}

package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.consignee.Subscriber;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.WireMessage;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.transport.Transfer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code max-message-size}: what is larger is a decode failure, and nothing of it is kept. */
class MessageSizeWireTest {

    private static final int BOUND = 64 << 10;

    private EmbeddedArtemis broker;
    private FrameProxy proxy;
    private AmqpClient client;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("sizes");
        proxy = FrameProxy.to(broker.port());
        client = new AmqpClient(broker.url());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        proxy.close();
        broker.close();
    }

    private WeldApplication.Builder application() {
        return WeldApplication.of(Sizes.class)
                .url(proxy.url())
                .config("consignee.subscriber.sizes.max-message-size", "64KiB");
    }

    /** A message of exactly that many bytes, all its sections together. */
    private static Outbound message(int size) {
        int overhead = new WireMessage(List.of(new Data(new Binary(new byte[1 << 10])))).encode().length - (1 << 10);
        return Outbound.sections(new Data(new Binary(new byte[size - overhead])));
    }

    @ParameterizedTest
    @ValueSource(ints = {BOUND + 1, 1 << 20, 8 << 20})
    @Asserts("failure-2")
    void largerMessageIsADecodeFailureAndTheNextOneIsHandled(int size) throws Exception {
        try (WeldApplication application =
                application().config("consignee.subscriber.sizes.credit", "1").start()) {
            client.sendToQueue("sizes", message(size), message(1_000), message(size), message(2_000));
            await().until(() -> application.bean(Sizes.class).seen().size() == 2);
            assertThat(application.bean(Sizes.class).seen()).allMatch(each -> each < 2_000);
            await().until(() -> broker.deadLetters() == 2);
            assertThat(proxy.dispositionsOf("sizes"))
                    .hasExactlyElementsOfTypes(Rejected.class, Accepted.class, Rejected.class, Accepted.class);
            assertThat(application.status("sizes").decodeFailures()).isEqualTo(2);
        }
    }

    @Test
    void largestMessageIsHandled() throws Exception {
        try (WeldApplication application = application().start()) {
            client.sendToQueue("sizes", message(BOUND));
            await().until(() -> application.bean(Sizes.class).seen().size() == 1);
            assertThat(proxy.dispositionsOf("sizes")).hasExactlyElementsOfTypes(Accepted.class);
        }
    }

    @Test
    void largeMessageComesInManyTransfersAndIsToldWithItsSizeAndTheBound() throws Exception {
        try (LogCapture logs = LogCapture.ofConsignee();
                WeldApplication application = application().start()) {
            client.sendToQueue("sizes", message(2 << 20));
            await().until(() -> broker.deadLetters() == 1);
            assertThat(proxy.frames(frame -> frame.is(Direction.BROKER_TO_CLIENT, Transfer.class)))
                    .as("transfers of one delivery")
                    .hasSizeGreaterThan(10);
            assertThat(application.status("sizes").decodeFailures()).isEqualTo(1);
            assertThat(logs.lines())
                    .anyMatch(line -> line.contains("the message has " + (2 << 20)
                            + " bytes, more than the 65536 that max-message-size allows"));
        }
    }

    @Test
    void largerMessageSettlesByItsPolicy() throws Exception {
        try (WeldApplication application = application()
                .config("consignee.subscriber.sizes.on-decode-error", "retry")
                .start()) {
            client.sendToQueue("sizes", message(1 << 20));
            await().until(() -> broker.deadLetters() == 1);
            assertThat(proxy.dispositionsOf("sizes"))
                    .hasSize(10)
                    .allMatch(each -> each instanceof Modified modified && modified.getDeliveryFailed());
            assertThat(application.bean(Sizes.class).seen()).isEmpty();
        }
    }

    @Test
    void builtInBoundLetsAMessageOfAMegabyteThrough() throws Exception {
        try (WeldApplication application =
                WeldApplication.of(Sizes.class).url(proxy.url()).start()) {
            client.sendToQueue("sizes", message(8 << 20));
            await().until(() -> application.bean(Sizes.class).seen().size() == 1);
        }
    }

    /** Takes bytes. */
    @ApplicationScoped
    static class Sizes {
        private final List<Integer> seen = new CopyOnWriteArrayList<>();

        @Subscriber(queue = "sizes")
        void sizes(byte[] body) {
            seen.add(body.length);
        }

        List<Integer> seen() {
            return seen;
        }
    }
}

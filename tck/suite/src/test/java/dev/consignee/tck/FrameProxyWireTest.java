package dev.consignee.tck;

import static dev.consignee.tck.Direction.BROKER_TO_CLIENT;
import static dev.consignee.tck.Direction.CLIENT_TO_BROKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.consignee.tck.LinkEvent.Attached;
import dev.consignee.tck.LinkEvent.Disposed;
import dev.consignee.tck.LinkEvent.Flowed;
import dev.consignee.tck.LinkEvent.Transferred;
import dev.consignee.tck.LinkHistory.HighWater;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.Flow;
import org.apache.qpid.proton.amqp.transport.Open;
import org.apache.qpid.proton.amqp.transport.Transfer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrameProxyWireTest {

    private static EmbeddedArtemis broker;

    private FrameProxy proxy;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedArtemis.withDefaults();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void openProxy() {
        proxy = FrameProxy.to(broker.port());
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    private static void publish(String queue, int count) throws JMSException {
        try (AmqpClient client = new AmqpClient(broker.url())) {
            client.sendToQueue(queue, count, i -> Outbound.json("{\"n\":" + i + "}"));
        }
    }

    @Test
    void framesOfASessionAreRecordedInOrder() throws Exception {
        publish("recorded", 1);
        try (JmsReceiver receiver = JmsReceiver.ofQueue(proxy.url(), "recorded", 5)) {
            JmsReceiver.settle(receiver.next(), JmsReceiver.ACCEPTED);
            await().until(() -> broker.queue("recorded").messageCount() == 0);
        }

        assertThat(proxy.frames(f -> f.is(CLIENT_TO_BROKER, Open.class))).hasSize(1);
        assertThat(proxy.frames(f -> f.is(CLIENT_TO_BROKER, Attach.class))).hasSize(1);
        assertThat(proxy.frames().stream()
                        .filter(f -> f.is(CLIENT_TO_BROKER, Attach.class)
                                || f.is(BROKER_TO_CLIENT, Attach.class)
                                || f.is(CLIENT_TO_BROKER, Flow.class)
                                || f.is(BROKER_TO_CLIENT, Transfer.class)
                                || f.is(CLIENT_TO_BROKER, Disposition.class))
                        .map(f -> f.performative().getClass().getSimpleName())
                        .limit(5))
                .containsExactly("Attach", "Attach", "Flow", "Transfer", "Disposition");
        assertThat(proxy.events(Transferred.class))
                .singleElement()
                .satisfies(
                        transferred -> assertThat(transferred.message().text()).isEqualTo("{\"n\":0}"));
    }

    @Test
    void dispositionsAreToldByQueue() throws Exception {
        publish("first", 2);
        publish("second", 1);
        try (JmsReceiver first = JmsReceiver.ofQueue(proxy.url(), "first", 5);
                JmsReceiver second = JmsReceiver.ofQueue(proxy.url(), "second", 5)) {
            Message one = first.next();
            Message two = first.next();
            JmsReceiver.settle(two, JmsReceiver.ACCEPTED);
            JmsReceiver.settle(second.next(), JmsReceiver.ACCEPTED);
            JmsReceiver.settle(one, JmsReceiver.MODIFIED_FAILED);
            JmsReceiver.settle(first.next(), JmsReceiver.ACCEPTED);
        }

        assertThat(proxy.dispositionsOf("second")).containsExactly(Accepted.getInstance());
        assertThat(proxy.dispositionsOf("first")).hasSize(3).satisfies(states -> {
            assertThat(states.get(0)).isInstanceOf(Accepted.class);
            assertThat(states.get(1)).isInstanceOfSatisfying(Modified.class, modified -> {
                assertThat(modified.getDeliveryFailed()).isTrue();
                assertThat(modified.getUndeliverableHere()).isNotEqualTo(true);
            });
            assertThat(states.get(2)).isInstanceOf(Accepted.class);
        });
        assertThat(proxy.dispositions(CLIENT_TO_BROKER)).hasSize(4).allMatch(Disposed::settled);
        assertThat(proxy.events(Transferred.class))
                .filteredOn(event -> event.receivingFrom("first"))
                .extracting(event -> event.message().deliveryCount())
                .containsExactly(0, 0, 1);
    }

    @Test
    void brokersDispositionsAreToldForWhatTheClientSends() throws Exception {
        try (AmqpClient client = new AmqpClient(proxy.url())) {
            client.sendToQueue("sent", 3, i -> Outbound.json("{}"));
        }

        assertThat(proxy.dispositions(BROKER_TO_CLIENT))
                .hasSize(3)
                .allMatch(disposed -> disposed.sendingTo("sent") && disposed.state() instanceof Accepted);
        assertThat(proxy.dispositionsOf("sent")).isEmpty();
    }

    @Test
    void highWaterMarkOfHeldDeliveriesIsTheCredit() throws Exception {
        publish("held", 20);
        try (JmsReceiver receiver = JmsReceiver.ofQueue(proxy.url(), "held", 8)) {
            for (int i = 0; i < 8; i++) {
                receiver.next();
            }
            assertThat(proxy.maxUnsettled("held")).isEqualTo(new HighWater(8, 8));
            assertThat(broker.unsettled("held")).isEqualTo(8);
            assertThat(broker.maxUnsettled("held")).isEqualTo(8);
        }
    }

    @Test
    void flowThatOvertakesItsDispositionShowsInTheSum() throws Exception {
        publish("overtaken", 200);
        try (JmsReceiver receiver = JmsReceiver.ofQueue(proxy.url(), "overtaken", 8)) {
            for (int i = 0; i < 200; i++) {
                JmsReceiver.settle(receiver.next(), JmsReceiver.ACCEPTED);
            }
            await().until(() -> broker.queue("overtaken").messageCount() == 0);
        }

        // Qpid JMS grants for the delivery that it settles, and proton-j writes the flow first
        assertThat(proxy.maxUnsettled("overtaken").unsettledAndCredit()).isEqualTo(9);
        assertThat(proxy.events(Flowed.class))
                .filteredOn(flow -> flow.direction() == CLIENT_TO_BROKER && flow.receivingFrom("overtaken"))
                .hasSizeGreaterThan(10);
    }

    @Test
    void largeMessageIsPutTogetherFromItsFrames() throws Exception {
        byte[] body = new byte[1_000_000];
        body[999_999] = 42;
        try (AmqpClient client = new AmqpClient(proxy.url())) {
            client.sendToQueue("large", Outbound.data(body));
        }

        assertThat(proxy.frames(f -> f.is(CLIENT_TO_BROKER, Transfer.class))).hasSizeGreaterThan(1);
        assertThat(proxy.events(Transferred.class))
                .singleElement()
                .satisfies(
                        transferred -> assertThat(transferred.message().data()).isEqualTo(body));
    }

    @Test
    void clearKeepsTheMapping() throws Exception {
        publish("cleared", 2);
        try (JmsReceiver receiver = JmsReceiver.ofQueue(proxy.url(), "cleared", 2)) {
            JmsReceiver.settle(receiver.next(), JmsReceiver.ACCEPTED);
            await().until(() -> proxy.dispositionsOf("cleared").size() == 1);
            proxy.clear();
            assertThat(proxy.dispositionsOf("cleared")).isEmpty();
            JmsReceiver.settle(receiver.next(), JmsReceiver.REJECTED);
            await().until(() -> broker.queue("cleared").messageCount() == 0);
        }

        assertThat(proxy.dispositionsOf("cleared")).hasSize(1);
        assertThat(proxy.events(Attached.class)).isEmpty();
    }

    @Test
    void cutBreaksBothSides() throws Exception {
        publish("cut", 1);
        CountDownLatch clientSide = new CountDownLatch(1);
        try (JmsReceiver receiver = JmsReceiver.ofQueue(proxy.url(), "cut", 1)) {
            receiver.connection().setExceptionListener(broken -> clientSide.countDown());
            Message held = receiver.next();
            assertThat(broker.connectionCount()).isEqualTo(1);

            assertThat(proxy.cut()).isEqualTo(1);

            assertThat(clientSide.await(5, TimeUnit.SECONDS)).isTrue();
            await().until(() -> broker.connectionCount() == 0);
            assertThatThrownBy(held::acknowledge).isInstanceOf(JMSException.class);
        }
        await().until(() -> broker.queue("cut").deliveringCount() == 0);
        assertThat(broker.queue("cut").messageCount()).isEqualTo(1);
        assertThat(proxy.connectionCount()).isZero();
    }

    @Test
    void connectionAfterACutHasTheNextNumber() throws Exception {
        new AmqpClient(proxy.url());
        proxy.cut();
        new AmqpClient(proxy.url()).close();

        assertThat(proxy.frames(f -> f.is(CLIENT_TO_BROKER, Open.class)))
                .extracting(Frame::connection)
                .containsExactly(0, 1);
    }

    @Test
    void refusedConnectionNeverReachesTheBroker() throws Exception {
        proxy.refuse(true);
        assertThatThrownBy(() -> new AmqpClient(proxy.url())).isInstanceOf(JMSException.class);
        assertThat(proxy.frames()).isEmpty();

        proxy.refuse(false);
        new AmqpClient(proxy.url()).close();
        assertThat(proxy.frames()).isNotEmpty();
    }

    @Test
    void blackholeHoldsUpAndLetsGo() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (AmqpClient client = new AmqpClient(proxy.url())) {
            client.sendToQueue("hole", Outbound.json("{}"));
            proxy.blackhole(true);
            proxy.clear();

            Future<?> send = other.submit(() -> {
                client.sendToQueue("hole", Outbound.json("{}"));
                return true;
            });
            await().during(300, TimeUnit.MILLISECONDS).until(() -> !send.isDone());
            assertThat(proxy.frames()).isEmpty();
            assertThat(broker.queue("hole").messageCount()).isEqualTo(1);
            assertThat(broker.connectionCount()).isEqualTo(1);

            proxy.blackhole(false);
            send.get(5, TimeUnit.SECONDS);
            assertThat(broker.queue("hole").messageCount()).isEqualTo(2);
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void cutEndsConnectionsInABlackhole() throws Exception {
        new AmqpClient(proxy.url());
        proxy.blackhole(true);

        proxy.cut();

        await().until(() -> broker.connectionCount() == 0);
        assertThat(proxy.connectionCount()).isZero();
    }

    @Test
    void connectionsGoToTheNewTarget() throws Exception {
        try (EmbeddedArtemis other = EmbeddedArtemis.withDefaults()) {
            proxy.retarget(other.port());
            try (AmqpClient client = new AmqpClient(proxy.url())) {
                client.sendToQueue("elsewhere", Outbound.json("{}"));
            }
            assertThat(other.queue("elsewhere").messageCount()).isEqualTo(1);
            assertThat(broker.queue("elsewhere").exists()).isFalse();
        }
    }

    @Test
    void noThreadIsLeftAfterClose() throws Exception {
        new AmqpClient(proxy.url());
        String prefix = "frame-proxy-" + proxy.port() + "-";
        assertThat(threads(prefix)).hasSize(3);

        proxy.close();

        assertThat(threads(prefix)).isEmpty();
    }

    private static Set<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .collect(Collectors.toSet());
    }

    @Test
    void fullLoadPassesWhileRecordingIsOffAndTheAccountStaysRight() throws Exception {
        int load = 20_000;
        proxy.recording(false);
        try (AmqpClient client = new AmqpClient(proxy.url());
                JmsReceiver receiver = JmsReceiver.ofQueue(proxy.url(), "load", 256)) {
            ExecutorService sender = Executors.newSingleThreadExecutor();
            try {
                Future<?> sent = sender.submit(() -> {
                    client.sendToQueue("load", load, i -> Outbound.json("{}").notDurable());
                    return true;
                });
                for (int i = 0; i < load; i++) {
                    JmsReceiver.settle(receiver.next(), JmsReceiver.ACCEPTED);
                }
                sent.get(30, TimeUnit.SECONDS);
            } finally {
                sender.shutdownNow();
            }
            await().until(() -> broker.queue("load").messagesAcknowledged() == load);
        }

        assertThat(proxy.frames()).isEmpty();
        assertThat(proxy.maxUnsettled("load").unsettledAndCredit()).isBetween(256L, 257L);
    }

    @Test
    void heldFrameAndWhatStandsBehindItWaitForTheirRelease() throws Exception {
        Hold hold = proxy.hold(frame -> frame.is(CLIENT_TO_BROKER, Transfer.class)
                && frame.payload().toString().contains("\"n\":1"));
        try (AmqpClient client = new AmqpClient(proxy.url())) {
            Thread sending = new Thread(() -> send(client, "held-up", 3));
            sending.start();
            await().until(() ->
                    hold.frames().size() == 1 && broker.queue("held-up").messageCount() == 1);
            assertThat(proxy.frames(f -> f.is(CLIENT_TO_BROKER, Transfer.class)))
                    .hasSize(1);

            hold.release();
            sending.join();
        }
        assertThat(broker.messages("held-up"))
                .extracting(WireMessage::text)
                .containsExactly("{\"n\":0}", "{\"n\":1}", "{\"n\":2}");
        assertThat(proxy.frames(f -> f.is(CLIENT_TO_BROKER, Transfer.class))).hasSize(3);
        assertThat(hold.frames()).hasSize(1);
    }

    @Test
    void whatIsHeldIsLostWithItsConnection() throws Exception {
        Hold hold = proxy.hold(frame -> frame.is(CLIENT_TO_BROKER, Disposition.class));
        publish("held-and-lost", 1);
        try (JmsReceiver receiver = JmsReceiver.ofQueue(proxy.url(), "held-and-lost", 1)) {
            JmsReceiver.settle(receiver.next(), JmsReceiver.ACCEPTED);
            await().until(() -> hold.frames().size() == 1);
            assertThat(proxy.connections()).hasSize(1);
            proxy.cut(proxy.connections().get(0));
            assertThat(proxy.connectionCount()).isZero();
        }
        await().until(() -> broker.unsettled("held-and-lost") == 0);
        assertThat(broker.queue("held-and-lost").messageCount()).isEqualTo(1);
        assertThat(proxy.dispositions(CLIENT_TO_BROKER)).isEmpty();
    }

    private static void send(AmqpClient client, String queue, int count) {
        try {
            client.sendToQueue(queue, count, i -> Outbound.json("{\"n\":" + i + "}"));
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}

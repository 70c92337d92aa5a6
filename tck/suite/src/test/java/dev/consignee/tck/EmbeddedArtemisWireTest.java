package dev.consignee.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.proton.amqp.transport.Close;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EmbeddedArtemisWireTest {

    private static EmbeddedArtemis broker;
    private static AmqpClient client;

    @BeforeAll
    static void start() throws JMSException {
        broker = EmbeddedArtemis.withDefaults();
        client = new AmqpClient(broker.url());
    }

    @AfterAll
    static void stop() {
        client.close();
        broker.close();
    }

    @Test
    void countersFollowAMessageThroughItsOutcomes() throws Exception {
        client.sendToQueue("counted", 4, i -> Outbound.json("{}"));
        try (JmsReceiver receiver = JmsReceiver.ofQueue(broker.url(), "counted", 4)) {
            Message accepted = receiver.next();
            Message rejected = receiver.next();
            Message released = receiver.next();
            receiver.next();
            QueueCounters held = broker.queue("counted");
            assertThat(held.messageCount()).isEqualTo(4);
            assertThat(held.deliveringCount()).isEqualTo(4).isEqualTo(broker.unsettled("counted"));
            assertThat(held.consumerCount()).isEqualTo(1);
            assertThat(held.messagesAdded()).isEqualTo(4);

            long deadBefore = broker.deadLetters();
            JmsReceiver.settle(accepted, JmsReceiver.ACCEPTED);
            JmsReceiver.settle(rejected, JmsReceiver.REJECTED);
            await().until(() -> broker.queue("counted").messageCount() == 2);
            assertThat(broker.queue("counted").messagesAcknowledged()).isEqualTo(1);
            assertThat(broker.queue("counted").messagesKilled()).isEqualTo(1);
            assertThat(broker.deadLetters()).isEqualTo(deadBefore + 1);

            JmsReceiver.settle(released, JmsReceiver.RELEASED);
            assertThat(receiver.next().getJMSRedelivered()).isFalse();
        }
        await().until(() -> broker.queue("counted").consumerCount() == 0);
        assertThat(broker.queue("counted").deliveringCount()).isZero();
        assertThat(broker.queue("counted").messageCount()).isEqualTo(2);
        assertThat(broker.maxUnsettled("counted")).isEqualTo(4);
    }

    @Test
    void queueThatIsNotThereCountsNothing() {
        assertThat(broker.queue("nowhere")).isEqualTo(QueueCounters.none("nowhere"));
        assertThat(broker.messages("nowhere")).isEmpty();
        assertThat(broker.maxUnsettled("nowhere")).isZero();
    }

    @Test
    void messageDeliveredTooOftenGoesToTheDeadLetterQueue() throws Exception {
        try (EmbeddedArtemis twice =
                        EmbeddedArtemis.builder().maxDeliveryAttempts(2).start();
                AmqpClient sender = new AmqpClient(twice.url());
                JmsReceiver receiver = JmsReceiver.ofQueue(twice.url(), "twice", 1)) {
            sender.sendToQueue("twice", Outbound.json("{}"));
            JmsReceiver.settle(receiver.next(), JmsReceiver.MODIFIED_FAILED);
            JmsReceiver.settle(receiver.next(), JmsReceiver.MODIFIED_FAILED);
            await().until(() -> twice.deadLetters() == 1);
            assertThat(twice.messages(EmbeddedArtemis.DEAD_LETTER_QUEUE))
                    .singleElement()
                    .satisfies(dead -> assertThat(dead.text()).isEqualTo("{}"));
            assertThat(twice.queue("twice").messagesKilled()).isEqualTo(1);
        }
    }

    @Test
    void browsedMessageSaysHowOftenItWasDelivered() throws Exception {
        client.sendToQueue(
                "browsed",
                Outbound.json("{\"a\":1}").withProperty("x-retry-count", 3),
                Outbound.value("second").notDurable());
        try (JmsReceiver receiver = JmsReceiver.ofQueue(broker.url(), "browsed", 1)) {
            JmsReceiver.settle(receiver.next(), JmsReceiver.MODIFIED_FAILED);
        }
        await().until(() -> broker.queue("browsed").consumerCount() == 0
                && broker.queue("browsed").deliveringCount() == 0);

        assertThat(broker.messages("browsed"))
                .satisfiesExactly(
                        first -> {
                            assertThat(first.deliveryCount()).isEqualTo(1);
                            assertThat(first.text()).isEqualTo("{\"a\":1}");
                            assertThat(first.contentType()).contains("application/json");
                            assertThat(first.properties()).containsEntry("x-retry-count", 3);
                            assertThat(first.durable()).isTrue();
                        },
                        second -> {
                            assertThat(second.deliveryCount()).isZero();
                            assertThat(second.text()).isEqualTo("second");
                            assertThat(second.durable()).isFalse();
                        });
        assertThat(broker.queue("browsed").messageCount()).isEqualTo(2);
    }

    @Test
    void restartKeepsThePortAndLosesTheMessages() throws Exception {
        try (EmbeddedArtemis restarted = EmbeddedArtemis.withDefaults()) {
            int port = restarted.port();
            try (AmqpClient before = new AmqpClient(restarted.url())) {
                before.sendToQueue("lost", Outbound.json("{}"));
                restarted.stop();
            }
            assertThatThrownBy(() -> new AmqpClient(restarted.url())).isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> restarted.queue("lost")).isInstanceOf(IllegalStateException.class);

            restarted.start();

            assertThat(restarted.port()).isEqualTo(port);
            assertThat(restarted.queue("lost").exists()).isFalse();
            try (AmqpClient after = new AmqpClient(restarted.url())) {
                after.sendToQueue("lost", Outbound.json("{}"));
            }
            assertThat(restarted.queue("lost").messageCount()).isEqualTo(1);
        }
    }

    @Test
    void restartWaitsForThePort() throws Exception {
        try (EmbeddedArtemis restarted = EmbeddedArtemis.withDefaults()) {
            restarted.stop();
            int port = restarted.port();
            CompletableFuture<Void> start = new CompletableFuture<>();
            try (ServerSocket other = new ServerSocket()) {
                other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                new Thread(() -> {
                            restarted.start();
                            start.complete(null);
                        })
                        .start();
                await().during(300, TimeUnit.MILLISECONDS).until(() -> !start.isDone());
            }
            start.get(20, TimeUnit.SECONDS);
            assertThat(restarted.port()).isEqualTo(port);
            new AmqpClient(restarted.url()).close();
        }
    }

    @Test
    void deletedQueueDetachesItsConsumersWhileTheirConnectionLives() throws Exception {
        broker.createQueue("deleted");
        try (FrameProxy proxy = FrameProxy.to(broker.port());
                JmsReceiver receiver = JmsReceiver.ofQueue(proxy.url(), "deleted", 1)) {
            int connections = broker.connectionCount();

            broker.deleteQueue("deleted");

            await().until(() -> proxy.events(LinkEvent.Detached.class).stream()
                    .anyMatch(event -> event.direction() == Direction.BROKER_TO_CLIENT
                            && event.receivingFrom("deleted")
                            && event.error() != null
                            && event.error().getCondition().toString().equals("amqp:resource-deleted")));
            assertThat(broker.queue("deleted").exists()).isFalse();
            assertThat(broker.connectionCount()).isEqualTo(connections);
            assertThat(receiver.connection().getClientID()).isNotNull();
        }
    }

    @Test
    void closedConnectionsBreakWithoutAWord() throws Exception {
        try (EmbeddedArtemis hard = EmbeddedArtemis.withDefaults();
                FrameProxy proxy = FrameProxy.to(hard.port());
                JmsReceiver receiver = JmsReceiver.ofQueue(proxy.url(), "closed", 1)) {
            CountDownLatch broken = new CountDownLatch(1);
            receiver.connection().setExceptionListener(e -> broken.countDown());

            hard.closeConnections();

            assertThat(broken.await(5, TimeUnit.SECONDS)).isTrue();
            await().until(() -> hard.connectionCount() == 0);
            assertThat(proxy.frames(f -> f.is(Direction.BROKER_TO_CLIENT, Close.class)))
                    .isEmpty();
        }
    }

    @Test
    void wrongPasswordIsRefused() throws Exception {
        try (EmbeddedArtemis secured =
                EmbeddedArtemis.builder().user("artemis", "secret").start()) {
            try (AmqpClient known = new AmqpClient(secured.url(), "artemis", "secret")) {
                known.sendToQueue("secured", Outbound.json("{}"));
            }
            assertThatThrownBy(() -> new AmqpClient(secured.url(), "artemis", "wrong"))
                    .isInstanceOf(JMSSecurityException.class);
            assertThatThrownBy(() -> new AmqpClient(secured.url())).isInstanceOf(JMSException.class);
        }
    }

    @Test
    void unknownAddressIsRefusedWhereNothingIsCreated() throws Exception {
        try (EmbeddedArtemis strict =
                        EmbeddedArtemis.builder().autoCreate(false).start();
                AmqpClient sender = new AmqpClient(strict.url())) {
            strict.createQueue("known");
            sender.sendToQueue("known", Outbound.json("{}"));
            assertThatThrownBy(() -> sender.sendToQueue("unknown", Outbound.json("{}")))
                    .isInstanceOf(JMSException.class);
        }
    }

    @Test
    void topicCopiesToEachSubscription() throws Exception {
        broker.createTopic("news");
        try (JmsReceiver one = JmsReceiver.ofTopic(broker.url(), "news", 1);
                JmsReceiver two = JmsReceiver.ofTopic(broker.url(), "news", 1)) {
            client.sendToTopic("news", Outbound.json("{}"));
            JmsReceiver.settle(one.next(), JmsReceiver.ACCEPTED);
            JmsReceiver.settle(two.next(), JmsReceiver.ACCEPTED);
            assertThat(broker.queuesOf("news"))
                    .hasSize(2)
                    .allSatisfy(queue -> assertThat(queue.messagesAdded()).isEqualTo(1));
        }
    }

    @Test
    void highWaterMarkOutlivesWhatItCounted() throws Exception {
        client.sendToQueue("mark", 20, i -> Outbound.json("{}"));
        try (JmsReceiver receiver = JmsReceiver.ofQueue(broker.url(), "mark", 16)) {
            for (int i = 0; i < 16; i++) {
                receiver.next();
            }
        }
        await().until(() -> broker.unsettled("mark") == 0);
        assertThat(broker.maxUnsettled("mark")).isEqualTo(16);

        broker.resetMaxUnsettled("mark");
        assertThat(broker.maxUnsettled("mark")).isZero();
    }
}

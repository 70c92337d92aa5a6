package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.consignee.Subscriber;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.Outbound;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that throw, bodies that are no payload, and what they cost: nothing but themselves. */
class FailureContractTest {

    private EmbeddedArtemis broker;
    private FrameProxy proxy;
    private AmqpClient client;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("work");
        broker.createQueue("orders");
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
        return WeldApplication.of(Worker.class, Orders.class, Scripted.class).url(proxy.url());
    }

    private DeliveryState firstDisposition(String queue) {
        await().until(() -> !proxy.dispositionsOf(queue).isEmpty());
        return proxy.dispositionsOf(queue).get(0);
    }

    @ParameterizedTest
    @CsvSource({"RETRY, Modified", "drop, Rejected", "Ack, Accepted"})
    @Asserts("failure-1")
    void handlerThatThrowsSettlesByItsPolicyAndTheSubscriptionGoesOn(String policy, String state) throws Exception {
        try (WeldApplication application = application()
                .config("consignee.subscriber.work.on-exception", policy)
                .start()) {
            client.sendToQueue("work", Outbound.text("throw,ack"), Outbound.text("ack"));
            assertThat(firstDisposition("work").getClass().getSimpleName()).isEqualTo(state);
            await().until(() -> application.status("work").handlerFailures() == 1
                    && broker.queue("work").messageCount() == 0);
            assertThat(application.status("work").state()).isEqualTo(SubscriptionState.ATTACHED);
        }
    }

    @Test
    @Asserts("failure-1")
    void handlerThatThrowsIsRetriedByDefault() throws Exception {
        try (WeldApplication application = application().start()) {
            client.sendToQueue("work", Outbound.text("throw,ack"));
            await().until(() -> application.status("work").accepted() == 1);
            assertThat(proxy.dispositionsOf("work").get(0)).isInstanceOf(Modified.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"throw", "error"})
    @Asserts("failure-1")
    void stopLeavesTheDeliveryUnsettledAndEndsThisSubscriptionOnly(String failure) throws Exception {
        try (WeldApplication application = application()
                .config("consignee.subscriber.work.on-exception", "STOP")
                .start()) {
            client.sendToQueue("work", Outbound.text(failure), Outbound.text("ack"), Outbound.text("ack"));
            await().until(() -> application.status("work").state() == SubscriptionState.STOPPED_BY_POLICY);
            await().until(() -> broker.queue("work").consumerCount() == 0);
            assertThat(broker.queue("work").messageCount()).isEqualTo(3);
            assertThat(proxy.dispositionsOf("work")).noneMatch(each -> each instanceof Accepted);
            assertThat(proxy.dispositionsOf("work")).noneMatch(each -> each instanceof Modified);

            client.sendToQueue("orders", Outbound.json("{\"id\":1,\"what\":\"pen\"}"));
            await().until(() -> application.status("orders").accepted() == 1);
            assertThat(application.status("work").state()).isEqualTo(SubscriptionState.STOPPED_BY_POLICY);
        }
        assertThat(broker.queue("work").messageCount()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"DROP, Rejected", "retry, Modified", "ack, Accepted"})
    @Asserts("failure-2")
    void bodyThatCannotBeDecodedSettlesByItsPolicyAndTheHandlerIsNotCalled(String policy, String state)
            throws Exception {
        try (WeldApplication application = application()
                .config("consignee.subscriber.orders.on-decode-error", policy)
                .start()) {
            client.sendToQueue("orders", Outbound.json("{\"id\":"));
            assertThat(firstDisposition("orders").getClass().getSimpleName()).isEqualTo(state);
            await().until(() -> broker.queue("orders").messageCount() == 0);
            assertThat(application.bean(Orders.class).seen()).isEmpty();
            assertThat(application.status("orders").decodeFailures()).isPositive();
        }
    }

    @Test
    @Asserts("failure-2")
    void bodyThatCannotBeDecodedIsDroppedByDefault() throws Exception {
        try (WeldApplication application = application().start()) {
            client.sendToQueue("orders", Outbound.text("no JSON at all"));
            assertThat(firstDisposition("orders")).isInstanceOf(Rejected.class);
            await().until(() -> broker.deadLetters() == 1);
            assertThat(application.status("orders").decodeFailures()).isEqualTo(1);
        }
    }

    @Test
    @Asserts("failure-2")
    void stopOnADecodeErrorLeavesTheDeliveryOnTheQueue() throws Exception {
        try (WeldApplication application = application()
                .config("consignee.subscriber.orders.on-decode-error", "stop")
                .start()) {
            client.sendToQueue("orders", Outbound.json("["));
            await().until(() -> application.status("orders").state() == SubscriptionState.STOPPED_BY_POLICY);
            await().until(() -> broker.queue("orders").consumerCount() == 0);
            assertThat(broker.queue("orders").messageCount()).isEqualTo(1);
            assertThat(proxy.dispositionsOf("orders")).isEmpty();
        }
    }

    @Test
    @Asserts("failure-3")
    void serializedObjectIsADecodeErrorAndNeverDeserialized() throws Exception {
        try (WeldApplication application = application().start()) {
            client.sendToQueue("orders", Outbound.serialized(new Bomb()));
            client.sendToQueue("work", Outbound.serialized(new Bomb()));
            await().until(() -> broker.deadLetters() == 2);
            assertThat(application.status("orders").decodeFailures()).isEqualTo(1);
            assertThat(application.status("work").decodeFailures()).isEqualTo(1);
            assertThat(application.bean(Scripted.class).handled()).isEmpty();
            assertThat(Bomb.WENT_OFF).isFalse();
        }
    }

    @Test
    @Asserts("failure-4")
    void voidAcknowledgesOnReturn() throws Exception {
        try (WeldApplication application = application().start()) {
            client.sendToQueue("orders", Outbound.json("{\"id\":1,\"what\":\"pen\"}"));
            assertThat(firstDisposition("orders")).isInstanceOf(Accepted.class);
            assertThat(application.bean(Orders.class).seen()).containsExactly(new Order(1, "pen"));
        }
    }

    @Test
    @Asserts("failure-4")
    void nullOutcomeIsAnErrorOfTheHandler() throws Exception {
        try (WeldApplication application = application()
                .config("consignee.subscriber.work.on-exception", "DROP")
                .start()) {
            client.sendToQueue("work", Outbound.text("null"));
            assertThat(firstDisposition("work")).isInstanceOf(Rejected.class);
            await().until(() -> application.status("work").handlerFailures() == 1);
        }
    }

    @Test
    @Asserts("failure-5")
    void poisonMessagesReturnTheirCredit() throws Exception {
        try (WeldApplication application = application()
                .config("consignee.subscriber.work.credit", "3")
                .config("consignee.subscriber.orders.credit", "3")
                .start()) {
            byte[] garbage = new byte[300];
            new Random(7).nextBytes(garbage);
            client.sendToQueue("work", 10, i -> Outbound.text("throw"));
            client.sendToQueue("work", Outbound.text("ack"));
            client.sendToQueue("orders", 10, i -> Outbound.data(garbage, "application/json"));
            client.sendToQueue("orders", Outbound.json("{\"id\":2,\"what\":\"book\"}"));

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> application.bean(Scripted.class).scripts().contains("ack"));
            await().until(() -> application.bean(Orders.class).seen().equals(List.of(new Order(2, "book"))));
            await().until(() -> broker.queue("work").messageCount() == 0);
            assertThat(application.status("work").handlerFailures()).isEqualTo(100);
            assertThat(application.status("orders").decodeFailures()).isEqualTo(10);
            assertThat(broker.deadLetters()).isEqualTo(20);
            assertThat(proxy.maxUnsettled("work").unsettledAndCredit()).isLessThanOrEqualTo(3);
        }
    }

    @Test
    @Asserts("failure-5")
    void bytesThatAreNoMessageReturnTheirCredit() throws Exception {
        try (WeldApplication application =
                application().config("consignee.subscriber.orders.credit", "1").start()) {
            byte[] unreadable = "\u0000\u0053\u0075 no section".getBytes(StandardCharsets.ISO_8859_1);
            client.sendToQueue("orders", 3, i -> Outbound.data(unreadable));
            client.sendToQueue("orders", Outbound.json("{\"id\":3,\"what\":\"cup\"}"));
            await().until(() -> application.bean(Orders.class).seen().equals(List.of(new Order(3, "cup"))));
            assertThat(broker.deadLetters()).isEqualTo(3);
        }
    }

    /** A payload. */
    public record Order(int id, String what) {}

    /** Goes off when it is deserialized. */
    static final class Bomb implements Serializable {
        private static final long serialVersionUID = 1L;
        static final AtomicBoolean WENT_OFF = new AtomicBoolean();

        private void readObject(ObjectInputStream in) {
            WENT_OFF.set(true);
        }
    }

    /** Takes JSON and returns nothing. */
    @ApplicationScoped
    static class Orders {
        private final List<Order> seen = new CopyOnWriteArrayList<>();

        @Subscriber(queue = "orders", name = "orders")
        void order(Order order) {
            seen.add(order);
        }

        List<Order> seen() {
            return seen;
        }
    }
}

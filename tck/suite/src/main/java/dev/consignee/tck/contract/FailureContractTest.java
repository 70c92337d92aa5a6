package dev.consignee.tck.contract;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Tck;
import dev.consignee.tck.TckApplication;
import dev.consignee.tck.app.Handled;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that throw, bodies that are no payload, and what they cost: nothing but themselves. */
class FailureContractTest {

    @RegisterExtension
    final Tck tck = new Tck();

    private DeliveryState firstDisposition(String queue) {
        await().until(() -> !tck.proxy().dispositionsOf(queue).isEmpty());
        return tck.proxy().dispositionsOf(queue).get(0);
    }

    @ParameterizedTest
    @CsvSource({"RETRY, Modified", "drop, Rejected", "Ack, Accepted"})
    @Asserts("failure-1")
    void handlerThatThrowsSettlesByItsPolicyAndTheSubscriptionGoesOn(String policy, String state) throws Exception {
        try (TckApplication application = tck.deploy("consignee.subscriber.work.on-exception", policy)) {
            tck.client().sendToQueue("work", Outbound.text("throw,ack"), Outbound.text("ack"));
            assertThat(firstDisposition("work").getClass().getSimpleName()).isEqualTo(state);
            await().until(() -> application.subscription("work").handlerFailures() == 1
                    && tck.broker().queue("work").messageCount() == 0);
            assertThat(application.subscription("work").state()).isEqualTo("ATTACHED");
        }
    }

    @Test
    @Asserts("failure-1")
    void handlerThatThrowsIsRetriedByDefault() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("work", Outbound.text("throw,ack"));
            await().until(() -> application.subscription("work").accepted() == 1);
            assertThat(tck.proxy().dispositionsOf("work").get(0)).isInstanceOf(Modified.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"throw", "error"})
    @Asserts("failure-1")
    void stopLeavesTheDeliveryUnsettledAndEndsThisSubscriptionOnly(String failure) throws Exception {
        try (TckApplication application = tck.deploy("consignee.subscriber.work.on-exception", "STOP")) {
            tck.client().sendToQueue("work", Outbound.text(failure), Outbound.text("ack"), Outbound.text("ack"));
            await().until(() -> application.subscription("work").state().equals("STOPPED_BY_POLICY"));
            await().until(() -> tck.broker().queue("work").consumerCount() == 0);
            await().untilAsserted(() ->
                    assertThat(tck.broker().queue("work").messageCount()).isEqualTo(3));
            assertThat(tck.proxy().dispositionsOf("work")).noneMatch(each -> each instanceof Accepted);
            assertThat(tck.proxy().dispositionsOf("work")).noneMatch(each -> each instanceof Modified);

            tck.client().sendToQueue("orders", Outbound.json("{\"id\":1,\"what\":\"pen\"}"));
            await().until(() -> application.subscription("orders").accepted() == 1);
            assertThat(application.subscription("work").state()).isEqualTo("STOPPED_BY_POLICY");
        }
        await().untilAsserted(() ->
                assertThat(tck.broker().queue("work").messageCount()).isEqualTo(3));
    }

    @ParameterizedTest
    @CsvSource({"DROP, Rejected", "retry, Modified", "ack, Accepted"})
    @Asserts("failure-2")
    void bodyThatCannotBeDecodedSettlesByItsPolicyAndTheHandlerIsNotCalled(String policy, String state)
            throws Exception {
        try (TckApplication application = tck.deploy("consignee.subscriber.orders.on-decode-error", policy)) {
            tck.client().sendToQueue("orders", Outbound.json("{\"id\":"));
            assertThat(firstDisposition("orders").getClass().getSimpleName()).isEqualTo(state);
            await().until(() -> tck.broker().queue("orders").messageCount() == 0);
            assertThat(application.handled()).isEmpty();
            assertThat(application.subscription("orders").decodeFailures()).isPositive();
        }
    }

    @Test
    @Asserts("failure-2")
    void bodyThatCannotBeDecodedIsDroppedByDefault() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("orders", Outbound.text("no JSON at all"));
            assertThat(firstDisposition("orders")).isInstanceOf(Rejected.class);
            await().until(() -> tck.broker().deadLetters() == 1);
            assertThat(application.subscription("orders").decodeFailures()).isEqualTo(1);
        }
    }

    @Test
    @Asserts("failure-2")
    void stopOnADecodeErrorLeavesTheDeliveryOnTheQueue() throws Exception {
        try (TckApplication application = tck.deploy("consignee.subscriber.orders.on-decode-error", "stop")) {
            tck.client().sendToQueue("orders", Outbound.json("["));
            await().until(() -> application.subscription("orders").state().equals("STOPPED_BY_POLICY"));
            await().until(() -> tck.broker().queue("orders").consumerCount() == 0);
            await().untilAsserted(() ->
                    assertThat(tck.broker().queue("orders").messageCount()).isEqualTo(1));
            assertThat(tck.proxy().dispositionsOf("orders")).isEmpty();
        }
    }

    @Test
    @Asserts("failure-3")
    void serializedObjectIsADecodeErrorAndNeverDeserialized() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("orders", Outbound.serialized(new Bomb()));
            tck.client().sendToQueue("work", Outbound.serialized(new Bomb()));
            await().until(() -> tck.broker().deadLetters() == 2);
            assertThat(application.subscription("orders").decodeFailures()).isEqualTo(1);
            assertThat(application.subscription("work").decodeFailures()).isEqualTo(1);
            assertThat(application.handled()).isEmpty();
            assertThat(Bomb.WENT_OFF).isFalse();
        }
    }

    @Test
    @Asserts("failure-4")
    void voidAcknowledgesOnReturn() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("orders", Outbound.json("{\"id\":1,\"what\":\"pen\"}"));
            assertThat(firstDisposition("orders")).isInstanceOf(Accepted.class);
            assertThat(scripts(application)).containsExactly("1 pen");
        }
    }

    @Test
    @Asserts("failure-4")
    void nullOutcomeIsAnErrorOfTheHandler() throws Exception {
        try (TckApplication application = tck.deploy("consignee.subscriber.work.on-exception", "DROP")) {
            tck.client().sendToQueue("work", Outbound.text("null"));
            assertThat(firstDisposition("work")).isInstanceOf(Rejected.class);
            await().until(() -> application.subscription("work").handlerFailures() == 1);
        }
    }

    @Test
    @Asserts("failure-5")
    void poisonMessagesReturnTheirCredit() throws Exception {
        try (TckApplication application =
                tck.deploy("consignee.subscriber.work.credit", "3", "consignee.subscriber.orders.credit", "3")) {
            byte[] garbage = new byte[300];
            new Random(7).nextBytes(garbage);
            tck.client().sendToQueue("work", 10, i -> Outbound.text("throw"));
            tck.client().sendToQueue("work", Outbound.text("ack"));
            tck.client().sendToQueue("orders", 10, i -> Outbound.data(garbage, "application/json"));
            tck.client().sendToQueue("orders", Outbound.json("{\"id\":2,\"what\":\"book\"}"));

            await().until(() -> scripts(application).contains("ack"));
            await().until(() -> scripts(application).contains("2 book"));
            await().until(() -> tck.broker().queue("work").messageCount() == 0);
            assertThat(application.subscription("work").handlerFailures()).isEqualTo(100);
            assertThat(application.subscription("orders").decodeFailures()).isEqualTo(10);
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(20));
            assertThat(tck.proxy().maxUnsettled("work").unsettledAndCredit()).isLessThanOrEqualTo(3);
        }
    }

    @Test
    @Asserts("failure-5")
    void bytesThatAreNoMessageReturnTheirCredit() throws Exception {
        try (TckApplication application = tck.deploy("consignee.subscriber.orders.credit", "1")) {
            // A data section that says it has 64 bytes, and ends after two.
            byte[] truncated = {0x00, 0x53, 0x75, (byte) 0xa0, 64, '{', '}'};
            tck.client().sendToQueue("orders", 3, i -> Outbound.encoded(truncated));
            tck.client().sendToQueue("orders", Outbound.json("{\"id\":3,\"what\":\"cup\"}"));
            await().until(() -> scripts(application).contains("3 cup"));
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(3));
        }
    }

    private static List<String> scripts(TckApplication application) {
        return application.handled().stream().map(Handled::script).toList();
    }

    /** Goes off when it is deserialized. */
    static final class Bomb implements Serializable {
        private static final long serialVersionUID = 1L;
        static final AtomicBoolean WENT_OFF = new AtomicBoolean();

        private void readObject(ObjectInputStream in) {
            WENT_OFF.set(true);
        }
    }
}

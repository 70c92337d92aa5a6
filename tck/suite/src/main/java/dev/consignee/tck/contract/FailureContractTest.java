package dev.consignee.tck.contract;

import static dev.consignee.tck.Tck.await;
import static dev.consignee.tck.Tck.patient;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Tck;
import dev.consignee.tck.TckApplication;
import dev.consignee.tck.app.Handled;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
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

    private List<LinkEvent.Transferred> transfers(Predicate<LinkEvent> matching) {
        return tck.proxy().events(LinkEvent.Transferred.class).stream()
                .filter(matching)
                .toList();
    }

    @Test
    @Asserts({"failure-2", "attempt-7"})
    void bodyThatCannotBeDecodedIsPublishedAsItArrivedToTheDeadLetterAddress() throws Exception {
        byte[] truncated = {0x00, 0x53, 0x75, (byte) 0xa0, 64, '{', '}'};
        byte[] unknownSection = {0x00, 0x53, 0x10, 0x40};
        try (TckApplication application = tck.deployWith(List.of("strict"), "credit", "2")) {
            tck.client().sendToQueue("strict", Outbound.json("{\"id\":").withProperty("x-kept", 7));
            tck.client().sendToQueue("strict", Outbound.encoded(truncated), Outbound.encoded(unknownSection));
            tck.client().sendToQueue("strict", Outbound.json("{\"id\":1,\"what\":\"pen\"}"));
            await().until(() -> tck.proxy().dispositionsOf("strict").size() == 4);
            assertThat(tck.proxy().dispositionsOf("strict")).allMatch(each -> each instanceof Accepted);
            assertThat(scripts(application)).containsExactly("1 pen");

            List<LinkEvent.Transferred> dead = transfers(event -> event.sendingTo("strict.dead"));
            assertThat(dead).hasSize(3);
            assertThat(dead.get(0).message().text()).isEqualTo("{\"id\":");
            assertThat(dead.get(0).message().properties()).containsOnly(Map.entry("x-kept", 7));
            assertThat(dead)
                    .extracting(each -> each.payload().toString())
                    .contains(new Binary(truncated).toString(), new Binary(unknownSection).toString());
            await().untilAsserted(() ->
                    assertThat(tck.broker().queue("strict.dead").messageCount()).isEqualTo(3));
            await().until(() -> application.subscription("strict").deadLetters() == 3);
            assertThat(application.subscription("strict").decodeFailures()).isEqualTo(3);
            assertThat(tck.broker().deadLetters()).isZero();
        }
    }

    @Test
    @Asserts({"failure-2", "attempt-4"})
    void messageThatCannotBeReadIsNotTriedAgainUnderACapSinceNobodyCouldCount() throws Exception {
        byte[] truncated = {0x00, 0x53, 0x75, (byte) 0xa0, 64, '{', '}'};
        try (TckApplication application = tck.deployWith(
                List.of("strict", "capped"),
                "max-attempts",
                "3",
                "on-decode-error",
                "RETRY",
                "consignee.subscriber.capped.on-decode-error",
                "RETRY")) {
            for (String queue : List.of("strict", "capped")) {
                tck.client()
                        .sendToQueue(
                                queue,
                                Outbound.encoded(truncated),
                                Outbound.sections(
                                        new AmqpValue(new Decimal32(7)))); // whose value this library cannot tell
                await().until(() -> tck.proxy().dispositionsOf(queue).size() == 2);
            }
            assertThat(tck.proxy().dispositionsOf("strict")).allMatch(each -> each instanceof Accepted);
            assertThat(tck.proxy().dispositionsOf("capped")).allMatch(each -> each instanceof Rejected);
            await().untilAsserted(() ->
                    assertThat(tck.broker().queue("strict.dead").messageCount()).isEqualTo(2));
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(2));
            assertThat(application.handled()).isEmpty();
        }
    }

    @Test
    @Asserts({"failure-2", "failure-5"})
    void messageOfWhichNothingWasKeptIsRejectedInPlaceOfADeadLetter() throws Exception {
        try (TckApplication application =
                tck.deployWith(List.of("strict"), "max-message-size", "64KiB", "credit", "1")) {
            tck.client().sendToQueue("strict", Outbound.data(new byte[100_000], "application/json"));
            tck.client().sendToQueue("strict", Outbound.data(new byte[50_000], "application/json"));
            tck.client().sendToQueue("strict", Outbound.json("{\"id\":1,\"what\":\"pen\"}"));
            await().until(() -> tck.proxy().dispositionsOf("strict").size() == 3);
            assertThat(tck.proxy().dispositionsOf("strict"))
                    .hasExactlyElementsOfTypes(Rejected.class, Accepted.class, Accepted.class);
            assertThat(transfers(event -> event.sendingTo("strict.dead"))).hasSize(1);
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(1));
            assertThat(scripts(application)).containsExactly("1 pen");
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

    @Test
    @Asserts({"failure-6", "settle-6"})
    void backOffDoublesTheDelayWithEachAttemptUpToItsEnd() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("hasty"))) {
            tck.client()
                    .sendToQueue(
                            "hasty",
                            Outbound.text("throw,null,throw,throw,throw,throw,ack")
                                    .withCorrelationId("1"));
            List<Long> times = new ArrayList<>();
            for (int attempt = 1; attempt <= 7; attempt++) {
                int expected = attempt;
                await().pollInterval(Duration.ofMillis(2))
                        .until(() -> application.handled().size() >= expected);
                times.add(System.nanoTime());
            }
            // With a jitter of a fifth; and one process is not always at once where another one waits for it.
            double[] least = {0.08, 0.16, 0.32, 0.64, 0.8, 0.8};
            double[] most = {0.12, 0.24, 0.48, 0.96, 1, 1};
            for (int i = 0; i < least.length; i++) {
                double waited = (times.get(i + 1) - times.get(i)) / 1e9;
                assertThat(waited)
                        .as("wait " + (i + 1))
                        .isBetween(
                                least[i] - 0.03,
                                most[i] + patient(Duration.ofMillis(300)).toMillis() / 1e3);
            }
            assertThat(application.handled()).extracting(Handled::attempt).containsExactly(1, 2, 3, 4, 5, 6, 7);
            await().until(() -> tck.proxy().dispositionsOf("hasty").size() == 7);
            assertThat(tck.proxy().dispositionsOf("hasty").subList(0, 6)).allMatch(each -> each instanceof Rejected);
            assertThat(tck.proxy().dispositionsOf("hasty").get(6)).isInstanceOf(Accepted.class);
            assertThat(transfers(event -> event.sendingTo("hasty")))
                    .extracting(each -> each.message().properties().get("x-ruststream-retry-count"))
                    .containsExactly("1", "2", "3", "4", "5", "6");
            assertThat(application.subscription("hasty").handlerFailures()).isEqualTo(6);
        }
    }

    @Test
    @Asserts({"failure-6", "failure-1"})
    void namedExceptionIsDroppedAtOnceAndBackOffConcernsNoOutcome() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("hasty"))) {
            tck.client().sendToQueue("hasty", Outbound.text("unsupported,ack").withCorrelationId("1"));
            await().until(() -> tck.proxy().dispositionsOf("hasty").size() == 1);
            tck.client().sendToQueue("hasty", Outbound.text("retry,drop").withCorrelationId("2"));
            await().until(() -> tck.proxy().dispositionsOf("hasty").size() == 3);
            assertThat(tck.proxy().dispositionsOf("hasty"))
                    .hasExactlyElementsOfTypes(Rejected.class, Modified.class, Rejected.class);
            assertThat(application.handled()).hasSize(3);
            assertThat(transfers(event -> event.sendingTo("hasty"))).isEmpty();
            assertThat(application.subscription("hasty").waitingCopies()).isZero();
            assertThat(application.subscription("hasty").handlerFailures()).isEqualTo(1);
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(2));
        }
    }

    @Test
    @Asserts({"failure-6", "attempt-10"})
    void backOffEndsAtTheCap() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("mortal"), "backoff", "10ms..20ms")) {
            tck.client().sendToQueue("mortal", Outbound.text("throw").withCorrelationId("1"));
            await().untilAsserted(() ->
                    assertThat(tck.broker().queue("mortal.dead").messageCount()).isEqualTo(1));
            assertThat(application.handled()).extracting(Handled::attempt).containsExactly(1, 2, 3, 4, 5);
            await().until(() -> tck.proxy().dispositionsOf("mortal").size() == 5);
            assertThat(tck.proxy().dispositionsOf("mortal").get(4)).isInstanceOf(Accepted.class);
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(4));
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

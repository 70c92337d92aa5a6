package dev.consignee.engine;

import static dev.consignee.engine.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.AckError;
import dev.consignee.HandlerOutcome;
import dev.consignee.MessageId;
import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.SettlementFailed;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.engine.FakeReceiver.FakeDelivery;
import dev.consignee.time.Backoff;
import dev.consignee.transport.Disposition;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import java.io.IOException;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(20)
class SubscriptionTest {

    private static final Jsonb JSONB = JsonbBuilder.create();

    private final FakeTransport transport = new FakeTransport();
    private final FakeHandler handler = new FakeHandler((payload, delivery) -> HandlerOutcome.ack());
    private final List<SettlementFailed> failures = new CopyOnWriteArrayList<>();
    private final SubscriptionDiagnosis diagnosis =
            new SubscriptionDiagnosis("pick", "pick-queue", "", SubscriptionState.NEW);
    private final Logs logs = new Logs();
    private final Brokers brokers = new Brokers();
    private Subscription subscription;
    private Thread thread;

    private FakeReceiver start() {
        return start(OnException.RETRY, OnDecodeError.DROP, Specs.AT_ONCE, String.class);
    }

    private FakeReceiver start(OnException onException) {
        return start(onException, OnDecodeError.DROP, Specs.AT_ONCE, String.class);
    }

    private FakeReceiver start(OnException onException, OnDecodeError onDecodeError, Backoff backoff, Type payload) {
        begin(onException, onDecodeError, backoff, payload);
        return transport.receiver(1);
    }

    private void begin(OnException onException, OnDecodeError onDecodeError, Backoff backoff, Type payload) {
        brokers.add(Specs.broker(""), transport, backoff);
        subscription = new Subscription(
                Specs.subscription("pick", onException, onDecodeError),
                new PayloadDecoder(payload, JSONB, Codecs.NONE, PayloadCheck.NONE),
                handler,
                brokers.broker(""),
                failures::add,
                diagnosis);
        thread = new Thread(subscription, "consignee-pick");
        thread.start();
    }

    @AfterEach
    void end() throws Exception {
        if (subscription != null) {
            subscription.beginStop();
            brokers.stopReceiving();
            thread.join(10_000);
            assertThat(thread.isAlive()).as("still running").isFalse();
            brokers.close();
        }
        logs.close();
    }

    private static void awaitSettled(FakeDelivery delivery) {
        await().until(delivery::settled);
    }

    private void awaitState(SubscriptionState state) {
        await().until(() -> diagnosis.state() == state);
    }

    private void awaitCalls(int count) {
        await().until(() -> handler.payloads.size() >= count);
    }

    private static void pass(CountDownLatch gate) {
        boolean interrupted = false;
        while (true) {
            try {
                gate.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // --- one delivery

    static Stream<Arguments> outcomes() {
        return Stream.of(
                Arguments.of(HandlerOutcome.ack(), Disposition.ACCEPTED),
                Arguments.of(HandlerOutcome.retry(), Disposition.MODIFIED_FAILED),
                Arguments.of(HandlerOutcome.drop(), Disposition.REJECTED));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void theOutcomeIsTheDispositionOnceTheHandlerHasReturned(HandlerOutcome outcome, Disposition expected) {
        CountDownLatch gate = new CountDownLatch(1);
        handler.method = (payload, delivery) -> {
            pass(gate);
            return outcome;
        };
        FakeReceiver receiver = start();
        FakeDelivery delivery = receiver.deliver("one");
        awaitCalls(1);
        assertThat(delivery.settled()).isFalse();

        gate.countDown();

        awaitSettled(delivery);
        assertThat(delivery.written).isEqualTo(expected);
        assertThat(receiver.events).containsExactly(expected.toString());
    }

    @Test
    void theHandlerGetsThePayloadAndTheDelivery() {
        FakeReceiver receiver = start();
        assertThat(receiver.spec.credit()).isEqualTo(10);

        awaitSettled(receiver.deliver(Messages.withId("id-1", "grüße")));

        assertThat(handler.payloads).containsExactly("grüße");
        assertThat(handler.deliveries).singleElement().satisfies(delivery -> {
            assertThat(delivery.address()).isEqualTo("pick-queue");
            assertThat(delivery.messageId()).contains(MessageId.of("id-1"));
            assertThat(delivery.redeliveryCount()).hasValue(1);
        });
    }

    @Test
    void deliveriesAreHandledInTheirOrderOneAfterTheOther() {
        FakeReceiver receiver = start();
        List<FakeDelivery> deliveries =
                Stream.of("1", "2", "3", "4").map(receiver::deliver).toList();

        deliveries.forEach(SubscriptionTest::awaitSettled);

        assertThat(handler.payloads).containsExactly("1", "2", "3", "4");
        assertThat(diagnosis.status().deliveries()).isEqualTo(4);
        assertThat(diagnosis.status().accepted()).isEqualTo(4);
    }

    @Test
    void eachKindOfEndIsCountedInItsOwnPlace() {
        handler.method = (payload, delivery) -> switch (payload) {
            case "ack" -> HandlerOutcome.ack();
            case "retry" -> HandlerOutcome.retry();
            case "drop" -> HandlerOutcome.drop();
            default -> throw new IOException(payload);
        };
        FakeReceiver receiver = start();
        Stream.of("ack", "retry", "retry", "drop", "drop", "drop", "throw").forEach(receiver::deliver);
        awaitSettled(receiver.deliverGarbage());

        var status = diagnosis.status();
        assertThat(status.deliveries()).isEqualTo(8);
        assertThat(status.accepted()).isEqualTo(1);
        assertThat(status.modified()).isEqualTo(3);
        assertThat(status.rejected()).isEqualTo(4);
        assertThat(status.handlerFailures()).isEqualTo(1);
        assertThat(status.decodeFailures()).isEqualTo(1);
        assertThat(status.linkLost()).isZero();
        assertThat(status.attached()).isEqualTo(1);
    }

    @Test
    void theHandlerIsOpenedAndClosedOnTheConsumersThread() throws Exception {
        start();

        subscription.beginStop();
        thread.join(10_000);

        assertThat(handler.threads).containsExactly("opened on consignee-pick", "closed on consignee-pick");
    }

    // --- failures

    static Stream<Arguments> failing() {
        return Stream.<FakeHandler.Method>of(
                        (payload, delivery) -> {
                            throw new IOException("checked");
                        },
                        (payload, delivery) -> {
                            throw new IllegalStateException("unchecked");
                        },
                        (payload, delivery) -> {
                            throw new StackOverflowError("error");
                        },
                        (payload, delivery) -> {
                            throw new InterruptedException("interrupt");
                        },
                        (payload, delivery) -> null)
                .flatMap(method -> Stream.of(
                        Arguments.of(method, OnException.RETRY, Disposition.MODIFIED_FAILED),
                        Arguments.of(method, OnException.DROP, Disposition.REJECTED),
                        Arguments.of(method, OnException.ACK, Disposition.ACCEPTED)));
    }

    @ParameterizedTest
    @MethodSource("failing")
    void aHandlerThatFailsIsSettledByItsPolicyAndTheNextOneIsHandled(
            FakeHandler.Method failing, OnException policy, Disposition expected) {
        handler.method =
                (payload, delivery) -> payload.equals("good") ? HandlerOutcome.ack() : failing.call(payload, delivery);
        FakeReceiver receiver = start(policy, OnDecodeError.STOP, Specs.AT_ONCE, String.class);
        FakeDelivery bad = receiver.deliver("bad");
        FakeDelivery good = receiver.deliver("good");

        awaitSettled(good);

        assertThat(bad.written).isEqualTo(expected);
        assertThat(good.written).isEqualTo(Disposition.ACCEPTED);
        assertThat(logs.lines("CONS0307")).singleElement().asString().contains("'pick'", policy.toString());
        assertThat(transport.receivers).hasSize(1);
    }

    @Test
    void failuresOfAKindAreOneLineAndEachKindHasItsOwn() {
        handler.method = (payload, delivery) -> {
            throw payload.equals("a") ? new IOException() : new IllegalStateException();
        };
        FakeReceiver receiver = start();
        Stream.of("a", "a", "b", "a", "b").forEach(receiver::deliver);
        awaitSettled(receiver.deliver("b"));

        assertThat(logs.lines("CONS0307")).hasSize(2);
        assertThat(diagnosis.status().handlerFailures()).isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource({"DROP, REJECTED", "RETRY, MODIFIED_FAILED", "ACK, ACCEPTED"})
    void aBodyThatIsNoPayloadIsSettledByItsPolicyAndTheHandlerIsNotCalled(OnDecodeError policy, Disposition expected) {
        FakeReceiver receiver = start(OnException.STOP, policy, Specs.AT_ONCE, String.class);
        FakeDelivery undecodable = receiver.deliver(Messages.of("text/plain", new byte[] {(byte) 0xff}));
        FakeDelivery garbage = receiver.deliverGarbage();
        FakeDelivery good = receiver.deliver("good");

        awaitSettled(good);

        assertThat(undecodable.written).isEqualTo(expected);
        assertThat(garbage.written).isEqualTo(expected);
        assertThat(handler.payloads).containsExactly("good");
        assertThat(logs.lines("CONS0308")).hasSize(2);
    }

    /** A payload whose constructor breaks within JSON-B. */
    public static final class Breaking {
        public Breaking() {
            throw new NoClassDefFoundError("Missing");
        }
    }

    @Test
    void anErrorWithinJsonBIsADecodeFailureToo() {
        FakeReceiver receiver = start(OnException.STOP, OnDecodeError.RETRY, Specs.AT_ONCE, Breaking.class);
        FakeDelivery delivery = receiver.deliver(Messages.json("{}"));

        awaitSettled(delivery);

        assertThat(delivery.written).isEqualTo(Disposition.MODIFIED_FAILED);
        assertThat(handler.payloads).isEmpty();
    }

    @Test
    void aHandlerFailureUnderStopLeavesTheDeliveryUnsettledAndEndsTheSubscription() throws Exception {
        handler.method = (payload, delivery) -> {
            throw new IOException();
        };
        FakeReceiver receiver = start(OnException.STOP);
        FakeDelivery bad = receiver.deliver("bad");
        awaitCalls(1);

        thread.join(10_000);

        assertThat(thread.isAlive()).isFalse();
        assertThat(bad.settled()).isFalse();
        assertThat(receiver.closed()).isTrue();
        assertThat(receiver.events).containsExactly("withdrawn", "closed");
        assertThat(transport.receivers).hasSize(1);
        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.STOPPED_BY_POLICY);
        assertThat(logs.lines("CONS0309")).singleElement().asString().contains("'pick'");
    }

    @Test
    void stopUndoesNothingOfWhatFollowedInTheLink() throws Exception {
        handler.method = (payload, delivery) -> {
            throw new IOException();
        };
        CountDownLatch gate = new CountDownLatch(1);
        FakeReceiver receiver = start(OnException.STOP);
        receiver.beforeHandingOut = () -> pass(gate);
        FakeDelivery bad = receiver.deliver("bad");
        FakeDelivery untouched = receiver.deliver("untouched");

        gate.countDown();
        thread.join(10_000);

        assertThat(bad.settled()).isFalse();
        assertThat(untouched.written).isEqualTo(Disposition.RELEASED);
        assertThat(handler.payloads).containsExactly("bad");
    }

    @Test
    void aBodyThatIsNoPayloadUnderStopLeavesTheDeliveryUnsettledAndEndsTheSubscription() throws Exception {
        FakeReceiver receiver = start(OnException.RETRY, OnDecodeError.STOP, Specs.AT_ONCE, String.class);
        FakeDelivery garbage = receiver.deliverGarbage();

        thread.join(10_000);

        assertThat(garbage.settled()).isFalse();
        assertThat(receiver.closed()).isTrue();
        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.STOPPED_BY_POLICY);
    }

    @Test
    void anInterruptThatTheHandlerLeavesBehindCostsNothing() {
        handler.method = (payload, delivery) -> {
            Thread.currentThread().interrupt();
            return HandlerOutcome.ack();
        };
        FakeReceiver receiver = start();

        for (int i = 0; i < 5; i++) {
            awaitSettled(receiver.deliver("again"));
        }

        assertThat(receiver.events).containsOnly("ACCEPTED").hasSize(5);
        assertThat(transport.receivers).hasSize(1);
    }

    @Test
    void anInterruptFromSomebodyElseDoesNotEndTheSubscription() {
        start();

        thread.interrupt();

        FakeReceiver second = transport.receiver(2);
        awaitSettled(second.deliver("after"));
        assertThat(handler.payloads).containsExactly("after");
    }

    @Test
    void aHandlerThatCannotBeOpenedEndsTheSubscriptionWithALine() throws Exception {
        handler.openWith = new IllegalStateException("no such bean");
        begin(OnException.RETRY, OnDecodeError.DROP, Specs.AT_ONCE, String.class);

        thread.join(10_000);

        assertThat(logs.lines("CONS0313")).hasSize(1);
        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.STOPPED);
        assertThat(transport.attempts()).isZero();
    }

    // --- links that go

    @Test
    void aSettlementAfterTheLinkWentGoesToTheOldLinkOnlyAndIsReported() {
        CountDownLatch gate = new CountDownLatch(1);
        handler.method = (payload, delivery) -> {
            if (payload.equals("slow")) {
                pass(gate);
            }
            return HandlerOutcome.ack();
        };
        FakeReceiver first = start();
        FakeDelivery slow = first.deliver(Messages.withId("id-7", "slow"));
        awaitCalls(1);
        first.lose();

        gate.countDown();

        FakeReceiver second = transport.receiver(2);
        FakeDelivery next = second.deliver("next");
        awaitSettled(next);
        assertThat(slow.lost).isEqualTo(Disposition.ACCEPTED);
        assertThat(slow.written).isNull();
        assertThat(first.closed()).isTrue();
        assertThat(second.events).containsExactly("ACCEPTED");
        assertThat(failures)
                .containsExactly(new SettlementFailed("pick", AckError.LINK_LOST, Optional.of(MessageId.of("id-7"))));
        assertThat(diagnosis.status().linkLost()).isEqualTo(1);
        assertThat(diagnosis.status().accepted()).isEqualTo(1);
        assertThat(logs.lines("CONS0310")).singleElement().asString().contains("'pick'", "ACCEPTED");
    }

    @Test
    void aLostSettlementOfGarbageIsReportedWithoutAnId() {
        FakeReceiver first = start();
        first.beforeHandingOut = first::lose;
        FakeDelivery garbage = first.deliverGarbage();

        awaitSettled(garbage);

        assertThat(garbage.lost).isEqualTo(Disposition.REJECTED);
        assertThat(failures).containsExactly(new SettlementFailed("pick", AckError.LINK_LOST, Optional.empty()));
    }

    @Test
    void whatCouldNotBeReleasedIsNoFailure() {
        FakeReceiver first = start();
        first.beforeHandingOut = () -> {
            subscription.beginStop();
            first.lose();
        };
        FakeDelivery untouched = first.deliver("untouched");

        awaitSettled(untouched);

        assertThat(untouched.lost).isEqualTo(Disposition.RELEASED);
        assertThat(failures).isEmpty();
        assertThat(diagnosis.status().linkLost()).isZero();
        assertThat(handler.payloads).isEmpty();
    }

    @Test
    void aLostLinkIsAttachedAgainOnTheSameConnection() {
        FakeReceiver first = start();
        first.lose();

        FakeReceiver second = transport.receiver(2);
        awaitSettled(second.deliver("after"));

        assertThat(first.closed()).isTrue();
        assertThat(second.connection).isSameAs(first.connection);
        assertThat(logs.ids()).containsExactly("CONS0302", "CONS0305", "CONS0306", "CONS0305");
        assertThat(diagnosis.status().attached()).isEqualTo(2);
    }

    @Test
    void aLostConnectionIsReplacedAndTheLinkAttachedThere() {
        FakeReceiver first = start();
        first.connection.lose();

        FakeReceiver second = transport.receiver(2);
        awaitSettled(second.deliver("after"));

        assertThat(second.connection).isSameAs(transport.connection(2));
        assertThat(transport.connection(1).closed()).isTrue();
    }

    @Test
    void whileTheLinkIsGoneItIsConnectingAndBacksOff() {
        FakeReceiver first = start(OnException.RETRY, OnDecodeError.DROP, Specs.NEVER, String.class);
        awaitState(SubscriptionState.ATTACHED);

        first.lose();

        await().until(() -> !logs.lines("CONS0306").isEmpty());
        assertThat(logs.lines("CONS0306")).singleElement().asString().contains("'pick'", "the link is gone");
        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.CONNECTING);
        assertThat(transport.receivers).hasSize(1);
    }

    @Test
    void aLinkThatGoesWhileTheHandlerRunsShowsAtOnce() {
        CountDownLatch gate = new CountDownLatch(1);
        handler.method = (payload, delivery) -> {
            pass(gate);
            return HandlerOutcome.ack();
        };
        FakeReceiver first = start();
        first.deliver("slow");
        awaitCalls(1);

        first.lose();

        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.CONNECTING);
        gate.countDown();
        transport.receiver(2);
        awaitState(SubscriptionState.ATTACHED);
    }

    @Test
    void aBugBelowCostsTheLinkABackoffAndALineAndNotTheSubscription() {
        FakeReceiver first = start();

        first.breakWith(new IllegalArgumentException("bug"));

        FakeReceiver second = transport.receiver(2);
        awaitSettled(second.deliver("after"));
        assertThat(first.closed()).isTrue();
        assertThat(logs.lines("CONS0312")).hasSize(1);
    }

    @Test
    void afterABugBelowItIsNotShownAsAttached() {
        FakeReceiver first = start(OnException.RETRY, OnDecodeError.DROP, Specs.NEVER, String.class);
        awaitState(SubscriptionState.ATTACHED);

        first.breakWith(new IllegalArgumentException("bug"));

        await().until(() -> !logs.lines("CONS0312").isEmpty());
        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.CONNECTING);
    }

    @Test
    void aLinkThatIsRefusedIsTriedAgainWithBackoff() {
        transport.onReceiver = attempt -> {
            if (attempt <= 3) {
                throw FakeTransport.refused("no such address");
            }
        };
        begin(
                OnException.RETRY,
                OnDecodeError.DROP,
                new Backoff(Duration.ofMillis(20), Duration.ofMillis(40), 0),
                String.class);

        awaitSettled(transport.receiver(1).deliver("at last"));

        assertThat(logs.lines("CONS0304"))
                .satisfiesExactly(
                        first -> assertThat(first).contains("'pick'", "try 1, the next in 20 ms", "no such address"),
                        second -> assertThat(second).contains("try 2, the next in 40 ms"),
                        third -> assertThat(third).contains("try 3, the next in 40 ms"));
        assertThat((transport.attachedAt.get(3) - transport.attachedAt.get(0)) / 1_000_000)
                .isGreaterThanOrEqualTo(100);
        assertThat(transport.connections).hasSize(1);
    }

    @Test
    void aLinkThatFlapsBacksOffFurtherAndFurther() {
        transport.onAttached = FakeReceiver::lose;
        begin(
                OnException.RETRY,
                OnDecodeError.DROP,
                new Backoff(Duration.ofMillis(50), Duration.ofMillis(200), 0),
                String.class);

        await().until(() -> logs.lines("CONS0306").size() == 3);

        assertThat(logs.lines("CONS0306"))
                .satisfiesExactly(
                        first -> assertThat(first).contains("again in 50 ms"),
                        second -> assertThat(second).contains("again in 100 ms"),
                        third -> assertThat(third).contains("again in 200 ms"));
    }

    // --- stopping

    @Test
    void atAStopWhatIsInHandAndUntouchedIsReleased() throws Exception {
        FakeReceiver receiver = start();
        receiver.beforeHandingOut = () -> subscription.beginStop();
        FakeDelivery inHand = receiver.deliver("in hand");
        thread.join(10_000);

        assertThat(inHand.written).isEqualTo(Disposition.RELEASED);
        assertThat(handler.payloads).isEmpty();
        assertThat(receiver.events).containsExactly("withdrawn", "RELEASED", "closed");
        assertThat(diagnosis.status().deliveries()).isZero();
        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.STOPPED);
    }

    @Test
    void atAStopTheRunningHandlerSettlesAndTheOthersGoBack() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        handler.method = (payload, delivery) -> {
            pass(gate);
            return HandlerOutcome.drop();
        };
        FakeReceiver receiver = start();
        FakeDelivery running = receiver.deliver("running");
        awaitCalls(1);
        FakeDelivery waiting = receiver.deliver("waiting");

        subscription.beginStop();

        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.STOPPING);
        FakeDelivery late = receiver.deliver("late");
        assertThat(waiting.written).isEqualTo(Disposition.RELEASED);
        assertThat(late.written).isEqualTo(Disposition.RELEASED);
        assertThat(running.settled()).isFalse();
        gate.countDown();
        thread.join(10_000);
        assertThat(running.written).isEqualTo(Disposition.REJECTED);
        assertThat(receiver.events).containsExactly("withdrawn", "REJECTED", "closed");
        assertThat(handler.payloads).containsExactly("running");
    }

    @Test
    void aStopEndsABackoffAtOnce() throws Exception {
        transport.onReceiver = attempt -> {
            throw FakeTransport.refused("no such address");
        };
        begin(OnException.RETRY, OnDecodeError.DROP, Specs.NEVER, String.class);
        await().until(() -> !logs.lines("CONS0304").isEmpty());

        subscription.beginStop();
        thread.join(10_000);

        assertThat(thread.isAlive()).isFalse();
        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.STOPPED);
    }

    @Test
    void aLinkThatIsAttachedJustWhenAStopBeginsIsGivenBack() throws Exception {
        transport.onReceiver = attempt -> subscription.beginStop();
        begin(OnException.RETRY, OnDecodeError.DROP, Specs.AT_ONCE, String.class);
        thread.join(10_000);

        FakeReceiver receiver = transport.receiver(1);
        assertThat(receiver.events).containsExactly("withdrawn", "closed");
        assertThat(receiver.deliver("late").written).isNull();
        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.STOPPED);
        assertThat(handler.payloads).isEmpty();
    }

    @Test
    void aRefusalDuringAStopIsNoLine() throws Exception {
        transport.onReceiver = attempt -> {
            subscription.beginStop();
            throw FakeTransport.refused("no such address");
        };
        begin(OnException.RETRY, OnDecodeError.DROP, Specs.NEVER, String.class);
        thread.join(10_000);

        assertThat(logs.ids()).containsExactly("CONS0302");
    }

    @Test
    void onceAbandonedNothingIsSettled() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        handler.method = (payload, delivery) -> {
            pass(gate);
            return HandlerOutcome.ack();
        };
        FakeReceiver receiver = start();
        FakeDelivery hanging = receiver.deliver("hanging");
        awaitCalls(1);
        subscription.beginStop();

        subscription.abandon();
        gate.countDown();
        thread.join(10_000);

        assertThat(hanging.written).isNull();
        assertThat(hanging.lost).isEqualTo(Disposition.ACCEPTED);
        assertThat(receiver.events).containsExactly("withdrawn", "abandoned", "closed");
    }

    @Test
    void beginningToStopTwiceIsAsGoodAsOnce() throws Exception {
        FakeReceiver receiver = start();
        awaitState(SubscriptionState.ATTACHED);

        subscription.beginStop();
        subscription.beginStop();
        thread.join(10_000);
        subscription.beginStop();

        assertThat(receiver.events).containsExactly("withdrawn", "closed");
        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.STOPPED);
    }
}

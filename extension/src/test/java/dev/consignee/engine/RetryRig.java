package dev.consignee.engine;

import static dev.consignee.engine.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.HandlerOutcome;
import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.SettlementFailed;
import dev.consignee.declaration.AttemptSource;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.declaration.OnStop;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.diagnostics.SubscriptionStatus;
import dev.consignee.engine.FakeReceiver.FakeDelivery;
import dev.consignee.engine.FakeSender.Forwarded;
import dev.consignee.time.Backoff;
import dev.consignee.transport.Address;
import dev.consignee.transport.Disposition;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A subscription with a fake broker, for tests of what it publishes. A payload's first word is the outcome. */
@Timeout(20)
abstract class RetryRig {

    private static final Jsonb JSONB = JsonbBuilder.create();
    static final Address DEAD = new Address(Address.Kind.QUEUE, "dead");
    static final Duration FOREVER = Duration.ofHours(10);

    final FakeTransport transport = new FakeTransport();
    final FakeHandler handler = new FakeHandler((payload, delivery) -> outcome(payload));
    final List<SettlementFailed> failures = new CopyOnWriteArrayList<>();
    final SubscriptionDiagnosis diagnosis = new SubscriptionDiagnosis("pick", "pick-queue", "", SubscriptionState.NEW);
    final Logs logs = new Logs();
    final Brokers brokers = new Brokers();
    Subscription subscription;
    Thread thread;

    static HandlerOutcome outcome(String payload) {
        return switch (payload.split(" ", -1)[0]) {
            case "retry" -> HandlerOutcome.retry();
            case "drop" -> HandlerOutcome.drop();
            case "soon" -> HandlerOutcome.retryAfter(Duration.ofMillis(20));
            case "later" -> HandlerOutcome.retryAfter(FOREVER);
            case "now" -> HandlerOutcome.retryAfter(Duration.ZERO);
            case "throw" -> throw new IllegalStateException(payload);
            default -> HandlerOutcome.ack();
        };
    }

    static RetrySpec capped(int attempts) {
        return spec(OptionalInt.of(attempts), Optional.empty(), DelayedRetry.IN_PROCESS, OnStop.PUBLISH, 10_000);
    }

    static RetrySpec spec(
            OptionalInt maxAttempts,
            Optional<Address> deadLetter,
            DelayedRetry delayed,
            OnStop onStop,
            int maxWaitingCopies) {
        return new RetrySpec(maxAttempts, deadLetter, delayed, onStop, maxWaitingCopies, AttemptSource.HEADER);
    }

    static RetrySpec delayed(DelayedRetry delayed) {
        return spec(OptionalInt.empty(), Optional.empty(), delayed, OnStop.PUBLISH, 10_000);
    }

    static final RetrySpec TO_DEAD =
            spec(OptionalInt.empty(), Optional.of(DEAD), DelayedRetry.IN_PROCESS, OnStop.PUBLISH, 10_000);

    FakeReceiver start(RetrySpec retries) {
        return start(retries, false);
    }

    FakeReceiver start(RetrySpec retries, boolean atMostOnce) {
        begin(retries, atMostOnce, Specs.AT_ONCE);
        return transport.receiver(1);
    }

    void begin(RetrySpec retries, boolean atMostOnce, Backoff backoff) {
        brokers.add(Specs.broker(""), transport, backoff);
        subscribe(Specs.subscription(retries, atMostOnce));
    }

    /** Starts a subscription with another policy for bodies that are no payload. */
    FakeReceiver handlerOnDecodeError(OnDecodeError policy, RetrySpec retries) {
        brokers.add(Specs.broker(""), transport, Specs.AT_ONCE);
        SubscriptionSpec plain = Specs.subscription(retries, false);
        subscribe(new SubscriptionSpec(
                plain.name(),
                plain.broker(),
                plain.receiver(),
                plain.retries(),
                new FailureSpec(OnException.RETRY, policy, Optional.empty(), List.of()),
                plain.payload(),
                true));
        return transport.receiver(1);
    }

    private void subscribe(SubscriptionSpec spec) {
        subscription = new Subscription(
                spec,
                new PayloadDecoder(String.class, JSONB, Codecs.NONE, PayloadCheck.NONE),
                handler,
                brokers.broker(""),
                failures::add,
                diagnosis);
        thread = new Thread(subscription, "consignee-pick");
        thread.start();
    }

    @AfterEach
    void end() throws Exception {
        if (subscription != null && thread.isAlive()) {
            subscription.beginStop();
            subscription.abandon();
            brokers.stopReceiving();
            thread.join(10_000);
            assertThat(thread.isAlive()).as("still running").isFalse();
        }
        brokers.close();
        logs.close();
    }

    void stop() throws InterruptedException {
        subscription.beginStop();
        brokers.stopReceiving();
        thread.join(10_000);
        assertThat(thread.isAlive()).as("still running").isFalse();
    }

    SubscriptionStatus status() {
        return diagnosis.status();
    }

    List<Forwarded> forwarded() {
        return transport.senders.stream()
                .flatMap(each -> each.forwarded.stream())
                .toList();
    }

    static void awaitWritten(FakeDelivery delivery, Disposition disposition) {
        await().until(() -> delivery.written == disposition);
    }

    void senders(FakeSender.ForwardScript script) {
        transport.onSenderAttached = sender -> sender.onForward = script;
    }

    static CompletableFuture<Void> refused() {
        return CompletableFuture.failedFuture(FakeTransport.refused("the broker rejected the message"));
    }

    static CompletableFuture<Void> accepted() {
        return CompletableFuture.completedFuture(null);
    }
}

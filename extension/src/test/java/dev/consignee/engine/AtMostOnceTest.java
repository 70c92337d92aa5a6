package dev.consignee.engine;

import static dev.consignee.engine.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.AckError;
import dev.consignee.HandlerOutcome;
import dev.consignee.engine.FakeReceiver.FakeDelivery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Deliveries that arrive settled. */
class AtMostOnceTest extends RetryRig {

    @Test
    void atMostOnceAnOutcomeIsReportedAndNothingIsSettled() {
        FakeReceiver receiver = start(Specs.NO_RETRIES, true);
        List<FakeDelivery> deliveries =
                Stream.of("ack", "drop", "retry", "ack").map(receiver::deliver).toList();

        deliveries.forEach(each -> await().until(() -> each.ended));

        assertThat(deliveries).noneMatch(FakeDelivery::settled);
        assertThat(status().unsupported()).isEqualTo(4);
        assertThat(failures)
                .hasSize(4)
                .allMatch(each -> each.error() == AckError.UNSUPPORTED
                        && each.subscription().equals("pick"));
        assertThat(logs.lines("CONS0318")).singleElement().asString().contains("'pick'", "UNSUPPORTED");
    }

    @Test
    void atMostOnceAFailureOnlyLogs() {
        FakeReceiver receiver = start(Specs.NO_RETRIES, true);
        FakeDelivery failing = receiver.deliver("throw");

        await().until(() -> failing.ended);

        assertThat(failures).isEmpty();
        assertThat(logs.lines("CONS0307")).hasSize(1);
    }

    @Test
    void atMostOnceACopyIsPublishedAndItsCreditComesBackWithTheConfirmation() {
        CompletableFuture<Void> confirmation = new CompletableFuture<>();
        senders(how -> confirmation);
        FakeReceiver receiver = start(capped(5), true);
        FakeDelivery delivery = receiver.deliver("retry");
        await().until(() -> forwarded().size() == 1);
        assertThat(delivery.ended).isFalse();
        assertThat(status().waitingCopies()).isEqualTo(1);

        confirmation.complete(null);

        await().until(() -> delivery.ended);
        assertThat(status().copies()).isEqualTo(1);
        assertThat(status().waitingCopies()).isZero();
    }

    @Test
    void atMostOnceADelayedCopyCostsNoCreditAndOutlivesTheLink() {
        FakeReceiver receiver = start(Specs.NO_RETRIES, true);
        FakeDelivery delivery = receiver.deliver("soon");
        await().until(() -> delivery.ended);
        receiver.lose();

        await().until(() -> status().copies() == 1);

        assertThat(failures).isEmpty();
    }

    @Test
    void atMostOnceWhatArrivedIsHandledAfterItsLinkIsLost() {
        CountDownLatch gate = new CountDownLatch(1);
        handler.method = (payload, delivery) -> {
            gate.await();
            return HandlerOutcome.ack();
        };
        FakeReceiver first = start(Specs.NO_RETRIES, true);
        List<FakeDelivery> deliveries =
                Stream.of("1", "2", "3").map(first::deliver).toList();
        await().until(() -> handler.payloads.size() == 1);
        first.lose();

        gate.countDown();

        deliveries.forEach(each -> await().until(() -> each.ended));
        assertThat(handler.payloads).containsExactly("1", "2", "3");
        transport.receiver(2);
        assertThat(status().unhandled()).isZero();
    }

    @Test
    void atMostOnceWhatArrivedIsHandledAtAStop() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        handler.method = (payload, delivery) -> {
            gate.await();
            return HandlerOutcome.ack();
        };
        FakeReceiver receiver = start(Specs.NO_RETRIES, true);
        Stream.of("1", "2", "3").forEach(receiver::deliver);
        await().until(() -> handler.payloads.size() == 1);
        subscription.beginStop();

        gate.countDown();
        thread.join(10_000);

        assertThat(handler.payloads).containsExactly("1", "2", "3");
        assertThat(status().unhandled()).isZero();
    }

    @Test
    void atMostOnceWhatIsNotHandledInTimeIsCounted() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        handler.method = (payload, delivery) -> {
            gate.await();
            return HandlerOutcome.ack();
        };
        FakeReceiver receiver = start(Specs.NO_RETRIES, true);
        Stream.of("1", "2", "3").forEach(receiver::deliver);
        await().until(() -> handler.payloads.size() == 1);
        subscription.beginStop();

        subscription.abandon();
        thread.interrupt();
        thread.join(10_000);

        assertThat(handler.payloads).containsExactly("1");
        assertThat(status().unhandled()).isEqualTo(2);
        assertThat(logs.lines("CONS0322")).singleElement().asString().contains("'pick'", "2 deliveries");
    }

    @Test
    void atMostOnceADeadLetterThatOnlyWeHaveIsTriedAcrossLinksAndAtTheEnd() throws Exception {
        AtomicInteger sends = new AtomicInteger();
        senders(how -> sends.incrementAndGet() < 4 ? refused() : accepted());
        FakeReceiver receiver = start(TO_DEAD, true);
        receiver.deliver("retry");
        await().until(() -> sends.get() > 0);
        receiver.lose();

        stop();

        assertThat(status().deadLetters()).isEqualTo(1);
        assertThat(status().lostCopies()).isZero();
    }

    @Test
    void atMostOnceAnOutcomeAfterTheEndIsCountedAsLost() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        handler.method = (payload, delivery) -> {
            boolean waiting = true;
            while (waiting) {
                try {
                    gate.await();
                    waiting = false;
                } catch (InterruptedException e) {
                    waiting = true; // a handler that obeys nobody
                }
            }
            return HandlerOutcome.retryAfter(Duration.ofHours(1));
        };
        FakeReceiver receiver = start(Specs.NO_RETRIES, true);
        receiver.deliver("stubborn");
        await().until(() -> handler.payloads.size() == 1);
        subscription.beginStop();
        subscription.abandon();

        gate.countDown();
        thread.join(10_000);

        assertThat(status().lostCopies()).isEqualTo(1);
        assertThat(status().waitingCopies()).isZero();
    }
}

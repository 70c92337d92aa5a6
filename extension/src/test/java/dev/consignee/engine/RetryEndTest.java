package dev.consignee.engine;

import static dev.consignee.engine.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.declaration.DelayedRetry;
import dev.consignee.declaration.OnStop;
import dev.consignee.engine.FakeReceiver.FakeDelivery;
import dev.consignee.engine.FakeSender.Forwarded;
import dev.consignee.time.Backoff;
import dev.consignee.transport.Disposition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What waits: how much may, and what becomes of it at the end. */
class RetryEndTest extends RetryRig {

    // --- the bound

    @Test
    void noMoreCopiesWaitThanTheBoundAllows() {
        AtomicInteger mostWaiting = new AtomicInteger();
        CompletableFuture<Void> confirmation = new CompletableFuture<>();
        senders(how -> {
            mostWaiting.accumulateAndGet(diagnosis.waitingCopies().get(), Math::max);
            return confirmation;
        });
        FakeReceiver receiver =
                start(spec(OptionalInt.empty(), Optional.empty(), DelayedRetry.IN_PROCESS, OnStop.PUBLISH, 3));
        List<FakeDelivery> deliveries = Stream.of("soon 1", "soon 2", "soon 3", "soon 4", "ack")
                .map(receiver::deliver)
                .toList();
        awaitWritten(deliveries.get(2), Disposition.REJECTED);
        await().until(() -> forwarded().size() == 3);
        assertThat(receiver.mayGrant()).isFalse();

        assertThat(handler.payloads).containsExactly("soon 1", "soon 2", "soon 3");
        assertThat(status().waitingCopies()).isEqualTo(3);
        assertThat(logs.lines("CONS0319")).singleElement().asString().contains("'pick'", "3");
        confirmation.complete(null);

        awaitWritten(deliveries.get(4), Disposition.ACCEPTED);
        assertThat(receiver.events).contains("granted true");
        assertThat(receiver.mayGrant()).isTrue();
        assertThat(mostWaiting).hasValue(3);
    }

    @Test
    void creditThatWasRefusedForWantOfRoomIsGrantedOnceThereIsSome() {
        CompletableFuture<Void> confirmation = new CompletableFuture<>();
        senders(how -> confirmation);
        FakeReceiver first =
                start(spec(OptionalInt.empty(), Optional.empty(), DelayedRetry.IN_PROCESS, OnStop.PUBLISH, 1));
        first.deliver("soon");
        await().until(() -> forwarded().size() == 1);
        first.lose();
        AtomicBoolean granted = new AtomicBoolean(true);
        transport.onAttached = receiver -> granted.set(receiver.mayGrant());
        FakeReceiver second = transport.receiver(2);
        assertThat(granted).as("to a link that is attached anew").isFalse();
        assertThat(second.events).isEmpty();

        confirmation.complete(null);

        await().until(() -> second.events.contains("granted true"));
    }

    @Test
    void aStopEndsTheWaitForRoom() throws Exception {
        FakeReceiver receiver =
                start(spec(OptionalInt.empty(), Optional.empty(), DelayedRetry.IN_PROCESS, OnStop.PUBLISH, 1));
        receiver.deliver("later");
        FakeDelivery next = receiver.deliver("ack");
        await().until(() -> !logs.lines("CONS0319").isEmpty());

        stop();

        assertThat(next.written).isEqualTo(Disposition.RELEASED);
        assertThat(status().copies()).isEqualTo(1);
    }

    @Test
    void aLostLinkEndsTheWaitForRoom() {
        FakeReceiver receiver =
                start(spec(OptionalInt.empty(), Optional.empty(), DelayedRetry.IN_PROCESS, OnStop.PUBLISH, 1));
        receiver.deliver("later");
        await().until(() -> !logs.lines("CONS0319").isEmpty());

        receiver.lose();

        transport.receiver(2);
    }

    @Test
    void tenThousandCopiesWaitWithoutAThreadEach() {
        FakeReceiver receiver = start(Specs.NO_RETRIES);
        int before = Thread.activeCount();
        IntStream.range(0, 10_000).forEach(number -> receiver.deliver("later " + number));

        await().until(() -> status().waitingCopies() == 10_000);

        assertThat(Thread.activeCount()).isLessThanOrEqualTo(before + 2);
    }

    // --- the end

    @Test
    void atAStopWhatWaitsIsPublishedEarlyBeforeTheConnectionCloses() throws Exception {
        FakeReceiver receiver = start(Specs.NO_RETRIES);
        awaitWritten(receiver.deliver("later 1"), Disposition.REJECTED);
        awaitWritten(receiver.deliver("later 2"), Disposition.REJECTED);

        stop();

        assertThat(forwarded()).extracting(Forwarded::text).containsExactlyInAnyOrder("later 1", "later 2");
        assertThat(status().copies()).isEqualTo(2);
        assertThat(status().lostCopies()).isZero();
    }

    @Test
    void atAStopWhatWaitsIsTriedForAsLongAsThereIsTime() throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        FakeReceiver receiver = start(Specs.NO_RETRIES);
        transport.onSender = attempt -> {
            if (refusals.incrementAndGet() <= 5) {
                throw FakeTransport.refused("not yet");
            }
        };
        awaitWritten(receiver.deliver("later"), Disposition.REJECTED);

        stop();

        assertThat(refusals).hasValue(6);
        assertThat(status().copies()).isEqualTo(1);
    }

    @Test
    void atAStopWhatWaitsIsDiscardedWhereSoConfigured() throws Exception {
        FakeReceiver receiver =
                start(spec(OptionalInt.empty(), Optional.empty(), DelayedRetry.IN_PROCESS, OnStop.DISCARD, 10));
        awaitWritten(receiver.deliver("later"), Disposition.REJECTED);

        stop();

        assertThat(forwarded()).isEmpty();
        assertThat(status().lostCopies()).isEqualTo(1);
        assertThat(logs.lines("CONS0321")).hasSize(1);
        assertThat(logs.lines("CONS0320")).isEmpty();
    }

    @Test
    void whatCannotBePublishedInTimeIsCountedAsLost() throws Exception {
        FakeReceiver receiver = start(Specs.NO_RETRIES);
        transport.onSender = attempt -> {
            throw FakeTransport.refused("never");
        };
        awaitWritten(receiver.deliver("later 1"), Disposition.REJECTED);
        awaitWritten(receiver.deliver("later 2"), Disposition.REJECTED);
        subscription.beginStop();
        await().until(() -> !logs.lines("CONS0315").isEmpty());

        subscription.abandon();
        thread.interrupt();
        thread.join(10_000);

        assertThat(thread.isAlive()).isFalse();
        assertThat(status().lostCopies()).isEqualTo(2);
        assertThat(status().waitingCopies()).isZero();
        assertThat(logs.lines("CONS0320")).singleElement().asString().contains("'pick'", "2 copies");
    }

    @Test
    void atAStopACopyUnderWayIsAwaitedAndItsOriginalSettled() throws Exception {
        CompletableFuture<Void> confirmation = new CompletableFuture<>();
        senders(how -> confirmation);
        FakeReceiver receiver = start(capped(5));
        FakeDelivery delivery = receiver.deliver("retry");
        await().until(() -> forwarded().size() == 1);

        subscription.beginStop();
        await().until(() -> receiver.events.contains("withdrawn"));
        assertThat(receiver.closed()).isFalse();
        confirmation.complete(null);
        thread.join(10_000);

        assertThat(receiver.events).containsExactly("withdrawn", "ACCEPTED", "closed");
        assertThat(delivery.written).isEqualTo(Disposition.ACCEPTED);
    }

    @Test
    void atAStopWhatWaitsForTheBrokersCreditGoesBackUnsettled() throws Exception {
        transport.onSenderAttached = sender -> sender.credit = false;
        FakeReceiver receiver = start(capped(5));
        FakeDelivery delivery = receiver.deliver("retry");
        await().until(() ->
                !transport.senders.isEmpty() && !transport.sender(1).waiting.isEmpty());

        stop();

        assertThat(delivery.settled()).isFalse();
        assertThat(transport.sender(1).waiting).allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void atAStopWhatIsRefusedGoesBackUnsettled() throws Exception {
        senders(how -> refused());
        FakeReceiver receiver = start(capped(5));
        FakeDelivery delivery = receiver.deliver("retry");
        await().until(() -> !logs.lines("CONS0316").isEmpty());

        stop();

        assertThat(delivery.settled()).isFalse();
        assertThat(receiver.closed()).isTrue();
        assertThat(status().lostCopies()).isZero();
    }

    @Test
    void atAStopWhatCannotBeReachedGoesBackUnsettled() throws Exception {
        transport.onSender = attempt -> {
            throw FakeTransport.refused("never");
        };
        begin(capped(5), false, new Backoff(Duration.ofHours(1), Duration.ofHours(1), 0));
        FakeReceiver receiver = transport.receiver(1);
        FakeDelivery delivery = receiver.deliver("retry");
        await().until(() -> !logs.lines("CONS0315").isEmpty());

        stop();

        assertThat(delivery.settled()).isFalse();
    }

    @Test
    void atAStopAHeldDeliveryIsModifiedEarly() throws Exception {
        FakeReceiver receiver = start(delayed(DelayedRetry.HOLD));
        FakeDelivery held = receiver.deliver("later");
        awaitWritten(receiver.deliver("ack"), Disposition.ACCEPTED);

        stop();

        assertThat(held.written).isEqualTo(Disposition.MODIFIED_FAILED);
        assertThat(receiver.events).containsExactly("ACCEPTED", "withdrawn", "MODIFIED_FAILED", "closed");
    }

    @Test
    void whatARunningHandlerAsksForAtAStopIsStillPublished() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        handler.method = (payload, delivery) -> {
            gate.await();
            Thread.currentThread().interrupt(); // an interrupt that is left behind must not cut the end short
            return outcome(payload);
        };
        FakeReceiver receiver = start(capped(5));
        FakeDelivery running = receiver.deliver("later");
        await().until(() -> handler.payloads.size() == 1);
        subscription.beginStop();

        gate.countDown();
        thread.join(10_000);

        assertThat(running.written).isEqualTo(Disposition.REJECTED);
        assertThat(status().copies()).isEqualTo(1);
        assertThat(status().lostCopies()).isZero();
    }
}

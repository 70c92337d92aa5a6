package dev.consignee.engine;

import static dev.consignee.engine.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.AckError;
import dev.consignee.HandlerOutcome;
import dev.consignee.OnDecodeError;
import dev.consignee.SettlementFailed;
import dev.consignee.declaration.BrokerProfile;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.engine.FakeReceiver.FakeDelivery;
import dev.consignee.engine.FakeSender.Forwarded;
import dev.consignee.time.Backoff;
import dev.consignee.transport.Disposition;
import dev.consignee.transport.Forwarding;
import dev.consignee.transport.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plans that publish or wait: what happens between their steps, with a broker that refuses, goes, or is slow. */
class RetryTest extends RetryRig {

    // --- confirmed first

    @Test
    void aCopyIsConfirmedBeforeItsOriginalIsAccepted() {
        CompletableFuture<Void> confirmation = new CompletableFuture<>();
        senders(how -> confirmation);
        FakeReceiver receiver = start(capped(5));
        FakeDelivery delivery = receiver.deliver("retry");
        await().until(() -> forwarded().size() == 1);
        FakeDelivery next = receiver.deliver("ack");
        awaitWritten(next, Disposition.ACCEPTED);
        assertThat(delivery.settled()).isFalse();

        confirmation.complete(null);

        awaitWritten(delivery, Disposition.ACCEPTED);
        assertThat(forwarded()).singleElement().satisfies(copy -> {
            assertThat(copy.text()).isEqualTo("retry");
            assertThat(copy.how()).isInstanceOfSatisfying(Forwarding.Copy.class, how -> {
                assertThat(how.retryCount()).isEqualTo(1);
                assertThat(how.deliveryTime()).isEmpty();
            });
        });
        assertThat(transport.sender(1).target).isEqualTo(receiver.spec.source());
        assertThat(status().copies()).isEqualTo(1);
        assertThat(status().waitingCopies()).isZero();
    }

    @Test
    void aCopyCarriesTheAttemptOfWhatItCopies() {
        FakeReceiver receiver = start(capped(10));
        Message text = Messages.text("retry");
        Message copy = new Message(
                text.header(), Map.of(), text.properties(), Map.of(Forwarding.RETRY_COUNT, "3"), text.body());

        awaitWritten(receiver.deliver(copy), Disposition.ACCEPTED);

        assertThat(handler.deliveries.get(0).attempt()).isEqualTo(4);
        assertThat(((Forwarding.Copy) forwarded().get(0).how()).retryCount()).isEqualTo(4);
    }

    @Test
    void whatTheBrokerRefusesIsTriedAgainAsTheSameCopyAndSettledOnce() {
        AtomicInteger tries = new AtomicInteger();
        senders(how -> tries.incrementAndGet() <= 3 ? refused() : accepted());
        FakeReceiver receiver = start(capped(5));

        awaitWritten(receiver.deliver("retry"), Disposition.ACCEPTED);

        assertThat(forwarded())
                .extracting(Forwarded::how)
                .hasSize(4)
                .containsOnly(forwarded().get(0).how());
        assertThat(receiver.events).containsExactly("ACCEPTED");
        assertThat(logs.lines("CONS0316")).singleElement().asString().contains("'pick'", "pick-queue", "rejected");
    }

    @Test
    void anAddressThatCannotBeReachedIsTriedWithOneMessageAndBackoff() {
        AtomicInteger refusals = new AtomicInteger();
        transport.onSender = attempt -> {
            if (refusals.incrementAndGet() <= 3) {
                throw FakeTransport.refused("no such address");
            }
        };
        begin(capped(5), false, new Backoff(Duration.ofMillis(30), Duration.ofMillis(60), 0));
        FakeReceiver receiver = transport.receiver(1);
        List<FakeDelivery> deliveries = IntStream.range(0, 8)
                .mapToObj(number -> receiver.deliver("retry " + number))
                .toList();

        deliveries.forEach(each -> awaitWritten(each, Disposition.ACCEPTED));

        assertThat(refusals).as("three tries failed, for eight messages").hasValue(4);
        assertThat(logs.lines("CONS0315"))
                .satisfiesExactly(
                        first -> assertThat(first).contains("'pick'", "try 1, the next in 30 ms", "no such address"),
                        second -> assertThat(second).contains("try 2, the next in 60 ms", "8 waiting"),
                        third -> assertThat(third).contains("try 3, the next in 60 ms"));
        assertThat(forwarded()).hasSize(8);
    }

    @Test
    void aMessageThatTheBrokerNeverTakesStopsNoOther() {
        transport.onSenderAttached = sender -> sender.onForward = how ->
                sender.forwarded.get(sender.forwarded.size() - 1).text().contains("poison") ? refused() : accepted();
        FakeReceiver receiver = start(TO_DEAD);
        FakeDelivery poison = receiver.deliver("retry poison");
        await().until(() -> !forwarded().isEmpty());

        for (int i = 0; i < 20; i++) {
            awaitWritten(receiver.deliver("retry " + i), Disposition.ACCEPTED);
        }

        assertThat(poison.settled()).isFalse();
        assertThat(status().deadLetters()).isEqualTo(20);
    }

    @Test
    void aConnectionThatGoesWhileACopyIsUnconfirmedCostsATry() {
        AtomicInteger sends = new AtomicInteger();
        CompletableFuture<Void> hanging = new CompletableFuture<>();
        senders(how -> sends.incrementAndGet() == 1 ? hanging : accepted());
        FakeReceiver receiver = start(capped(5));
        FakeDelivery delivery = receiver.deliver("retry");
        await().until(() -> forwarded().size() == 1);

        transport.sender(1).connection.lose();
        hanging.completeExceptionally(FakeTransport.refused("the connection is gone"));

        awaitWritten(delivery, Disposition.ACCEPTED);
        assertThat(transport.senders).hasSize(2);
        assertThat(forwarded()).hasSize(2);
    }

    @Test
    void whenTheLinkGoesWhatIsNotPublishedYetIsNot() {
        AtomicInteger refusals = new AtomicInteger();
        transport.onSender = attempt -> {
            refusals.incrementAndGet();
            throw FakeTransport.refused("not yet");
        };
        begin(capped(5), false, new Backoff(Duration.ofMillis(50), Duration.ofMillis(50), 0));
        FakeReceiver receiver = transport.receiver(1);
        FakeDelivery delivery = receiver.deliver("retry");
        await().until(() -> refusals.get() == 1);

        receiver.lose();

        await().until(() -> status().linkLost() == 1);
        transport.onSender = attempt -> {};
        awaitWritten(transport.receiver(2).deliver("retry again"), Disposition.ACCEPTED);
        assertThat(delivery.settled()).isFalse();
        assertThat(forwarded()).extracting(Forwarded::text).containsExactly("retry again");
        assertThat(failures).extracting(SettlementFailed::error).containsExactly(AckError.LINK_LOST);
    }

    @Test
    void aMessageThatCostsTheLinkEachTimeStopsNoOther() {
        transport.onSenderAttached = sender -> sender.onForward = how -> {
            if (sender.forwarded.get(sender.forwarded.size() - 1).text().contains("poison")) {
                sender.detach();
                return CompletableFuture.failedFuture(FakeTransport.refused("the message is too large"));
            }
            return accepted();
        };
        FakeReceiver receiver = start(capped(5));
        FakeDelivery poison = receiver.deliver("retry poison");
        await().until(() -> forwarded().size() > 3);

        for (int i = 0; i < 10; i++) {
            awaitWritten(receiver.deliver("retry " + i), Disposition.ACCEPTED);
        }

        assertThat(poison.settled()).isFalse();
    }

    @Test
    void thoseUnderWayWithWhatCostsTheLinkAreSentAgain() {
        CompletableFuture<Void> first = new CompletableFuture<>();
        transport.onSenderAttached = sender -> sender.onForward = how -> {
            String text = sender.forwarded.get(sender.forwarded.size() - 1).text();
            if (text.contains("poison")) {
                sender.detach();
                first.completeExceptionally(FakeTransport.refused("the link is gone"));
                return CompletableFuture.failedFuture(FakeTransport.refused("the message is too large"));
            }
            return first.isDone() ? accepted() : first;
        };
        FakeReceiver receiver = start(capped(5));
        FakeDelivery before = receiver.deliver("retry before");
        await().until(() -> forwarded().size() == 1);
        FakeDelivery poison = receiver.deliver("retry poison");
        FakeDelivery after = receiver.deliver("retry after");

        awaitWritten(before, Disposition.ACCEPTED);
        awaitWritten(after, Disposition.ACCEPTED);
        assertThat(poison.settled()).isFalse();
    }

    @Test
    void anAddressWhoseLinkGoesAtOnceIsTriedWithBackoff() {
        transport.onSenderAttached = FakeSender::detach;
        begin(capped(5), false, Specs.NEVER);
        transport.receiver(1).deliver("retry");

        await().until(() -> !logs.lines("CONS0315").isEmpty());

        assertThat(transport.senders).hasSize(1);
        assertThat(logs.lines("CONS0315")).singleElement().asString().contains("'pick'", "went at once");
    }

    @Test
    void anErrorWhileItIsSentCostsATryAndNothingElse() {
        AtomicInteger sends = new AtomicInteger();
        senders(how -> {
            if (sends.incrementAndGet() == 1) {
                throw new OutOfMemoryError("by a test");
            }
            return accepted();
        });
        FakeReceiver receiver = start(capped(5));

        awaitWritten(receiver.deliver("retry"), Disposition.ACCEPTED);

        assertThat(forwarded()).hasSize(2);
    }

    @Test
    void whenTheLinkGoesWhatWaitsForTheBrokersCreditIsTakenBack() {
        transport.onSenderAttached = sender -> sender.credit = false;
        FakeReceiver receiver = start(capped(5));
        FakeDelivery delivery = receiver.deliver("retry");
        await().until(() ->
                !transport.senders.isEmpty() && !transport.sender(1).waiting.isEmpty());

        receiver.lose();

        await().until(() -> transport.sender(1).waiting.get(0).isCancelled());
        await().until(() -> status().linkLost() == 1);
        assertThat(delivery.settled()).isFalse();
    }

    @Test
    void whenTheSubscriptionGivesItsLinkUpWhatIsNotPublishedYetIsNot() {
        AtomicInteger refusals = new AtomicInteger();
        transport.onSender = attempt -> {
            refusals.incrementAndGet();
            throw FakeTransport.refused("not yet");
        };
        begin(capped(5), false, new Backoff(Duration.ofMillis(50), Duration.ofMillis(50), 0));
        FakeReceiver receiver = transport.receiver(1);
        receiver.deliver("retry");
        await().until(() -> refusals.get() == 1);

        receiver.breakWith(new IllegalStateException("a bug"));

        await().until(() -> status().linkLost() == 1);
        transport.onSender = attempt -> {};
        awaitWritten(transport.receiver(2).deliver("retry again"), Disposition.ACCEPTED);
        assertThat(forwarded()).extracting(Forwarded::text).containsExactly("retry again");
    }

    @Test
    void anUnreadableMessageUnderACapIsGivenUp() {
        handlerOnDecodeError(OnDecodeError.RETRY, capped(3));
        FakeDelivery garbage = transport.receiver(1).deliverGarbage();

        awaitWritten(garbage, Disposition.REJECTED);

        assertThat(logs.lines("CONS0317")).hasSize(1);
    }

    // --- dead letters

    @Test
    void theSendersForDeadLettersAreAttachedBeforeAnythingIsReceived() {
        AtomicInteger refusals = new AtomicInteger();
        transport.onSender = attempt -> {
            if (refusals.incrementAndGet() <= 2) {
                throw FakeTransport.refused("no such address: dead");
            }
        };

        FakeReceiver receiver = start(TO_DEAD);

        assertThat(logs.lines("CONS0304")).hasSize(2).allMatch(line -> line.contains("no such address: dead"));
        assertThat(transport.attachedAt).as("receivers").hasSize(1);
        assertThat(transport.sender(1).target).isEqualTo(DEAD);
        awaitWritten(receiver.deliver("retry"), Disposition.ACCEPTED);
        assertThat(transport.sender(1).forwarded)
                .extracting(Forwarded::how)
                .containsExactly(new Forwarding.DeadLetter());
        assertThat(status().deadLetters()).isEqualTo(1);
        assertThat(status().copies()).isZero();
    }

    @Test
    void atTheCapWithoutADeadLetterAddressItIsRejectedWithAWarning() {
        FakeReceiver receiver = start(capped(1));

        awaitWritten(receiver.deliver("retry"), Disposition.REJECTED);
        awaitWritten(receiver.deliver("soon"), Disposition.REJECTED);

        assertThat(logs.lines("CONS0317")).singleElement().asString().contains("'pick'");
        assertThat(transport.senders).isEmpty();
    }

    @Test
    void whatWasNotKeptIsRejectedInstead() {
        FakeReceiver receiver = start(TO_DEAD);
        CountDownLatch gate = new CountDownLatch(1);
        handler.method = (payload, delivery) -> {
            gate.await();
            return HandlerOutcome.retry();
        };
        FakeDelivery delivery = receiver.deliver("too large");
        delivery.kept = false;
        gate.countDown();

        awaitWritten(delivery, Disposition.REJECTED);

        assertThat(logs.lines("CONS0324")).hasSize(1);
        assertThat(forwarded()).isEmpty();
    }

    // --- delays

    @Test
    void aDelayedRetryIsRejectedAtOnceAndCopiedLater() {
        FakeReceiver receiver = start(Specs.NO_RETRIES);
        long begin = System.nanoTime();

        awaitWritten(receiver.deliver("soon"), Disposition.REJECTED);
        await().until(() -> status().copies() == 1);

        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(20_000_000L);
        assertThat(status().waitingCopies()).isZero();
        assertThat(((Forwarding.Copy) forwarded().get(0).how()).deliveryTime()).isEmpty();
    }

    @Test
    void withoutItsRejectionThereIsNoCopy() {
        FakeReceiver first = start(Specs.NO_RETRIES);
        first.beforeHandingOut = first::lose;
        FakeDelivery delivery = first.deliver("later");

        await().until(() -> delivery.lost == Disposition.REJECTED);

        assertThat(status().waitingCopies()).isZero();
        assertThat(failures).extracting(SettlementFailed::error).containsExactly(AckError.LINK_LOST);
    }

    @Test
    void aCopyThatWaitsOutlivesItsLink() {
        FakeReceiver first = start(Specs.NO_RETRIES);
        awaitWritten(first.deliver("soon"), Disposition.REJECTED);
        first.lose();

        await().until(() -> status().copies() == 1);
    }

    @Test
    void aCopyThatIsDueIsTriedUntilItSucceeds() {
        AtomicInteger sends = new AtomicInteger();
        senders(how -> sends.incrementAndGet() < 5 ? refused() : accepted());
        FakeReceiver receiver = start(Specs.NO_RETRIES);

        receiver.deliver("soon");

        await().until(() -> status().copies() == 1);
        assertThat(sends).hasValue(5);
        assertThat(status().lostCopies()).isZero();
    }

    @Test
    void theBrokerHoldsACopyBackWhereItOffersTo() {
        FakeReceiver receiver = start(delayed(DelayedRetry.BROKER));
        Instant before = Instant.now();

        awaitWritten(receiver.deliver("later"), Disposition.ACCEPTED);

        assertThat(forwarded())
                .singleElement()
                .satisfies(copy -> assertThat(copy.how())
                        .isInstanceOfSatisfying(
                                Forwarding.Copy.class,
                                how -> assertThat(how.deliveryTime().orElseThrow())
                                        .isBetween(
                                                before.plus(FOREVER),
                                                Instant.now().plus(FOREVER))));
        assertThat(status().waitingCopies()).isZero();
    }

    @Test
    void aBrokerThatOffersNoDelayIsAReasonNotToStart() {
        transport.onSenderAttached = sender -> sender.offersDelay = false;
        begin(delayed(DelayedRetry.BROKER), false, Specs.NEVER);

        await().until(() -> !logs.lines("CONS0314").isEmpty());

        assertThat(logs.lines("CONS0314"))
                .singleElement()
                .asString()
                .contains("'pick'", "does not offer delayed delivery", "pick-queue");
        assertThat(transport.receivers).isEmpty();
        assertThat(diagnosis.state()).isEqualTo(SubscriptionState.CONNECTING);
    }

    @Test
    void aBrokerThatRedeliversWhatIsRejectedIsAReasonNotToStart() {
        transport.profile = BrokerProfile.BROKER_J;
        begin(delayed(DelayedRetry.IN_PROCESS), false, Specs.NEVER);

        await().until(() -> !logs.lines("CONS0314").isEmpty());

        assertThat(logs.lines("CONS0314")).singleElement().asString().contains("'pick'", "hold", "broker");
        assertThat(transport.receivers).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(value = DelayedRetry.class, names = "IN_PROCESS", mode = EnumSource.Mode.EXCLUDE)
    void suchABrokerServesTheOtherWays(DelayedRetry way) {
        transport.profile = BrokerProfile.BROKER_J;

        start(delayed(way));

        assertThat(logs.lines("CONS0314")).isEmpty();
    }

    @Test
    void suchABrokerServesAtMostOnceToo() {
        transport.profile = BrokerProfile.BROKER_J;

        start(delayed(DelayedRetry.IN_PROCESS), true);

        assertThat(logs.lines("CONS0314")).isEmpty();
    }

    @Test
    void aDeliveryThatIsHeldIsModifiedWhenItsTimeIsOver() {
        FakeReceiver receiver = start(delayed(DelayedRetry.HOLD));
        FakeDelivery held = receiver.deliver("later");
        FakeDelivery brief = receiver.deliver("soon");

        awaitWritten(brief, Disposition.MODIFIED_FAILED);

        assertThat(held.settled()).isFalse();
        assertThat(transport.senders).isEmpty();
    }

    @Test
    void aDeliveryThatIsHeldIsLostWithItsLinkAtOnce() {
        FakeReceiver first = start(delayed(DelayedRetry.HOLD));
        FakeDelivery held = first.deliver("later");
        awaitWritten(first.deliver("ack"), Disposition.ACCEPTED);

        first.lose();

        await().until(() -> held.lost == Disposition.MODIFIED_FAILED);
        assertThat(status().linkLost()).isEqualTo(1);
    }
}

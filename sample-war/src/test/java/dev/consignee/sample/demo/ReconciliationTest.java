package dev.consignee.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.sample.demo.Tally.Forwarded;
import dev.consignee.sample.demo.Tally.Settled;
import dev.consignee.sample.demo.Tally.Troubles;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReconciliationTest {

    private static final int PUBLISHED = 10;

    // 5 good, 2 empty, 1 undecodable; 2 out of stock, one of which the broker counts, while the other one is copied
    private static final Tally PICK =
            new Tally(Declared.PICK, 18, new Settled(11, 4, 3), new Forwarded(4, 2, 0, 0), new Troubles(1, 0, 0, 0, 0));
    private static final QueueCount PICK_COUNT = new QueueCount(14, 18, 11, 3, 3, 0, 10);
    private static final QueueCount PICK_DEAD_LETTERS = new QueueCount(2, 0, 0, 0, 0, 2, 10);

    // 8 at once, 2 after a while
    private static final Tally RESTOCK = new Tally(
            Declared.RESTOCK, 12, new Settled(10, 0, 2), new Forwarded(2, 0, 0, 0), new Troubles(0, 0, 0, 0, 0));
    private static final QueueCount RESTOCK_COUNT = new QueueCount(12, 12, 10, 2, 2, 0, 10);

    // 8 at once, 1 undecodable, 1 that failed until the broker gave it up
    private static final Tally UNCAPPED = new Tally(
            Declared.RESTOCK, 19, new Settled(8, 10, 1), new Forwarded(0, 0, 0, 0), new Troubles(1, 0, 0, 0, 0));
    private static final QueueCount UNCAPPED_COUNT = new QueueCount(10, 19, 8, 2, 2, 0, 10);

    private static final Tally LOG_PICK = new Tally(
            Declared.LOG_PICK, 10, new Settled(0, 0, 0), new Forwarded(0, 0, 0, 0), new Troubles(0, 0, 0, 0, 0));
    private static final QueueCount LOG_PICK_COUNT = new QueueCount(10, 10, 10, 0, 0, 0, 10);

    // --- what agrees

    @Test
    void numbersThatAgreeSayNothing() {
        assertThat(pick(PICK, PICK_COUNT)).isEmpty();
        assertThat(mismatches(RESTOCK, RESTOCK_COUNT)).isEmpty();
        assertThat(mismatches(UNCAPPED, UNCAPPED_COUNT)).isEmpty();
        assertThat(mismatches(LOG_PICK, LOG_PICK_COUNT)).isEmpty();
    }

    @Test
    void handlerThatFailedMayHaveAskedForTheMessageAgain() {
        Troubles failures = new Troubles(1, 2, 0, 0, 0);

        assertThat(mismatches(
                        with(with(UNCAPPED, 21, new Settled(8, 12, 1)), failures),
                        new QueueCount(10, 21, 8, 2, 2, 0, 10)))
                .isEmpty();
        assertThat(pick(
                        with(with(with(PICK, 20, new Settled(12, 5, 3)), new Forwarded(5, 2, 0, 0)), failures),
                        new QueueCount(15, 20, 12, 3, 3, 0, 10)))
                .isEmpty();
    }

    @Test
    void messagesOfEarlierDaysAreAccountedFor() {
        QueueCount earlier = new QueueCount(100, 0, 80, 15, 15, 5, 10);
        QueueCount now = new QueueCount(114, 23, 96, 18, 18, 0, 10);
        QueueCount earlierDeadLetters = new QueueCount(7, 0, 0, 0, 0, 7, 10);
        QueueCount deadLettersNow = new QueueCount(9, 0, 0, 0, 0, 9, 10);
        Tally tally = with(PICK, 23, new Settled(16, 4, 3));

        assertThat(Reconciliation.mismatches(
                        new Line(tally, Optional.of(now.since(earlier)), deadLettersNow.since(earlierDeadLetters)),
                        5,
                        PUBLISHED))
                .isEmpty();
    }

    // --- deliveries and dispositions

    @Test
    void deliveryWithoutDispositionIsSeen() {
        assertThat(pick(with(PICK, 19, PICK.settled()), new QueueCount(14, 19, 11, 3, 3, 0, 10)))
                .containsExactly("pick: 19 deliveries, but 18 settled ones");
    }

    @Test
    void outcomeLostWithItsLinkIsSeen() {
        assertThat(pick(with(PICK, new Troubles(1, 0, 1, 0, 0)), PICK_COUNT))
                .containsExactly("pick: 1 outcomes lost with their link, but 0 are due");
    }

    @Test
    void messageThatNeverReachedTheQueueIsSeen() {
        assertThat(Reconciliation.mismatches(
                        new Line(PICK, Optional.of(PICK_COUNT), PICK_DEAD_LETTERS), 0, PUBLISHED + 1))
                .containsExactly("pick: 15 messages and copies published, but 14 put into the queue");
    }

    @Test
    void attemptThatTheExtensionMissedIsSeen() {
        assertThat(pick(PICK, new QueueCount(14, 19, 11, 3, 3, 0, 10)))
                .containsExactly("pick: 18 deliveries, but 19 attempts by the broker");
    }

    @Test
    void acceptedThatTheBrokerDidNotTakeAsSuchIsSeen() {
        assertThat(pick(PICK, new QueueCount(14, 18, 10, 3, 3, 1, 10)))
                .containsExactly(
                        "pick: 11 accepted, but 10 acknowledged at the broker",
                        "pick: 14 messages to account for, but 15 ended, in the broker's DLQ and left");
    }

    @Test
    void lostMessageIsSeen() {
        assertThat(pick(PICK, new QueueCount(14, 18, 11, 3, 2, 0, 10)))
                .contains(
                        "pick: 3 messages given up by the broker, but 2 in its DLQ",
                        "pick: 14 messages to account for, but 13 ended, in the broker's DLQ and left",
                        "pick: 3 rejected, but at most 2 are in the broker's DLQ");
    }

    @Test
    void rejectedCountedAsModifiedIsSeen() {
        assertThat(mismatches(with(UNCAPPED, 19, new Settled(8, 11, 0)), UNCAPPED_COUNT))
                .contains("restock: 11 modified, but at least 20 were spent on dead letters");
        assertThat(pick(with(PICK, 18, new Settled(11, 5, 2)), PICK_COUNT))
                .containsExactly("pick: 9 modified and copies, but at least 18 were spent on dead letters");
    }

    @Test
    void modifiedCountedAsRejectedIsSeen() {
        assertThat(mismatches(with(UNCAPPED, 19, new Settled(8, 9, 2)), UNCAPPED_COUNT))
                .containsExactly("restock: 9 modified, but at most 0 were spent on dead letters and failures");
        assertThat(pick(with(PICK, 18, new Settled(11, 3, 4)), PICK_COUNT))
                .containsExactly(
                        "pick: 4 rejected, but at most 3 are in the broker's DLQ",
                        "pick: 7 modified and copies, but at least 8 were spent on dead letters");
    }

    @Test
    void undecodableAreRejected() {
        assertThat(pick(with(PICK, new Troubles(4, 0, 0, 0, 0)), PICK_COUNT))
                .containsExactly("pick: 4 undecodable, but at most 3 were rejected");
    }

    // --- copies and dead letters

    @Test
    void copyThatNeverReachedTheQueueIsSeen() {
        assertThat(pick(with(PICK, new Forwarded(5, 2, 0, 0)), PICK_COUNT))
                .containsExactly(
                        "pick: 15 messages and copies published, but 14 put into the queue",
                        "pick: 9 modified and copies, but at most 8 were spent on dead letters and failures");
    }

    @Test
    void copyThatNobodyCountedIsSeen() {
        assertThat(pick(with(PICK, new Forwarded(3, 2, 0, 0)), PICK_COUNT))
                .containsExactly(
                        "pick: 13 messages and copies published, but 14 put into the queue",
                        "pick: 7 modified and copies, but at least 8 were spent on dead letters");
    }

    @Test
    void deadLetterThatNeverArrivedIsSeen() {
        assertThat(mismatches(PICK, PICK_COUNT, new QueueCount(1, 0, 0, 0, 0, 1, 10)))
                .containsExactly("pick: 2 dead letters, but 1 put into the dead-letter queue");
    }

    @Test
    void deadLetterWithoutADeadLetterQueueIsSeen() {
        assertThat(mismatches(with(RESTOCK, new Forwarded(2, 1, 0, 0)), RESTOCK_COUNT))
                .containsExactly("restock: 1 dead letters, but 0 put into the dead-letter queue");
    }

    @Test
    void deadLetterBeforeItsLastAttemptIsSeen() {
        assertThat(pick(with(PICK, 17, new Settled(11, 3, 3)), new QueueCount(14, 17, 11, 3, 3, 0, 10)))
                .containsExactly("pick: 7 modified and copies, but at least 8 were spent on dead letters");
    }

    @Test
    void attemptBeyondTheCapIsSeen() {
        assertThat(pick(with(PICK, 19, new Settled(11, 5, 3)), new QueueCount(14, 19, 11, 3, 3, 0, 10)))
                .containsExactly("pick: 9 modified and copies, but at most 8 were spent on dead letters and failures");
    }

    @Test
    void copyAfterAWhileWhoseOriginalWasNotRejectedIsSeen() {
        assertThat(mismatches(with(RESTOCK, 12, new Settled(11, 0, 1)), new QueueCount(12, 12, 11, 1, 1, 0, 10)))
                .containsExactly("restock: 2 copies, but at most 1 decodable ones were rejected");
    }

    @Test
    void rejectedOriginalThatIsInNoDlqIsSeen() {
        assertThat(mismatches(RESTOCK, new QueueCount(12, 12, 10, 1, 1, 0, 10)))
                .containsExactly(
                        "restock: 12 messages to account for, but 11 ended, in the broker's DLQ and left",
                        "restock: 2 rejected, but at most 1 are in the broker's DLQ");
    }

    @Test
    void copyThatStillWaitsIsSeen() {
        assertThat(mismatches(with(RESTOCK, new Forwarded(2, 0, 1, 0)), RESTOCK_COUNT))
                .containsExactly("restock: 1 copies that still wait, but 0 are due");
    }

    @Test
    void lostCopyIsSeen() {
        assertThat(mismatches(with(RESTOCK, new Forwarded(2, 0, 0, 1)), RESTOCK_COUNT))
                .containsExactly("restock: 1 copies that were lost, but 0 are due");
    }

    // --- at most once

    @Test
    void deliveryAtMostOnceThatWasSettledIsSeen() {
        assertThat(mismatches(with(LOG_PICK, 10, new Settled(1, 0, 0)), LOG_PICK_COUNT))
                .containsExactly("log-pick: 1 dispositions, but 0 are due");
    }

    @Test
    void messageHandedOverAndNeverHandledIsSeen() {
        assertThat(mismatches(with(LOG_PICK, 9, LOG_PICK.settled()), LOG_PICK_COUNT))
                .containsExactly(
                        "log-pick: 9 deliveries, but 10 attempts by the broker",
                        "log-pick: 9 deliveries handled, but 10 handed over for good by the broker",
                        "log-pick: 10 messages to account for, but 9 ended, in the broker's DLQ and left");
        assertThat(mismatches(with(LOG_PICK, new Troubles(0, 0, 0, 0, 1)), LOG_PICK_COUNT))
                .containsExactly("log-pick: 1 settled deliveries that were not handled, but 0 are due");
    }

    @Test
    void messageHandledTwiceIsSeen() {
        assertThat(mismatches(with(LOG_PICK, 11, LOG_PICK.settled()), new QueueCount(10, 11, 10, 0, 0, 0, 10)))
                .containsExactly(
                        "log-pick: 11 deliveries handled, but 10 handed over for good by the broker",
                        "log-pick: 10 messages to account for, but 11 ended, in the broker's DLQ and left");
    }

    @Test
    void outcomeWithNothingToSettleIsSeen() {
        assertThat(mismatches(with(LOG_PICK, new Troubles(0, 0, 0, 1, 0)), LOG_PICK_COUNT))
                .containsExactly("log-pick: 1 outcomes with nothing to settle, but 0 are due");
    }

    // --- no Artemis

    @Test
    void withoutTheBrokersNumbersEveryMessageAndCopyHasBeenDelivered() {
        assertThat(withoutTheBroker(PICK, 10)).isEmpty();
        assertThat(withoutTheBroker(LOG_PICK, 10)).isEmpty();
        assertThat(withoutTheBroker(PICK, 20))
                .containsExactly("pick: 18 deliveries, but at least 24 messages and copies were published");
        assertThat(withoutTheBroker(PICK, 8))
                .containsExactly("pick: 14 accepted and rejected, but at most 12 messages and copies were published");
    }

    private static List<String> withoutTheBroker(Tally tally, long published) {
        return Reconciliation.mismatches(new Line(tally, Optional.empty(), QueueCount.NONE), 0, published);
    }

    private static List<String> pick(Tally tally, QueueCount count) {
        return mismatches(tally, count, PICK_DEAD_LETTERS);
    }

    private static List<String> mismatches(Tally tally, QueueCount count) {
        return mismatches(tally, count, QueueCount.NONE);
    }

    private static List<String> mismatches(Tally tally, QueueCount count, QueueCount deadLetters) {
        return Reconciliation.mismatches(new Line(tally, Optional.of(count), deadLetters), 0, PUBLISHED);
    }

    private static Tally with(Tally tally, long deliveries, Settled settled) {
        return new Tally(tally.declared(), deliveries, settled, tally.forwarded(), tally.troubles());
    }

    private static Tally with(Tally tally, Forwarded forwarded) {
        return new Tally(tally.declared(), tally.deliveries(), tally.settled(), forwarded, tally.troubles());
    }

    private static Tally with(Tally tally, Troubles troubles) {
        return new Tally(tally.declared(), tally.deliveries(), tally.settled(), tally.forwarded(), troubles);
    }
}

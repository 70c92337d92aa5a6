package dev.consignee.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReconciliationTest {

    // 10 published: 6 good, 2 empty, 1 undecodable, 1 out of stock
    private static final Tally TALLY = new Tally("pick", "shipments", 19, 6, 10, 3, 1, 0, 0);
    private static final QueueCount COUNT = new QueueCount(10, 19, 6, 4, 4, 0, 10);

    @Test
    void numbersThatAgreeSayNothing() {
        assertThat(mismatches(TALLY, COUNT)).isEmpty();
    }

    @Test
    void deliveryWithoutDispositionIsSeen() {
        Tally tally = new Tally("pick", "shipments", 20, 6, 10, 3, 1, 0, 0);
        QueueCount count = new QueueCount(10, 20, 6, 4, 4, 0, 10);

        assertThat(mismatches(tally, count)).containsExactly("pick: 20 deliveries, but 19 settled ones");
    }

    @Test
    void outcomeLostWithItsLinkIsSeen() {
        Tally tally = new Tally("pick", "shipments", 19, 6, 10, 3, 1, 0, 1);

        assertThat(mismatches(tally, COUNT)).containsExactly("pick: 1 outcomes lost with their link, but 0 are due");
    }

    @Test
    void messageThatNeverReachedTheQueueIsSeen() {
        assertThat(Reconciliation.mismatches(new Line(TALLY, Optional.of(COUNT)), 0, 11))
                .containsExactly("pick: 11 messages published, but 10 put into the queue");
    }

    @Test
    void attemptThatTheExtensionMissedIsSeen() {
        QueueCount count = new QueueCount(10, 20, 6, 4, 4, 0, 10);

        assertThat(mismatches(TALLY, count)).containsExactly("pick: 19 deliveries, but 20 attempts by the broker");
    }

    @Test
    void acceptedThatTheBrokerDidNotTakeAsSuchIsSeen() {
        QueueCount count = new QueueCount(10, 19, 5, 4, 4, 1, 10);

        assertThat(mismatches(TALLY, count))
                .containsExactly(
                        "pick: 6 accepted, but 5 acknowledged at the broker",
                        "pick: 10 messages to account for, but 11 accepted, dead-lettered and left");
    }

    @Test
    void lostMessageIsSeen() {
        QueueCount count = new QueueCount(10, 19, 6, 4, 3, 0, 10);

        assertThat(mismatches(TALLY, count))
                .contains(
                        "pick: 4 messages given up by the broker, but 3 in its dead-letter queue",
                        "pick: 10 messages to account for, but 9 accepted, dead-lettered and left");
    }

    @Test
    void rejectedCountedAsModifiedIsSeen() {
        Tally tally = new Tally("pick", "shipments", 19, 6, 11, 2, 1, 0, 0);

        assertThat(mismatches(tally, COUNT))
                .containsExactly("pick: 11 modified, but at least 20 were spent on dead letters");
    }

    @Test
    void modifiedCountedAsRejectedIsSeen() {
        Tally tally = new Tally("pick", "shipments", 19, 6, 9, 4, 1, 0, 0);

        assertThat(mismatches(tally, COUNT))
                .containsExactly("pick: 9 modified, but at most 0 were spent on dead letters and failures");
    }

    @Test
    void handlerThatFailedMayHaveAskedForTheMessageAgain() {
        Tally tally = new Tally("pick", "shipments", 21, 6, 12, 3, 1, 2, 0);
        QueueCount count = new QueueCount(10, 21, 6, 4, 4, 0, 10);

        assertThat(mismatches(tally, count)).isEmpty();
    }

    @Test
    void undecodableAreRejected() {
        Tally tally = new Tally("pick", "shipments", 19, 6, 10, 3, 4, 0, 0);

        assertThat(mismatches(tally, COUNT)).containsExactly("pick: 4 undecodable, but at most 3 were rejected");
    }

    @Test
    void messagesOfEarlierDaysAreAccountedFor() {
        QueueCount earlier = new QueueCount(100, 0, 80, 15, 15, 5, 10);
        QueueCount now = new QueueCount(110, 24, 91, 19, 19, 0, 10);
        Tally tally = new Tally("pick", "shipments", 24, 11, 10, 3, 1, 0, 0);

        assertThat(Reconciliation.mismatches(new Line(tally, Optional.of(now.since(earlier))), 5, 10))
                .isEmpty();
    }

    @Test
    void withoutTheBrokersNumbersEveryMessageHasBeenDelivered() {
        assertThat(Reconciliation.mismatches(new Line(TALLY, Optional.empty()), 0, 10))
                .isEmpty();
        assertThat(Reconciliation.mismatches(new Line(TALLY, Optional.empty()), 0, 20))
                .containsExactly("pick: 19 deliveries, but at least 20 messages were published");
        assertThat(Reconciliation.mismatches(new Line(TALLY, Optional.empty()), 0, 8))
                .containsExactly("pick: 9 accepted and rejected, but at most 8 were published");
    }

    private static List<String> mismatches(Tally tally, QueueCount count) {
        return Reconciliation.mismatches(new Line(tally, Optional.of(count)), 0, 10);
    }
}

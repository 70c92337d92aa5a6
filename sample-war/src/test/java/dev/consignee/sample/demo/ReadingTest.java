package dev.consignee.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.sample.demo.Tally.Forwarded;
import dev.consignee.sample.demo.Tally.Settled;
import dev.consignee.sample.demo.Tally.Troubles;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a round is over. */
class ReadingTest {

    private static final Troubles NO_TROUBLES = new Troubles(0, 0, 0, 0, 0);
    private static final QueueCount NOTHING_LEFT = new QueueCount(10, 10, 10, 0, 0, 0, 10);

    @Test
    void emptyQueueOfWhichAllWasDeliveredIsDone() {
        assertThat(done(restock(10, 0, 0), NOTHING_LEFT)).isTrue();
        assertThat(done(restock(12, 2, 0), NOTHING_LEFT)).isTrue();
    }

    @Test
    void whatIsLeftIsNotDone() {
        assertThat(done(restock(10, 0, 0), new QueueCount(11, 10, 10, 0, 0, 1, 10)))
                .isFalse();
    }

    @Test
    void copyThatWaitsIsNotDone() {
        assertThat(done(restock(10, 0, 1), NOTHING_LEFT)).isFalse();
    }

    @Test
    void copyThatWasNotDeliveredIsNotDone() {
        assertThat(done(restock(11, 2, 0), NOTHING_LEFT)).isFalse();
    }

    @Test
    void handedOverAtMostOnceIsNotDoneBeforeItIsHandled() {
        Tally waiting = new Tally(Declared.LOG_PICK, 9, new Settled(0, 0, 0), new Forwarded(0, 0, 0, 0), NO_TROUBLES);

        assertThat(done(waiting, NOTHING_LEFT)).isFalse();
    }

    @Test
    void brokerThatTellsNothingHasDeliveredEverything() {
        assertThat(new Reading(List.of(restock(12, 2, 0)), Map.of()).done(Map.of("restock", 10L)))
                .isTrue();
        assertThat(new Reading(List.of(restock(11, 2, 0)), Map.of()).done(Map.of("restock", 10L)))
                .isFalse();
    }

    @Test
    void shipmentThatIsCopiedOrGivenUpWasNotPicked() {
        Tally pick = new Tally(Declared.PICK, 18, new Settled(11, 4, 3), new Forwarded(4, 2, 0, 0), NO_TROUBLES);

        assertThat(new Reading(List.of(pick, restock(10, 0, 0)), Map.of()).picked())
                .isEqualTo(5);
    }

    private static boolean done(Tally tally, QueueCount count) {
        return new Reading(List.of(tally), Map.of(tally.queue(), count)).done(Map.of(tally.queue(), 10L));
    }

    private static Tally restock(long deliveries, long copies, long waiting) {
        return new Tally(
                Declared.RESTOCK,
                deliveries,
                new Settled(deliveries - copies, 0, copies),
                new Forwarded(copies, 0, waiting, 0),
                NO_TROUBLES);
    }
}

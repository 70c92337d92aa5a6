package dev.consignee.sample.demo;

import java.util.ArrayList;
import java.util.List;

/** Compares what the extension has counted with what the broker has, and both with what was published. */
final class Reconciliation {

    private final String subscription;
    private final List<String> mismatches = new ArrayList<>();

    private Reconciliation(String subscription) {
        this.subscription = subscription;
    }

    /**
     * Compares.
     *
     * @param line one subscription's numbers since the demo began
     * @param leftBefore messages that were in its queue before
     * @param published how many messages were put into its queue since
     * @return a sentence for each two numbers that differ and should not
     */
    static List<String> mismatches(Line line, long leftBefore, long published) {
        Tally tally = line.tally();
        Reconciliation reconciliation = new Reconciliation(tally.subscription());
        reconciliation.withItself(tally);
        line.count()
                .ifPresentOrElse(
                        count -> reconciliation.withTheBroker(tally, count, leftBefore, published),
                        () -> reconciliation.withoutTheBroker(tally, published));
        return reconciliation.mismatches;
    }

    private void withItself(Tally tally) {
        same(tally.deliveries(), "deliveries", tally.settled(), "settled ones");
        same(tally.linkLost(), "outcomes lost with their link", 0, "are due");
        atMost(tally.undecodable(), "undecodable", tally.rejected(), "were rejected");
    }

    private void withTheBroker(Tally tally, QueueCount count, long leftBefore, long published) {
        same(published, "messages published", count.published(), "put into the queue");
        same(tally.deliveries(), "deliveries", count.attempts(), "attempts by the broker");
        same(tally.accepted(), "accepted", count.acknowledged(), "acknowledged at the broker");
        same(count.givenUp(), "messages given up by the broker", count.deadLettered(), "in its dead-letter queue");
        same(
                leftBefore + count.published(),
                "messages to account for",
                tally.accepted() + count.deadLettered() + count.left(),
                "accepted, dead-lettered and left");
        atMost(tally.rejected(), "rejected", count.deadLettered(), "are in the dead-letter queue");
        if (leftBefore == 0 && count.left() == 0 && count.attemptLimit() > 0) {
            spentAttempts(tally, count);
        }
    }

    /** A dead letter that was not rejected has had all its attempts; a handler that throws asks for another one too. */
    private void spentAttempts(Tally tally, QueueCount count) {
        long spent = Math.max(0, count.deadLettered() - tally.rejected()) * count.attemptLimit();
        atLeast(tally.modified(), "modified", spent, "were spent on dead letters");
        atMost(tally.modified(), "modified", spent + tally.failures(), "were spent on dead letters and failures");
    }

    private void withoutTheBroker(Tally tally, long published) {
        atLeast(tally.deliveries(), "deliveries", published, "messages were published");
        atMost(tally.accepted() + tally.rejected(), "accepted and rejected", published, "were published");
    }

    private void same(long number, String what, long expected, String other) {
        check(number == expected, number, what, "", expected, other);
    }

    private void atLeast(long number, String what, long least, String other) {
        check(number >= least, number, what, "at least ", least, other);
    }

    private void atMost(long number, String what, long most, String other) {
        check(number <= most, number, what, "at most ", most, other);
    }

    private void check(boolean holds, long number, String what, String relation, long bound, String other) {
        if (!holds) {
            mismatches.add(subscription + ": " + number + " " + what + ", but " + relation + bound + " " + other);
        }
    }
}

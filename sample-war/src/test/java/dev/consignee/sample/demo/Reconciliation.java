package dev.consignee.sample.demo;

import dev.consignee.sample.demo.Tally.Settled;
import dev.consignee.sample.demo.Tally.Troubles;
import java.util.ArrayList;
import java.util.List;

/** Compares what the extension has counted with what the broker has, and both with what was published. */
final class Reconciliation {

    private final Tally tally;
    private final List<String> mismatches = new ArrayList<>();

    private Reconciliation(Tally tally) {
        this.tally = tally;
    }

    /**
     * Compares.
     *
     * @param line one subscription's numbers since the demo began
     * @param leftBefore messages that were in its queue before
     * @param published how many messages were put into its queue since, without copies
     * @return a sentence for each two numbers that differ and should not
     */
    static List<String> mismatches(Line line, long leftBefore, long published) {
        Reconciliation reconciliation = new Reconciliation(line.tally());
        reconciliation.withItself();
        line.count()
                .ifPresentOrElse(
                        count -> reconciliation.withTheBroker(count, line.deadLetters(), leftBefore, published),
                        () -> reconciliation.withoutTheBroker(published));
        return reconciliation.mismatches;
    }

    private void withItself() {
        Troubles troubles = tally.troubles();
        if (tally.declared().atMostOnce()) {
            none(tally.settled().sum(), "dispositions");
        } else {
            same(tally.deliveries(), "deliveries", tally.settled().sum(), "settled ones");
            atMost(troubles.undecodable(), "undecodable", tally.settled().rejected(), "were rejected");
        }
        none(troubles.linkLost(), "outcomes lost with their link");
        none(troubles.unsupported(), "outcomes with nothing to settle");
        none(troubles.unhandled(), "settled deliveries that were not handled");
        none(tally.forwarded().waiting(), "copies that still wait");
        none(tally.forwarded().lost(), "copies that were lost");
    }

    private void withTheBroker(QueueCount count, QueueCount deadLetters, long leftBefore, long published) {
        same(published + tally.copies(), "messages and copies published", count.published(), "put into the queue");
        same(
                tally.forwarded().deadLetters(),
                "dead letters",
                deadLetters.published(),
                "put into the dead-letter queue");
        same(tally.deliveries(), "deliveries", count.attempts(), "attempts by the broker");
        if (tally.declared().atMostOnce()) {
            same(tally.deliveries(), "deliveries handled", count.acknowledged(), "handed over for good by the broker");
        } else {
            same(tally.settled().accepted(), "accepted", count.acknowledged(), "acknowledged at the broker");
        }
        same(count.givenUp(), "messages given up by the broker", count.deadLettered(), "in its DLQ");
        same(
                leftBefore + count.published(),
                "messages to account for",
                tally.ended() + count.deadLettered() + count.left(),
                "ended, in the broker's DLQ and left");
        atMost(tally.settled().rejected(), "rejected", count.deadLettered(), "are in the broker's DLQ");
        if (leftBefore == 0 && count.left() == 0) {
            retries(count);
        }
    }

    /**
     * Every retry has ended somewhere. What was given up without being rejected has had all the broker's attempts, and a
     * dead letter all those of the cap; a handler that throws asks for another one too. Below a cap a retry at once is
     * modified or a copy, depending on who counts. Without a cap only a delayed retry is a copy, and its original is
     * rejected.
     */
    private void retries(QueueCount count) {
        Settled settled = tally.settled();
        long spent = Math.max(0, count.deadLettered() - settled.rejected()) * Math.max(0, count.attemptLimit());
        if (tally.declared().maxAttempts().isPresent()) {
            long each = tally.declared().maxAttempts().getAsInt() - 1L;
            retries(
                    settled.modified() + tally.copies(),
                    "modified and copies",
                    spent + tally.forwarded().deadLetters() * each);
        } else {
            retries(settled.modified(), "modified", spent);
            long originals = settled.rejected() - tally.troubles().undecodable();
            atMost(tally.copies(), "copies", originals, "decodable ones were rejected");
        }
    }

    private void retries(long number, String what, long spent) {
        atLeast(number, what, spent, "were spent on dead letters");
        atMost(number, what, spent + tally.troubles().failures(), "were spent on dead letters and failures");
    }

    private void withoutTheBroker(long published) {
        long all = published + tally.copies();
        atLeast(tally.deliveries(), "deliveries", all, "messages and copies were published");
        atMost(
                tally.settled().accepted() + tally.settled().rejected(),
                "accepted and rejected",
                all,
                "messages and copies were published");
    }

    private void none(long number, String what) {
        same(number, what, 0, "are due");
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
            mismatches.add(tally.declared().subscription() + ": " + number + " " + what + ", but " + relation + bound
                    + " " + other);
        }
    }
}

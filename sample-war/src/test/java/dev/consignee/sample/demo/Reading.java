package dev.consignee.sample.demo;

import java.util.List;
import java.util.Map;

/**
 * All numbers at one moment.
 *
 * @param tallies the extension's, one for each subscription
 * @param counts the broker's, by queue; empty where it is no Artemis
 */
record Reading(List<Tally> tallies, Map<String, QueueCount> counts) {

    /**
     * Tells whether everything is done: nothing is left on the queues, where the broker says, or waits to be copied, and as
     * much has been delivered as was published. What arrives settled has left its queue before it is handled.
     *
     * @param published how many messages were put into each queue, without copies
     */
    boolean done(Map<String, Long> published) {
        return tallies.stream().allMatch(tally -> isDone(tally, published.getOrDefault(tally.queue(), 0L)));
    }

    private boolean isDone(Tally tally, long published) {
        QueueCount count = counts.getOrDefault(tally.queue(), QueueCount.NONE);
        return count.left() == 0
                && tally.forwarded().waiting() == 0
                && tally.deliveries() >= published + tally.copies();
    }

    /** Returns how many shipments were picked: a shipment that is copied or given up is accepted too. */
    long picked() {
        return tallies.stream()
                .filter(tally -> tally.declared().equals(Declared.PICK))
                .mapToLong(tally -> tally.settled().accepted()
                        - tally.copies()
                        - tally.forwarded().deadLetters())
                .sum();
    }
}

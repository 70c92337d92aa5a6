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
     * Tells whether everything is done: nothing is left on the queues, or, where the broker doesn't say, as much has been
     * delivered as was published.
     *
     * @param published how many messages were put into each queue
     */
    boolean done(Map<String, Long> published) {
        return tallies.stream()
                .allMatch(tally -> counts.containsKey(tally.queue())
                        ? counts.get(tally.queue()).left() == 0
                        : tally.deliveries() >= published.getOrDefault(tally.queue(), 0L));
    }

    /** Returns how many deliveries of this queue were accepted. */
    long accepted(String queue) {
        return tallies.stream()
                .filter(tally -> tally.queue().equals(queue))
                .mapToLong(Tally::accepted)
                .sum();
    }
}

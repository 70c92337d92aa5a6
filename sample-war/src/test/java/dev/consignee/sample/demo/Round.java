package dev.consignee.sample.demo;

import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** One round: publishes, opens the warehouse, waits until its queues are quiet, takes the numbers, and closes it. */
final class Round {

    private static final String SHIPMENTS = Declared.PICK.queue();
    private static final String PICK_LOG = Declared.LOG_PICK.queue();
    private static final String RESTOCK = Declared.RESTOCK.queue();

    private static final Duration DEADLINE = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration STILL = Duration.ofMillis(400);

    /** A broker that doesn't tell what is left may be about to deliver something again. */
    private static final Duration STILL_UNCOUNTED = Duration.ofSeconds(3);

    private final BrokerConnection connection;
    private final Optional<BrokerCounts> broker;
    private final Endpoint endpoint;

    Round(BrokerConnection connection, Optional<BrokerCounts> broker, Endpoint endpoint) {
        this.connection = connection;
        this.broker = broker;
        this.endpoint = endpoint;
    }

    /**
     * What came of a round.
     *
     * @param lines the numbers of each subscription
     * @param mismatches what doesn't add up, a sentence each
     */
    record Result(List<Line> lines, List<String> mismatches) {}

    /** Plays the round. */
    Result play(List<byte[]> shipments, List<byte[]> restocks) throws JMSException {
        Map<String, QueueCount> before = counts();
        connection.publish(SHIPMENTS, shipments);
        connection.publish(RESTOCK, restocks);
        Published published = new Published(shipments.size(), restocks.size());
        try (OpenWarehouse warehouse = OpenWarehouse.at(endpoint)) {
            boolean quiet = awaitQuiet(warehouse, published);
            Result result = result(before, published, read(warehouse));
            if (!quiet) {
                result.mismatches().add("the queues were not quiet after " + DEADLINE.toSeconds() + " s");
            }
            return result;
        }
    }

    private boolean awaitQuiet(OpenWarehouse warehouse, Published published) {
        AtomicReference<Reading> last = new AtomicReference<>(new Reading(List.of(), Map.of()));
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .pollInterval(POLL)
                    .during(broker.isPresent() ? STILL : STILL_UNCOUNTED)
                    .atMost(DEADLINE)
                    .until(() -> {
                        Reading now = read(warehouse);
                        return now.equals(last.getAndSet(now)) && now.done(published.by(now));
                    });
            return true;
        } catch (ConditionTimeoutException busy) {
            return false;
        }
    }

    private static Result result(Map<String, QueueCount> before, Published published, Reading after) {
        List<Line> lines = new ArrayList<>();
        List<String> mismatches = new ArrayList<>();
        for (Tally tally : after.tallies()) {
            String queue = tally.queue();
            long leftBefore = before.getOrDefault(queue, QueueCount.NONE).left();
            Line line = new Line(
                    tally,
                    since(before, after, queue),
                    tally.declared()
                            .deadLetterQueue()
                            .flatMap(deadLetters -> since(before, after, deadLetters))
                            .orElse(QueueCount.NONE));
            lines.add(line);
            mismatches.addAll(Reconciliation.mismatches(
                    line, leftBefore, published.by(after).getOrDefault(queue, 0L)));
        }
        Declared.queues().stream()
                .filter(queue ->
                        lines.stream().noneMatch(line -> line.tally().queue().equals(queue)))
                .forEach(queue -> mismatches.add("nothing consumes " + queue));
        return new Result(lines, mismatches);
    }

    private static Optional<QueueCount> since(Map<String, QueueCount> before, Reading after, String queue) {
        return Optional.ofNullable(after.counts().get(queue))
                .map(count -> count.since(before.getOrDefault(queue, QueueCount.NONE)));
    }

    private Reading read(OpenWarehouse warehouse) throws JMSException {
        return new Reading(warehouse.tallies(), counts());
    }

    private Map<String, QueueCount> counts() throws JMSException {
        Map<String, QueueCount> counts = new HashMap<>();
        if (broker.isPresent()) {
            for (String queue : Declared.allQueues()) {
                counts.put(queue, broker.get().of(queue));
            }
        }
        return counts;
    }

    private record Published(long shipments, long restocks) {

        /** Says how many messages each queue was given, without copies: every picked shipment has one in the pick log. */
        Map<String, Long> by(Reading reading) {
            return Map.of(SHIPMENTS, shipments, RESTOCK, restocks, PICK_LOG, reading.picked());
        }
    }
}

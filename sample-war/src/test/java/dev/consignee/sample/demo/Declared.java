package dev.consignee.sample.demo;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * What the demo expects of a subscription of the warehouse.
 *
 * @param subscription the subscriber's name
 * @param queue what it consumes from
 * @param maxAttempts how many deliveries a message gets
 * @param deadLetterQueue where a message goes then
 * @param atMostOnce whether deliveries arrive settled
 */
record Declared(
        String subscription,
        String queue,
        OptionalInt maxAttempts,
        Optional<String> deadLetterQueue,
        boolean atMostOnce) {

    /** Asks for shipments out of stock at once again. */
    static final Declared PICK =
            new Declared("pick", "shipments", OptionalInt.of(5), Optional.of("shipments.dead"), false);

    /** Returns nothing. */
    static final Declared LOG_PICK = new Declared("log-pick", "pick-log", OptionalInt.empty(), Optional.empty(), true);

    /** Asks for goods without a shelf again after a while. */
    static final Declared RESTOCK = new Declared("restock", "restock", OptionalInt.empty(), Optional.empty(), false);

    private static final List<Declared> ALL = List.of(PICK, LOG_PICK, RESTOCK);

    /** The one of that name; one without a queue where the demo knows none. */
    static Declared named(String subscription) {
        return ALL.stream()
                .filter(each -> each.subscription.equals(subscription))
                .findFirst()
                .orElseGet(() -> new Declared(subscription, "", OptionalInt.empty(), Optional.empty(), false));
    }

    /** The queues that are consumed from. */
    static List<String> queues() {
        return ALL.stream().map(Declared::queue).toList();
    }

    /** All queues that the warehouse needs. */
    static List<String> allQueues() {
        return ALL.stream()
                .flatMap(each -> Stream.concat(Stream.of(each.queue), each.deadLetterQueue.stream()))
                .toList();
    }
}

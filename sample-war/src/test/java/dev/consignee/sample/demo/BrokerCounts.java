package dev.consignee.sample.demo;

import jakarta.jms.JMSException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what an Artemis has counted of a queue. */
final class BrokerCounts {

    private static final long DEFAULT_ATTEMPT_LIMIT = 10;

    private final Management management;

    BrokerCounts(Management management) {
        this.management = management;
    }

    /** Reads the numbers of one queue, whose address has the same name. */
    QueueCount of(String queue) throws JMSException {
        String resource = "queue." + queue;
        if (management.attribute(resource, "MessageCount").isEmpty()) {
            return QueueCount.NONE;
        }
        Map<?, ?> settings = management
                .invoke("broker", "getAddressSettingsAsJSON", queue)
                .<Map<?, ?>>map(text -> management.json(text, Map.class))
                .orElse(Map.of());
        Object deadLetters = settings.get("deadLetterAddress");
        Object limit = settings.get("maxDeliveryAttempts");
        return new QueueCount(
                number(management.attribute(resource, "MessagesAdded")),
                attempts(resource),
                number(management.attribute(resource, "MessagesAcknowledged")),
                number(management.attribute(resource, "MessagesKilled")),
                deadLetters == null ? 0 : deadLettered(deadLetters.toString(), queue),
                number(management.attribute(resource, "MessageCount")),
                limit == null ? DEFAULT_ATTEMPT_LIMIT : number(Optional.of(limit)));
    }

    /** The queue's own "acknowledge attempts" leave out deliveries that came back; its consumers count each transfer. */
    private long attempts(String resource) throws JMSException {
        return management.invoke(resource, "listConsumersAsJSON").stream()
                .flatMap(text -> {
                    List<?> consumers = management.json(text, List.class);
                    return consumers.stream();
                })
                .map(consumer -> ((Map<?, ?>) consumer).get("messagesDelivered"))
                .mapToLong(delivered -> number(Optional.ofNullable(delivered)))
                .sum();
    }

    /** A dead-letter address may have a queue of its own for each origin. */
    private long deadLettered(String address, String origin) throws JMSException {
        long sum = 0;
        Object names = management.attribute("address." + address, "QueueNames").orElse(List.of());
        for (Object name : (List<?>) names) {
            sum += number(management.invoke("queue." + name, "countMessages", "_AMQ_ORIG_QUEUE = '" + origin + "'"));
        }
        return sum;
    }

    private static long number(Optional<?> value) {
        return value.map(number -> ((Number) number).longValue()).orElse(0L);
    }
}

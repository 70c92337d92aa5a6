package dev.consignee.declaration;

import java.util.Optional;

/**
 * Where a message goes that has had its attempts: a queue, or {@code topic:} and a topic's name. No other prefix has a
 * meaning; it is part of the queue's name.
 *
 * @param topic whether it is a topic
 * @param name its name, without the prefix
 */
public record DeadLetterAddress(boolean topic, String name) {

    private static final String TOPIC = "topic:";

    /**
     * Reads an address.
     *
     * @param text the address as it is written
     * @return the address
     */
    public static DeadLetterAddress parse(String text) {
        return text.startsWith(TOPIC)
                ? new DeadLetterAddress(true, text.substring(TOPIC.length()))
                : new DeadLetterAddress(false, text);
    }

    /**
     * Tells whether a subscriber consumes from here, so that its dead letters would come back to it. A verbatim address
     * counts as the queue that it may well be.
     *
     * @param declaration the subscriber
     * @return whether one of its addresses is this one
     */
    public boolean isConsumedBy(Declaration declaration) {
        return declaration.addresses().stream()
                .filter(attribute -> topic == (attribute == Attribute.TOPIC))
                .anyMatch(attribute -> declaration.text(attribute).equals(Optional.of(name)));
    }
}

package dev.consignee.transport;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An AMQP message as data, in plain Java types.
 *
 * @param durable whether the broker should keep it over a restart
 * @param deliveryCount the broker's count of earlier deliveries; empty where the message has no header section, or one
 *     that says nothing
 * @param properties the properties section
 * @param applicationProperties the application properties, unmodifiable, in the order they were sent
 * @param body the body
 */
public record Message(
        boolean durable,
        OptionalLong deliveryCount,
        Properties properties,
        Map<String, Object> applicationProperties,
        Body body) {

    /** The body's sections. */
    public sealed interface Body {}

    /** One or more data sections; their bytes belong together. */
    public record Data(List<byte[]> sections) implements Body {
        /** All bytes. Not to be changed. */
        public byte[] bytes() {
            if (sections.size() == 1) {
                return sections.get(0);
            }
            int length = 0;
            for (byte[] section : sections) {
                length = Math.addExact(length, section.length);
            }
            byte[] all = new byte[length];
            int at = 0;
            for (byte[] section : sections) {
                System.arraycopy(section, 0, all, at, section.length);
                at += section.length;
            }
            return all;
        }
    }

    /** An amqp-value section: a string, a number, a {@code byte[]}, a list, a map …, or null. */
    public record Value(@Nullable Object value) implements Body {}

    /** One or more amqp-sequence sections. */
    public record Sequence(List<List<Object>> sections) implements Body {}

    /** No body section at all. */
    public record None() implements Body {}

    /**
     * The properties section as far as it is used.
     *
     * @param messageId in text form: a string as it is, a UUID and a number in their usual form, a binary in hexadecimal
     * @param correlationId likewise
     */
    public record Properties(
            Optional<String> messageId,
            Optional<String> correlationId,
            Optional<String> replyTo,
            Optional<String> contentType,
            Optional<String> subject,
            Optional<String> groupId) {

        /** A message's that has none. */
        public static final Properties NONE = new Properties(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Refuses nulls. */
    public Message {
        Objects.requireNonNull(deliveryCount, "deliveryCount");
        Objects.requireNonNull(properties, "properties");
        Objects.requireNonNull(applicationProperties, "applicationProperties");
        Objects.requireNonNull(body, "body");
    }
}

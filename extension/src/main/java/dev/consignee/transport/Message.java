package dev.consignee.transport;

import dev.consignee.MessageId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An AMQP message as data, in plain Java types.
 *
 * @param header the header section
 * @param annotations the message annotations, unmodifiable
 * @param properties the properties section
 * @param applicationProperties the application properties, unmodifiable, in the order they were sent
 * @param body the body
 */
public record Message(
        Header header,
        Map<String, Object> annotations,
        Properties properties,
        Map<String, Object> applicationProperties,
        Body body) {

    /** Refuses nulls. */
    public Message {
        Objects.requireNonNull(header, "header");
        Objects.requireNonNull(annotations, "annotations");
        Objects.requireNonNull(properties, "properties");
        Objects.requireNonNull(applicationProperties, "applicationProperties");
        Objects.requireNonNull(body, "body");
    }

    /**
     * The header section.
     *
     * @param durable whether the broker should keep the message over a restart
     * @param priority empty where the message does not say
     * @param timeToLive how long it is valid from when it was sent
     * @param deliveryCount the broker's count of earlier deliveries; empty where the message has no header section, or one
     *     that says nothing (attempt-6)
     */
    public record Header(
            boolean durable, OptionalInt priority, Optional<Duration> timeToLive, OptionalLong deliveryCount) {

        /** A message's that has none. */
        public static final Header NONE =
                new Header(false, OptionalInt.empty(), Optional.empty(), OptionalLong.empty());
    }

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
     * The properties section.
     *
     * @param messageId with its AMQP type
     * @param userId the bytes as sent
     * @param to where the message says it goes; a sender fills it in with its address
     * @param correlationId with its AMQP type
     * @param expiryTime when the message is void
     * @param creationTime when it was made; a sender fills it in
     */
    public record Properties(
            Optional<MessageId> messageId,
            Optional<byte[]> userId,
            Optional<String> to,
            Optional<String> subject,
            Optional<String> replyTo,
            Optional<MessageId> correlationId,
            Optional<String> contentType,
            Optional<String> contentEncoding,
            Optional<Instant> expiryTime,
            Optional<Instant> creationTime,
            Optional<String> groupId,
            OptionalLong groupSequence,
            Optional<String> replyToGroupId) {

        /** A message's that has none. */
        public static final Properties NONE = new PropertiesBuilder().build();

        /** The same with where it goes and when it was made. */
        public Properties with(String address, Instant created) {
            return new Properties(
                    messageId,
                    userId,
                    Optional.of(address),
                    subject,
                    replyTo,
                    correlationId,
                    contentType,
                    contentEncoding,
                    expiryTime,
                    Optional.of(created),
                    groupId,
                    groupSequence,
                    replyToGroupId);
        }

        /** Begins the properties of a message with nothing set. */
        public static PropertiesBuilder builder() {
            return new PropertiesBuilder();
        }
    }

    /** Puts properties together, one by one. Not to be shared between threads. */
    public static final class PropertiesBuilder {
        private @Nullable MessageId messageId;
        private byte @Nullable [] userId;
        private @Nullable String to;
        private @Nullable String subject;
        private @Nullable String replyTo;
        private @Nullable MessageId correlationId;
        private @Nullable String contentType;
        private @Nullable String contentEncoding;
        private @Nullable Instant expiryTime;
        private @Nullable Instant creationTime;
        private @Nullable String groupId;
        private OptionalLong groupSequence = OptionalLong.empty();
        private @Nullable String replyToGroupId;

        private PropertiesBuilder() {}

        public PropertiesBuilder messageId(@Nullable MessageId id) {
            messageId = id;
            return this;
        }

        public PropertiesBuilder userId(byte @Nullable [] id) {
            userId = id;
            return this;
        }

        public PropertiesBuilder to(@Nullable String address) {
            to = address;
            return this;
        }

        public PropertiesBuilder subject(@Nullable String text) {
            subject = text;
            return this;
        }

        public PropertiesBuilder replyTo(@Nullable String address) {
            replyTo = address;
            return this;
        }

        public PropertiesBuilder correlationId(@Nullable MessageId id) {
            correlationId = id;
            return this;
        }

        public PropertiesBuilder contentType(@Nullable String type) {
            contentType = type;
            return this;
        }

        public PropertiesBuilder contentEncoding(@Nullable String encoding) {
            contentEncoding = encoding;
            return this;
        }

        public PropertiesBuilder expiryTime(@Nullable Instant time) {
            expiryTime = time;
            return this;
        }

        public PropertiesBuilder creationTime(@Nullable Instant time) {
            creationTime = time;
            return this;
        }

        public PropertiesBuilder groupId(@Nullable String id) {
            groupId = id;
            return this;
        }

        public PropertiesBuilder groupSequence(OptionalLong sequence) {
            groupSequence = sequence;
            return this;
        }

        public PropertiesBuilder replyToGroupId(@Nullable String id) {
            replyToGroupId = id;
            return this;
        }

        /** What has been set. */
        public Properties build() {
            return new Properties(
                    Optional.ofNullable(messageId),
                    Optional.ofNullable(userId),
                    Optional.ofNullable(to),
                    Optional.ofNullable(subject),
                    Optional.ofNullable(replyTo),
                    Optional.ofNullable(correlationId),
                    Optional.ofNullable(contentType),
                    Optional.ofNullable(contentEncoding),
                    Optional.ofNullable(expiryTime),
                    Optional.ofNullable(creationTime),
                    Optional.ofNullable(groupId),
                    groupSequence,
                    Optional.ofNullable(replyToGroupId));
        }
    }
}

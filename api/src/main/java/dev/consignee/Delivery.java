package dev.consignee;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What is known of a message beside its payload; a handler asks for it with a parameter of this type.
 *
 * <p>A delivery is one hand-over of a message. Its values are fixed when the handler is called and may be read on any
 * thread, also after the delivery has been settled.
 */
public interface Delivery {

    /**
     * Returns how many times the message has been delivered, this one included: the broker's {@code delivery-count} plus
     * one.
     *
     * @return one or more; empty where the delivery carries no count of the broker's, which is where it has no header
     *     section, or one that says nothing
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-header">AMQP 1.0,
     *     messaging §3.2.1 header</a>
     */
    OptionalInt redeliveryCount();

    /**
     * Returns the number of this attempt to handle the message, whether or not the broker counts.
     *
     * @return one for the first
     */
    int attempt();

    /**
     * Returns the address that the subscription consumes from.
     *
     * @return the address without a prefix, as declared or configured
     */
    String address();

    /**
     * Returns the application properties.
     *
     * @return an unmodifiable map from name to value, empty where the message has none. A value is a {@code String} (also
     *     for a symbol), {@code Boolean}, {@code Byte}, {@code Short}, {@code Integer}, {@code Long}, {@code Float}, {@code
     *     Double}, {@code Character}, {@code UUID}, {@code Instant} or {@code byte[]}; unsigned numbers come as the next
     *     wider type ({@code ubyte} and {@code ushort} as {@code Integer}, {@code uint} as {@code Long}, {@code ulong} as
     *     {@code BigInteger}), lists and maps as {@code List} and {@code Map}; decimals are left out
     * @see <a
     *     href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-application-properties">AMQP
     *     1.0, messaging §3.2.5 application properties</a>
     */
    Map<String, Object> headers();

    /**
     * Returns one application property as text.
     *
     * @param name its name, exactly as it was sent
     * @return the value's text; empty where there is none
     */
    default Optional<String> header(String name) {
        return Optional.ofNullable(headers().get(name)).map(Object::toString);
    }

    /**
     * Returns the message annotations: what brokers and clients add to a message under names such as {@code x-opt-…}.
     *
     * @return an unmodifiable map from name to value, in the Java types of {@link #headers()}; empty where there are none
     * @see <a
     *     href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-message-annotations">AMQP
     *     1.0, messaging §3.2.3 message annotations</a>
     */
    Map<String, Object> annotations();

    /**
     * Returns the message's id.
     *
     * @return the id with its AMQP type; {@link MessageId#toString()} is its text form
     */
    Optional<MessageId> messageId();

    /**
     * Returns the id of the message that this one answers or belongs to.
     *
     * @return the id with its AMQP type
     */
    Optional<MessageId> correlationId();

    /**
     * Returns the user that the message says it comes from.
     *
     * @return the bytes as they were sent; brokers may or may not have verified them
     */
    Optional<byte[]> userId();

    /**
     * Returns the address that the message itself says it goes to, which need not be {@link #address()}.
     *
     * @return the address as it was sent
     */
    Optional<String> to();

    /**
     * Returns the address that an answer should go to.
     *
     * @return the address as it was sent
     */
    Optional<String> replyTo();

    /**
     * Returns what the body is said to be, such as {@code application/json}.
     *
     * @return the content type as it was sent
     */
    Optional<String> contentType();

    /**
     * Returns how the body is said to be encoded, such as {@code gzip}. Nothing is done about it.
     *
     * @return the content encoding as it was sent
     */
    Optional<String> contentEncoding();

    /**
     * Returns the message's subject.
     *
     * @return the subject as it was sent
     */
    Optional<String> subject();

    /**
     * Returns the group that the message belongs to.
     *
     * @return the group id as it was sent
     */
    Optional<String> groupId();

    /**
     * Returns the message's place within its group.
     *
     * @return the sequence number, 0 to 2^32-1
     */
    OptionalLong groupSequence();

    /**
     * Returns the group that an answer should belong to.
     *
     * @return the group id as it was sent
     */
    Optional<String> replyToGroupId();

    /**
     * Returns when the message was made.
     *
     * @return the moment, to the millisecond
     */
    Optional<Instant> creationTime();

    /**
     * Returns when the message is void.
     *
     * @return the moment, to the millisecond
     */
    Optional<Instant> expiryTime();

    /**
     * Returns whether the broker should keep the message over a restart.
     *
     * @return false where the message does not say
     */
    boolean durable();

    /**
     * Returns the message's priority.
     *
     * @return 0 to 255, usually up to 9; 4 where the message does not say
     */
    int priority();

    /**
     * Returns how long the message is valid from when it was sent.
     *
     * @return the time, to the millisecond
     */
    Optional<Duration> timeToLive();
}

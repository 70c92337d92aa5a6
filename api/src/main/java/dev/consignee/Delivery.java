package dev.consignee;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

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
     * @return an unmodifiable map from name to value, empty where the message has none; values of AMQP types without a
     *     Java counterpart come as the nearest wider one
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
     * Returns the message's id.
     *
     * @return a string as it is, a UUID and a number in their usual text form, a binary id in hexadecimal
     */
    Optional<String> messageId();

    /**
     * Returns the id of the message that this one answers or belongs to.
     *
     * @return in the text form of {@link #messageId()}
     */
    Optional<String> correlationId();

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
}

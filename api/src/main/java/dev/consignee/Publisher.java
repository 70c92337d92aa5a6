package dev.consignee;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Sends messages; an application injects it: {@code @Inject Publisher publisher}.
 *
 * <pre>{@code
 * publisher.toQueue("pick-log").header("trace", "7").send(new Picked(shipment.id()));
 * }</pre>
 *
 * <p>Any thread may use it, inside and outside of handlers. It has a connection and sessions of its own, opened at the
 * first message, so that a slow consumer cannot starve it.
 */
public interface Publisher {

    /**
     * Begins a message to a queue: the address's target has the capability {@code queue}.
     *
     * @param name the queue's address
     * @return the message, to be completed and sent
     */
    Draft toQueue(String name);

    /**
     * Begins a message to a topic: the address's target has the capability {@code topic}.
     *
     * @param name the topic's address
     * @return the message, to be completed and sent
     */
    Draft toTopic(String name);

    /**
     * Begins a message to an address as it is written, without a capability that says what kind it is.
     *
     * <p>A broker that creates addresses on demand chooses the kind itself: on Artemis a new one becomes a multicast
     * address, where a message without a receiver vanishes.
     *
     * @param address the address, sent verbatim
     * @return the message, to be completed and sent
     */
    Draft to(String address);

    /**
     * Returns the publisher of a named broker, {@code consignee.broker.<name>}.
     *
     * @param name the broker's name; the empty name is the unnamed broker
     * @return its publisher
     * @throws IllegalArgumentException where no such broker is configured; the message lists those that are
     */
    Publisher broker(String name);

    /**
     * A message in the making. Not to be shared between threads; may be sent once. What is not set is not on the wire, but
     * for the message's id (a new one), its address, its creation time, its content type, and that it is durable.
     *
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#section-message-format">AMQP
     *     1.0, messaging §3.2 message format</a>
     */
    interface Draft {

        /**
         * Adds an application property.
         *
         * @param name its name, sent as it is
         * @param value a {@code String}, {@code Boolean}, {@code Byte}, {@code Short}, {@code Integer}, {@code Long}, {@code
         *     Float}, {@code Double}, {@code Character}, {@code UUID}, {@code Instant} (a timestamp, to the millisecond),
         *     {@code byte[]} (a binary), or {@code BigInteger} of 0 to 2^64-1 (a {@code ulong})
         * @return this message
         * @throws IllegalArgumentException where the value has no counterpart among AMQP's simple types
         */
        Draft header(String name, Object value);

        /**
         * Sets the id of the message that this one answers or belongs to.
         *
         * @param id an id as it came, such as {@link Delivery#messageId()}
         * @return this message
         */
        Draft correlationId(MessageId id);

        /**
         * Sets the id of the message that this one answers or belongs to.
         *
         * @param id sent as an AMQP string
         * @return this message
         */
        default Draft correlationId(String id) {
            return correlationId(MessageId.of(id));
        }

        /**
         * Sets the address that an answer should go to.
         *
         * @param address sent as it is
         * @return this message
         */
        Draft replyTo(String address);

        /**
         * Sets the subject.
         *
         * @param subject sent as it is
         * @return this message
         */
        Draft subject(String subject);

        /**
         * Sets the group that the message belongs to.
         *
         * @param id sent as it is
         * @return this message
         */
        Draft groupId(String id);

        /**
         * Sets the message's place within its group.
         *
         * @param sequence 0 to 2^32-1
         * @return this message
         * @throws IllegalArgumentException where the number is out of range
         */
        Draft groupSequence(long sequence);

        /**
         * Says what the body is, in place of what goes by the payload's type.
         *
         * @param contentType such as {@code application/vnd.warehouse+json}; a {@code charset} in it decides how a {@code
         *     String} is written
         * @return this message
         */
        Draft contentType(String contentType);

        /**
         * Says how the body is encoded. Nothing is done about it: the payload is a {@code byte[]} that is encoded already.
         *
         * @param contentEncoding such as {@code gzip}
         * @return this message
         */
        Draft contentEncoding(String contentEncoding);

        /**
         * Sets how long the message is valid: the broker may discard it afterwards, or move it to its expiry address.
         *
         * @param time 1 ms to about 49 days (2^32-1 ms)
         * @return this message
         * @throws IllegalArgumentException where the time is out of range
         */
        Draft timeToLive(Duration time);

        /**
         * Sets the priority.
         *
         * @param priority 0 to 9; 4 by default
         * @return this message
         * @throws IllegalArgumentException where the number is out of range
         */
        Draft priority(int priority);

        /**
         * Says whether the broker should keep the message over a restart. True by default.
         *
         * @param durable whether to keep it
         * @return this message
         */
        Draft durable(boolean durable);

        /**
         * Asks the broker to hold the message back.
         *
         * @param delay from when it is sent; zero to 36,500 days
         * @return this message
         * @throws IllegalArgumentException where the delay is out of range
         */
        Draft deliveryDelay(Duration delay);

        /**
         * Sends the message and waits until the broker has accepted it.
         *
         * <p>It leaves as one data section: an object as {@code application/json} by JSON-B, a {@code String} as {@code
         * text/plain; charset=utf-8}, a {@code byte[]} as {@code application/octet-stream}. The wait is bounded by {@code
         * consignee.send-timeout} (30 seconds by default), before it the time to connect by {@code
         * consignee.connect-timeout}, and the time to attach a sender by {@code consignee.request-timeout}.
         *
         * @param payload the payload, not null
         * @throws PublishException where the broker said anything but {@code accepted}, could not be reached, did not
         *     answer in time (it may have the message then), or does not offer the delay that was asked for
         */
        void send(Object payload);

        /**
         * Sends the message and does not wait for the broker's answer; many may be under way.
         *
         * <p>Blocks only while the connection, or the sender of an address, is being opened. Messages of one thread to one
         * address arrive in the order they were sent.
         *
         * @param payload as {@link #send}
         * @return completed when the broker has accepted the message, or exceptionally with a {@link PublishException}. What
         *     is chained to it runs on one of a few threads of the library's own; it may send, but should not wait for long
         */
        CompletionStage<Void> sendAsync(Object payload);
    }
}

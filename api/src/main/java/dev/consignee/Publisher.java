package dev.consignee;

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

    /** A message in the making. Not to be shared between threads; may be sent once. */
    interface Draft {

        /**
         * Adds an application property.
         *
         * @param name its name, sent as it is
         * @param value a string, boolean, number, character, {@code UUID}, {@code Instant} or {@code byte[]}
         * @return this message
         * @throws IllegalArgumentException where the value's type has no counterpart in AMQP
         */
        Draft header(String name, Object value);

        /**
         * Sets the id of the message that this one answers or belongs to.
         *
         * @param id sent as an AMQP string
         * @return this message
         */
        Draft correlationId(String id);

        /**
         * Sends the message and waits until the broker has accepted it.
         *
         * <p>It leaves as one data section and durable: an object as {@code application/json} by JSON-B, a {@code String}
         * as {@code text/plain; charset=utf-8}, a {@code byte[]} as {@code application/octet-stream}. The wait is bounded
         * by {@code consignee.send-timeout} (30 seconds by default), the time to connect by {@code
         * consignee.connect-timeout}.
         *
         * @param payload the payload, not null
         * @throws PublishException where the broker said anything but {@code accepted}, could not be reached, or did not
         *     answer in time; in the last case it may have the message
         */
        void send(Object payload);
    }
}

package dev.consignee;

/**
 * Says what becomes of a delivery: a handler returns it, and the subscription settles the delivery accordingly.
 *
 * <p>A delivery stays unsettled until the outcome reaches it, and it is settled exactly once. A handler that throws, or
 * returns {@code null}, settles by {@link Subscriber#onException()} instead. Instances are stateless and may be shared.
 *
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#section-delivery-state">AMQP
 *     1.0, messaging §3.4 delivery state</a>
 */
public sealed interface HandlerOutcome {

    /**
     * Says that the message has been dealt with.
     *
     * <p>The delivery is settled as {@code accepted}; the message leaves the queue.
     *
     * @return the outcome
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-accepted">AMQP
     *     1.0, messaging §3.4.2 accepted</a>
     */
    static HandlerOutcome ack() {
        return Ack.INSTANCE;
    }

    /**
     * Asks for the message again at once.
     *
     * <p>The delivery is settled as {@code modified} with {@code delivery-failed} and without {@code
     * undeliverable-here}: the broker counts the attempt and may deliver the message again, to this subscription too. It
     * is never {@code released}, which would leave the count as it was and let a message that always fails come back for
     * ever. How often the broker delivers a message before it gives up is the broker's setting (Artemis: {@code
     * max-delivery-attempts}, 10 by default).
     *
     * @return the outcome
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-modified">AMQP
     *     1.0, messaging §3.4.5 modified</a>
     */
    static HandlerOutcome retry() {
        return Retry.INSTANCE;
    }

    /**
     * Gives the message up.
     *
     * <p>The delivery is settled as {@code rejected}, and the broker's own dead-letter policy decides (Artemis: its
     * dead-letter address, {@code DLQ} by default).
     *
     * @return the outcome
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-rejected">AMQP
     *     1.0, messaging §3.4.3 rejected</a>
     */
    static HandlerOutcome drop() {
        return Drop.INSTANCE;
    }

    /** The outcome of {@link HandlerOutcome#ack()}. */
    record Ack() implements HandlerOutcome {
        private static final Ack INSTANCE = new Ack();
    }

    /** The outcome of {@link HandlerOutcome#retry()}. */
    record Retry() implements HandlerOutcome {
        private static final Retry INSTANCE = new Retry();
    }

    /** The outcome of {@link HandlerOutcome#drop()}. */
    record Drop() implements HandlerOutcome {
        private static final Drop INSTANCE = new Drop();
    }
}

package dev.consignee;

import java.time.Duration;

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
     * <p>The delivery is settled as {@code accepted}; the message leaves the queue. At most once there is nothing left to
     * settle: {@link AckError#UNSUPPORTED} is reported.
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
     * <p>Under a cap, an attempt that reaches {@link Subscriber#maxAttempts()} goes to the dead-letter address instead, or
     * is {@code rejected} where there is none; below it, a message that the broker does not count (a copy, or one that
     * arrived without a header section) comes back as its next copy, which is confirmed before the delivery is {@code
     * accepted}. A dead-letter address without a cap takes every retry.
     *
     * <p>At most once there is nothing left to settle: {@link AckError#UNSUPPORTED} is reported, and what else is said here
     * of copies and dead letters holds.
     *
     * @return the outcome
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-modified">AMQP
     *     1.0, messaging §3.4.5 modified</a>
     */
    static HandlerOutcome retry() {
        return Retry.INSTANCE;
    }

    /**
     * Asks for the message again once a while is over.
     *
     * <p>At least once, the delivery is settled as {@code rejected}, and when {@code delay} is over, a copy of the message
     * is published to the subscription's own address, with its attempt number in the application property {@code
     * x-ruststream-retry-count}. The copy waits in this process: a crash before its time loses it, and the broker's
     * dead-letter policy sees the rejected original. {@code consignee.subscriber.<name>.delayed-retry} changes that:
     *
     * <ul>
     *   <li>{@code broker}: the copy is handed to the broker at once, with a delivery time ({@code
     *       x-opt-delivery-time}), and once the broker has it, the delivery is {@code accepted}. Nothing can be lost.
     *   <li>{@code hold}: the delivery stays unsettled for so long and is then {@code modified} with {@code
     *       delivery-failed}, as by {@link #retry()}. It costs one credit while it waits.
     * </ul>
     *
     * <p>A delay of zero is a copy that is due at once: it is published and confirmed before the delivery is {@code
     * accepted}. Under a cap, an attempt that reaches {@link Subscriber#maxAttempts()} goes to the dead-letter address
     * instead, or is {@code rejected} where there is none. At most once the copy is published likewise, with nothing to
     * settle.
     *
     * @param delay how long to wait, zero or more
     * @return the outcome
     * @throws IllegalArgumentException where the delay is negative
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-rejected">AMQP
     *     1.0, messaging §3.4.3 rejected</a>
     */
    static HandlerOutcome retryAfter(Duration delay) {
        return new RetryAfter(delay);
    }

    /**
     * Gives the message up.
     *
     * <p>The delivery is settled as {@code rejected}, and the broker's own dead-letter policy decides (Artemis: its
     * dead-letter address, {@code DLQ} by default). At most once there is nothing left to settle: {@link
     * AckError#UNSUPPORTED} is reported.
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

    /**
     * The outcome of {@link HandlerOutcome#retryAfter(Duration)}.
     *
     * @param delay how long to wait, zero or more
     */
    record RetryAfter(Duration delay) implements HandlerOutcome {
        /**
         * Refuses a negative delay.
         *
         * @param delay how long to wait
         */
        public RetryAfter {
            if (delay.isNegative()) {
                throw new IllegalArgumentException(
                        "The delay of a retry is " + delay + ". Legal: zero or more. Use retry() for at once.");
            }
        }
    }

    /** The outcome of {@link HandlerOutcome#drop()}. */
    record Drop() implements HandlerOutcome {
        private static final Drop INSTANCE = new Drop();
    }
}

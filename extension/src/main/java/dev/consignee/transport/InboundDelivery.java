package dev.consignee.transport;

import java.util.Optional;

/** One delivery in hand. */
public interface InboundDelivery {

    /**
     * The message, decoded.
     *
     * @throws MalformedMessageException where the bytes are no AMQP message, or more than are taken, each time it
     *     is asked for
     */
    Message message() throws MalformedMessageException;

    /**
     * The message as it arrived, for publishing it again; empty where its bytes were not kept, which is where it was too
     * large. May be kept for longer than the delivery.
     */
    Optional<Original> original();

    /** Whether it arrived settled: the broker has forgotten it, and there is nothing to settle. */
    boolean arrivedSettled();

    /**
     * Ends a delivery that arrived settled, once it has been dealt with, and gives its credit back; returns at once.
     *
     * @throws IllegalStateException where it did not arrive settled, or has ended before
     */
    void end();

    /**
     * Settles it; returns at once. Whether the disposition was written comes to the {@link SettlementListener}.
     *
     * @throws IllegalStateException where it arrived settled, or has been settled before
     */
    void settle(Disposition disposition);
}

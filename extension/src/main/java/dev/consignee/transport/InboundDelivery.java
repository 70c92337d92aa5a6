package dev.consignee.transport;

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
     * Settles it; returns at once. Whether the disposition was written comes to the {@link SettlementListener}.
     *
     * @throws IllegalStateException where it has been settled before
     */
    void settle(Disposition disposition);
}

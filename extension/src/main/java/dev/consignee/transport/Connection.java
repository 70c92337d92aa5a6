package dev.consignee.transport;

import dev.consignee.declaration.BrokerProfile;

/** A connection to a broker: one epoch of everything opened on it. Any thread may use it. */
public interface Connection extends AutoCloseable {

    /**
     * Attaches a receiver and grants it its credit.
     *
     * <p>Blocks for at most the request timeout.
     *
     * @param listener told what became of settlements, on a thread of the transport's; it must not block
     * @throws TransportException where the broker refused the link or the connection was lost
     */
    Receiver openReceiver(ReceiverSpec spec, SettlementListener listener) throws TransportException;

    /**
     * Attaches a sender.
     *
     * <p>Blocks for at most the request timeout.
     *
     * @throws TransportException where the broker refused the link or the connection was lost
     */
    Sender openSender(Address target) throws TransportException;

    /** Whether it can be used. A connection that is not open never is again. */
    boolean isOpen();

    /** What kind of broker it leads to: what is configured, or else what the broker says of itself. */
    BrokerProfile profile();

    /** Where it leads to, without credentials. */
    String remote();

    /** Closes it and everything opened on it; blocks for at most the close timeout. Further calls do nothing. */
    @Override
    void close();
}

package dev.consignee.transport;

import java.time.Duration;

/** A sending link. Any thread may use it; messages of many threads are under way at once. */
public interface Sender extends AutoCloseable {

    /**
     * Sends a message and waits until the broker has accepted it.
     *
     * @throws TransportException where the broker said anything else, the link or the connection went, or no answer came
     *     in time; in the last two cases the broker may have the message
     */
    void send(Message message, Duration timeout) throws TransportException, InterruptedException;

    /** Whether it can be used. A sender that is not open never is again. */
    boolean isOpen();

    @Override
    void close();
}

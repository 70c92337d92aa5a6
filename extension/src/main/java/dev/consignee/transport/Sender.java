package dev.consignee.transport;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A sending link. Any thread may use it; messages of many threads are under way at once, in the order they were sent. */
public interface Sender extends AutoCloseable {

    /**
     * Sends a message; does not wait. Its address and creation time are filled in.
     *
     * @return completed once the broker has accepted the message; exceptionally with a {@link TransportException} where the
     *     broker said anything else, the link or the connection went, or no answer came in time; in the last two cases the
     *     broker may have the message. Completed on a thread of the transport's
     */
    CompletableFuture<Void> send(Message message, Duration timeout);

    /**
     * Sends a message again that has arrived; does not wait. Nothing of it is filled in or changed but what {@code how}
     * says.
     *
     * @return completed as that of {@link #send}; cancelling it takes back what has not left yet, and does nothing to what
     *     has
     */
    CompletableFuture<Void> forward(Original original, Forwarding how, Duration timeout);

    /** Whether the broker offers to hold a message back until its delivery time. */
    boolean offersDelay();

    /** Whether it can be used. A sender that is not open never is again. */
    boolean isOpen();

    @Override
    void close();
}

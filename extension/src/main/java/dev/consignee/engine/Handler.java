package dev.consignee.engine;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import org.jspecify.annotations.Nullable;

/** The application's method, ready to be called by one thread; opened on that thread and closed by it. */
public interface Handler extends AutoCloseable {

    /**
     * Calls the method.
     *
     * @return what it returned, {@link HandlerOutcome#ack()} for a method without a result; null where it returned null
     * @throws Throwable what it threw, as it threw it
     */
    @Nullable
    HandlerOutcome handle(Object payload, Delivery delivery) throws Throwable;

    @Override
    void close();

    /** Opens a handler for a thread. */
    interface Source {
        /** Opens it on the calling thread. */
        Handler open();
    }
}

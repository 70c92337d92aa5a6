package dev.consignee.tck.app;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import dev.consignee.Subscriber;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;

/** The plain subscriber of most tests: queue {@code work}, everything by default, and the message says what to do. */
@ApplicationScoped
public class Worker {

    private final Scripted scripted;

    /** For the container's proxy. */
    @SuppressWarnings("NullAway") // a proxy has no fields of its own
    protected Worker() {
        this.scripted = null;
    }

    /** Makes the bean. */
    @Inject
    public Worker(Scripted scripted) {
        this.scripted = scripted;
    }

    @Subscriber(queue = "work")
    @Nullable
    HandlerOutcome work(String script, Delivery delivery) {
        return scripted.perform("work", script, delivery);
    }
}

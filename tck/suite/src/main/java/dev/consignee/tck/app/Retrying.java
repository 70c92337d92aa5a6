package dev.consignee.tck.app;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import dev.consignee.OnDecodeError;
import dev.consignee.Settle;
import dev.consignee.Subscriber;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Subscribers whose messages come back in other ways than {@link Worker}'s. They are off unless a test switches them on
 * ({@link #NAMES}), since each has a link of its own.
 */
@ApplicationScoped
public class Retrying {

    /** The subscribers, which have queues of the same names; {@code newsA} and {@code newsB} share the topic news. */
    public static final List<String> NAMES =
            List.of("capped", "mortal", "fatal", "patient", "once", "glance", "strict", "hasty", "news-a", "news-b");

    private final Scripted scripted;

    /** For the container's proxy. */
    @SuppressWarnings("NullAway") // a proxy has no fields of its own
    protected Retrying() {
        this.scripted = null;
    }

    /** Makes the bean. */
    @Inject
    public Retrying(Scripted scripted) {
        this.scripted = scripted;
    }

    /** A cap, and the broker's dead-letter policy at its end. */
    @Subscriber(queue = "capped", maxAttempts = 5)
    @Nullable
    HandlerOutcome capped(String script, Delivery delivery) {
        return scripted.perform("capped", script, delivery);
    }

    /** A cap, and a dead-letter address at its end. */
    @Subscriber(queue = "mortal", maxAttempts = 5, deadLetter = "mortal.dead")
    @Nullable
    HandlerOutcome mortal(String script, Delivery delivery) {
        return scripted.perform("mortal", script, delivery);
    }

    /** A dead-letter address without a cap. */
    @Subscriber(queue = "fatal", deadLetter = "fatal.dead")
    @Nullable
    HandlerOutcome fatal(String script, Delivery delivery) {
        return scripted.perform("fatal", script, delivery);
    }

    /** Nothing but the defaults; tests configure it. */
    @Subscriber(queue = "patient")
    @Nullable
    HandlerOutcome patient(String script, Delivery delivery) {
        return scripted.perform("patient", script, delivery);
    }

    /** At most once, with an outcome. */
    @Subscriber(queue = "once", settle = Settle.AT_MOST_ONCE)
    @Nullable
    HandlerOutcome once(String script, Delivery delivery) {
        return scripted.perform("once", script, delivery);
    }

    /** At most once, without an outcome. */
    @Subscriber(queue = "glance", settle = Settle.AT_MOST_ONCE)
    void glance(String script, Delivery delivery) {
        scripted.perform("glance", script, delivery);
    }

    /** What cannot be decoded goes to a dead-letter address. */
    @Subscriber(queue = "strict", deadLetter = "strict.dead", onDecodeError = OnDecodeError.DEAD_LETTER)
    void strict(Orders.Order order, Delivery delivery) {
        scripted.note("strict", order.id() + " " + order.what(), delivery);
    }

    /** Exceptions that are retried with a back-off, and some that are not. */
    @Subscriber(queue = "hasty", backoff = "100ms..1s", dropOn = UnsupportedOperationException.class)
    @Nullable
    HandlerOutcome hasty(String script, Delivery delivery) {
        return scripted.perform("hasty", script, delivery);
    }

    /** One of two subscriptions to a topic. */
    @Subscriber(topic = "news")
    @Nullable
    HandlerOutcome newsA(String script, Delivery delivery) {
        return scripted.perform("news-a", script, delivery);
    }

    /** The other one, which takes everything. */
    @Subscriber(topic = "news")
    void newsB(String script, Delivery delivery) {
        scripted.note("news-b", script, delivery);
    }
}

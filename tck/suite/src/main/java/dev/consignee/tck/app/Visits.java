package dev.consignee.tck.app;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import dev.consignee.Subscriber;
import org.jspecify.annotations.Nullable;

/**
 * Has the handler that {@link Visitor} inherits.
 *
 * @param <T> the payload, which only the bean's class tells
 */
abstract class Visits<T> {

    @Subscriber(queue = "visits")
    @Nullable
    HandlerOutcome visits(T script, Delivery delivery) {
        return perform(script, delivery);
    }

    abstract @Nullable HandlerOutcome perform(T script, Delivery delivery);
}

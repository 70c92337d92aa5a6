package dev.consignee.tck.weld;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import dev.consignee.Subscriber;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** The plain subscriber of most tests: queue {@code work}, everything by default. */
@ApplicationScoped
class Worker {

    @Inject
    Scripted scripted;

    @Subscriber(queue = "work")
    HandlerOutcome work(String script, Delivery delivery) {
        return scripted.perform(script, delivery);
    }
}

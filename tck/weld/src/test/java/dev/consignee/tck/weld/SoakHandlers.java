package dev.consignee.tck.weld;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import dev.consignee.Subscriber;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/** The soak's application: returns what the model draws. The queues and caps are {@link SoakModel.Lane}'s. */
@Singleton
class SoakHandlers {

    static final String DEAD = "soak.dead";

    private final SoakLedger ledger;

    @Inject
    SoakHandlers(SoakLedger ledger) {
        this.ledger = ledger;
    }

    @Subscriber(queue = "soak.wide", maxAttempts = 5, deadLetter = DEAD)
    HandlerOutcome wide(String id, Delivery delivery) {
        return handle(id, delivery);
    }

    @Subscriber(queue = "soak.shared", maxAttempts = 3, deadLetter = DEAD, credit = 32)
    HandlerOutcome shared(String id, Delivery delivery) {
        return handle(id, delivery);
    }

    @Subscriber(queue = "soak.shared", maxAttempts = 3, deadLetter = DEAD, credit = 1)
    HandlerOutcome sharedToo(String id, Delivery delivery) {
        return handle(id, delivery);
    }

    @Subscriber(queue = "soak.narrow", maxAttempts = 2, credit = 1)
    HandlerOutcome narrow(String id, Delivery delivery) {
        return handle(id, delivery);
    }

    private HandlerOutcome handle(String text, Delivery delivery) {
        int id = Integer.parseInt(text);
        SoakModel model = ledger.model();
        ledger.called(id, delivery);
        return switch (model.way(id, delivery.attempt())) {
            case ACK -> HandlerOutcome.ack();
            case RETRY -> HandlerOutcome.retry();
            case LATER -> HandlerOutcome.retryAfter(model.delay(id, delivery.attempt()));
            case DROP -> HandlerOutcome.drop();
            case THROW -> throw new IllegalStateException("drawn by the soak");
        };
    }
}

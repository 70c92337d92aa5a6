package dev.consignee.sample;

import dev.consignee.HandlerOutcome;
import dev.consignee.Publisher;
import dev.consignee.Settle;
import dev.consignee.Subscriber;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Picks shipments, logs every pick, and restocks the shelves. */
@ApplicationScoped
public class Warehouse {

    private static final Logger LOG = System.getLogger(Warehouse.class.getName());

    @Inject
    Shelves shelves;

    @Inject
    Publisher publisher;

    /**
     * Picks a shipment and says so in the pick log. After a lost connection a shipment may come twice; it is then logged
     * twice.
     *
     * @return drop for an empty shipment, which can never be picked; retry for one whose goods are out of stock, which
     *     may be picked later, but goes to {@code shipments.dead} after five attempts
     */
    @Subscriber(queue = "shipments", credit = 32, maxAttempts = 5, deadLetter = "shipments.dead")
    HandlerOutcome pick(Shipment shipment) {
        if (shipment.quantity() == 0) {
            LOG.log(Level.DEBUG, () -> shipment + " is empty");
            return HandlerOutcome.drop();
        }
        if (!shelves.has(shipment.sku(), shipment.quantity())) {
            LOG.log(Level.DEBUG, () -> shipment + " is out of stock");
            return HandlerOutcome.retry();
        }
        publisher.toQueue("pick-log").send(new Picked(shipment.id()));
        shelves.take(shipment.sku(), shipment.quantity());
        LOG.log(Level.DEBUG, () -> shipment + " picked");
        return HandlerOutcome.ack();
    }

    /** Writes a line of the pick log, at most once: a line that is missing after a crash does no harm. */
    @Subscriber(queue = "pick-log", settle = Settle.AT_MOST_ONCE)
    void logPick(Picked picked) {
        LOG.log(Level.DEBUG, () -> picked + " logged");
    }

    /**
     * Puts goods that have come in on their shelf.
     *
     * @return retry after a while for goods that have no shelf yet, which is being put up meanwhile; else ack, since there
     *     is room for everything
     */
    @Subscriber(queue = "restock")
    HandlerOutcome restock(Restock restock) {
        if (!shelves.hasShelfFor(restock.sku())) {
            shelves.orderShelfFor(restock.sku());
            LOG.log(Level.DEBUG, () -> restock + " waits for its shelf");
            return HandlerOutcome.retryAfter(Duration.ofMillis(200));
        }
        shelves.put(restock.sku(), restock.quantity());
        LOG.log(Level.DEBUG, () -> restock + " on the shelf");
        return HandlerOutcome.ack();
    }
}

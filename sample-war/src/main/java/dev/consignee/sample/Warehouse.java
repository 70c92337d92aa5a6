package dev.consignee.sample;

import dev.consignee.HandlerOutcome;
import dev.consignee.Publisher;
import dev.consignee.Subscriber;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

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
     *     may be picked later
     */
    @Subscriber(queue = "shipments", credit = 32)
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

    /** Writes a line of the pick log; it is acknowledged when this returns. */
    @Subscriber(queue = "pick-log")
    void logPick(Picked picked) {
        LOG.log(Level.DEBUG, () -> picked + " logged");
    }

    /**
     * Puts goods that have come in on their shelf.
     *
     * @return ack, since there is room for everything
     */
    @Subscriber(queue = "restock")
    HandlerOutcome restock(Restock restock) {
        shelves.put(restock.sku(), restock.quantity());
        LOG.log(Level.DEBUG, () -> restock + " on the shelf");
        return HandlerOutcome.ack();
    }
}

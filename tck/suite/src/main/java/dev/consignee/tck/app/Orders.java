package dev.consignee.tck.app;

import dev.consignee.Delivery;
import dev.consignee.Subscriber;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Takes JSON and returns nothing: queue {@code orders}. */
@ApplicationScoped
public class Orders {

    private final Scripted scripted;

    /** For the container's proxy. */
    @SuppressWarnings("NullAway") // a proxy has no fields of its own
    protected Orders() {
        this.scripted = null;
    }

    /** Makes the bean. */
    @Inject
    public Orders(Scripted scripted) {
        this.scripted = scripted;
    }

    /**
     * What an order says.
     *
     * @param id its number
     * @param what the goods
     */
    public record Order(int id, String what) {}

    @Subscriber(queue = "orders")
    void orders(Order order, Delivery delivery) {
        scripted.note("orders", order.id() + " " + order.what(), delivery);
    }
}

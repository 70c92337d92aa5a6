package dev.consignee.sample;

import java.util.Objects;

/**
 * What a customer is to be sent.
 *
 * @param id the shipment's number
 * @param sku the goods
 * @param quantity how many units; an order that was emptied has 0
 */
public record Shipment(long id, String sku, int quantity) {

    /** Refuses what is no shipment, which makes it a body that cannot be decoded. */
    public Shipment {
        Objects.requireNonNull(sku, "sku");
        if (quantity < 0) {
            throw new IllegalArgumentException("quantity of shipment " + id + " is " + quantity + ", not 0 or more");
        }
    }
}

package dev.consignee.sample;

import java.util.Objects;

/**
 * Goods that have come in.
 *
 * @param sku the goods
 * @param quantity how many units, 1 or more
 */
public record Restock(String sku, int quantity) {

    /** Refuses what cannot have come in, which makes it a body that cannot be decoded. */
    public Restock {
        Objects.requireNonNull(sku, "sku");
        if (quantity < 1) {
            throw new IllegalArgumentException("quantity of " + sku + " is " + quantity + ", not 1 or more");
        }
    }
}

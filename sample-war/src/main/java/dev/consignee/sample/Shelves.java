package dev.consignee.sample;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The goods on the shelves, in units. Any thread may put and take. */
@ApplicationScoped
public class Shelves {

    /** What the warehouse keeps. Globes, telescopes and typewriters are in the catalogue, but on no shelf yet. */
    public static final List<String> ASSORTMENT = List.of(
            "book", "chair", "desk", "envelope", "folder", "ink", "lamp", "map", "notebook", "pen", "ruler", "stapler");

    private static final int OPENING_STOCK = 10_000;
    private static final Duration BUILDING_TIME = Duration.ofMillis(100);

    private final Map<String, Integer> units = new ConcurrentHashMap<>();
    private final Map<String, Instant> upFrom = new ConcurrentHashMap<>();

    /** Opens with a full shelf of everything in the {@link #ASSORTMENT}. */
    public Shelves() {
        ASSORTMENT.forEach(sku -> units.put(sku, OPENING_STOCK));
    }

    /** Tells whether at least so many units of the goods are there. */
    public boolean has(String sku, int quantity) {
        return units.getOrDefault(sku, 0) >= quantity;
    }

    /** Takes units off their shelf, down to none at the least. */
    public void take(String sku, int quantity) {
        units.computeIfPresent(sku, (key, present) -> Math.max(0, present - quantity));
    }

    /** Tells whether there is a shelf for the goods, be it empty. */
    public boolean hasShelfFor(String sku) {
        Instant up = upFrom.get(sku);
        return units.containsKey(sku) || (up != null && !up.isAfter(Instant.now()));
    }

    /** Has a shelf put up for goods that have none, which takes a moment. */
    public void orderShelfFor(String sku) {
        upFrom.putIfAbsent(sku, Instant.now().plus(BUILDING_TIME));
    }

    /** Puts units on their shelf. */
    public void put(String sku, int quantity) {
        units.merge(sku, quantity, Integer::sum);
    }
}

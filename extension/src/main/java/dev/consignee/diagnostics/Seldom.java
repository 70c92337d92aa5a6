package dev.consignee.diagnostics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Lets the first of a kind through and after it at most one in a while, and counts the others.
 *
 * <p>Kinds are few (exception types); beyond a bound new ones share a place. Any thread.
 */
public final class Seldom {

    private static final int MOST_KINDS = 100;

    private final long interval;
    private final LongSupplier nanoTime;
    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    /**
     * Has let nothing through yet.
     *
     * @param nanoTime as {@link System#nanoTime()}
     */
    public Seldom(Duration interval, LongSupplier nanoTime) {
        this.interval = interval.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Returns -1 if this one is not to be seen, else how many of its kind were not since the last that was. */
    public long ask(String kind) {
        String place = kinds.size() < MOST_KINDS || kinds.containsKey(kind) ? kind : "";
        long now = nanoTime.getAsLong();
        Kind known = kinds.computeIfAbsent(place, first -> new Kind(now - interval));
        long last = known.last.get();
        if (now - last >= interval && known.last.compareAndSet(last, now)) {
            return known.suppressed.getAndSet(0);
        }
        known.suppressed.incrementAndGet();
        return -1;
    }

    private static final class Kind {
        private final AtomicLong last;
        private final AtomicLong suppressed = new AtomicLong();

        Kind(long last) {
            this.last = new AtomicLong(last);
        }
    }
}

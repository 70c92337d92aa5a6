package dev.consignee.time;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Counts failures in a row and tells how long to wait after each.
 *
 * <p>A success ends the row only once it has lasted longer than the wait before it: what is lost again at once would
 * otherwise be tried again without a pause. Confined to one thread at a time.
 */
public final class Tries {

    private final Backoff backoff;
    private final LongSupplier nanoTime;
    private final DoubleSupplier random;
    private int failures;
    private long lastWait;
    private boolean succeeded;
    private long succeededAt;

    /**
     * Begins without a failure.
     *
     * @param nanoTime as {@link System#nanoTime()}
     * @param random at random, 0 to 1
     */
    public Tries(Backoff backoff, LongSupplier nanoTime, DoubleSupplier random) {
        this.backoff = backoff;
        this.nanoTime = nanoTime;
        this.random = random;
    }

    /** It worked. */
    public void succeeded() {
        succeeded = true;
        succeededAt = nanoTime.getAsLong();
    }

    /** It failed, or what worked was lost; returns how long to wait before the next try. */
    public Duration failed() {
        if (succeeded && nanoTime.getAsLong() - succeededAt > lastWait) {
            failures = 0;
        }
        succeeded = false;
        failures++;
        Duration wait = backoff.delay(failures, random.getAsDouble());
        lastWait = wait.toNanos();
        return wait;
    }

    /** How many failures in a row there were. */
    public int failures() {
        return failures;
    }
}

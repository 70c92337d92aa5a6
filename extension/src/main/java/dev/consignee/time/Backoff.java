package dev.consignee.time;

import java.time.Duration;

/**
 * The delays between tries: the first one doubles with each failure in a row up to the greatest, and each is lengthened or
 * shortened at random, so that many clients don't come back at the same moment.
 *
 * @param first the delay after the first failure
 * @param greatest no delay is longer, jitter included
 * @param jitter by which part a delay may vary, 0 to 1
 */
public record Backoff(Duration first, Duration greatest, double jitter) {

    /** Refuses what would be a busy loop or no range. */
    public Backoff {
        if (first.isNegative() || first.isZero() || greatest.compareTo(first) < 0) {
            throw new IllegalArgumentException("delays from " + first + " to " + greatest);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("jitter " + jitter + " is not in 0 to 1");
        }
    }

    /**
     * Returns the delay after so many failures in a row.
     *
     * @param failures 1 or more
     * @param random at random, 0 to 1
     */
    public Duration delay(int failures, double random) {
        double doublings = Math.scalb(1.0, Math.min(failures - 1, 62));
        double nanos = Math.min(first.toNanos() * doublings, (double) greatest.toNanos());
        double varied = nanos * (1 + jitter * (2 * random - 1));
        return Duration.ofNanos((long) Math.min(varied, (double) greatest.toNanos()));
    }
}

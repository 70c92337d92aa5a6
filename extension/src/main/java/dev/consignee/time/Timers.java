package dev.consignee.time;

import java.time.Duration;

/** Runs things later. Any thread. */
public interface Timers {

    /** No wait is longer. */
    Duration LONGEST = Duration.ofDays(36_500);

    /**
     * Runs a task after a while, on a thread that must not be blocked.
     *
     * @param delay zero or more; what is longer than {@link #LONGEST} is as long as that
     */
    Timer after(Duration delay, Runnable task);

    /** One task that waits for its time. */
    interface Timer {

        /** Takes the task back; says no where it has begun. */
        boolean cancel();
    }
}

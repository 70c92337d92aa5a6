package dev.consignee.tck;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What bytes pass on their way through the {@link FrameProxy}. Any thread may use it.
 *
 * <ul>
 *   <li>G1: while it is shut nothing passes, and what had passed before {@link #shut} has been written when that
 *       returns (unless a peer that reads nothing holds the write up).
 *   <li>G2: whoever waits and whose connection is gone is let go, without having passed.
 * </ul>
 */
final class Gate {

    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(2);

    private boolean shut;
    private int passing;

    /**
     * Waits while the gate is shut; whoever has passed must call {@link #passed()}.
     *
     * @return false if the connection is gone (G2)
     */
    synchronized boolean pass(BooleanSupplier gone) throws InterruptedException {
        while (shut && !gone.getAsBoolean()) {
            wait();
        }
        if (gone.getAsBoolean()) {
            return false;
        }
        passing++;
        return true;
    }

    synchronized void passed() {
        passing--;
        notifyAll();
    }

    /** Shuts it and waits for those who are passing (G1). */
    synchronized void shut() throws InterruptedException {
        shut = true;
        long deadline = System.nanoTime() + WRITE_TIMEOUT.toNanos();
        for (long left = WRITE_TIMEOUT.toNanos(); passing > 0 && left > 0; left = deadline - System.nanoTime()) {
            wait(Math.max(1, left / 1_000_000));
        }
    }

    synchronized void open() {
        shut = false;
        notifyAll();
    }

    /** Has those who wait look again whether their connection is gone (G2). */
    synchronized void recheck() {
        notifyAll();
    }
}

package dev.consignee.transport.jms;

/**
 * Counts what the broker may still send and what it has not been told the outcome of.
 *
 * <ul>
 *   <li>I1: granted and not yet used, plus unsettled, never exceeds {@code credit} (credit-1).
 *   <li>I2: a settlement returns its credit once, whatever its disposition (failure-5).
 *   <li>I3: credit goes out in steps: when no more than half of it is left with the broker, and what may be granted is
 *       worth a frame (credit-3).
 * </ul>
 *
 * <p>One window belongs to one link, so a settlement of an earlier link returns nothing here. Confined to the event loop.
 */
final class CreditWindow {

    private final int credit;
    private final int worthAFrame;
    private int granted;
    private int unsettled;

    CreditWindow(int credit) {
        this.credit = credit;
        this.worthAFrame = Math.max(1, (int) (credit * 0.3));
    }

    /** The broker used one credit. */
    void received() {
        granted--;
        unsettled++;
    }

    /** One received delivery was settled. */
    void settled() {
        unsettled--;
    }

    /** The broker gave back what it had not used. */
    void drained() {
        granted = 0;
    }

    int unsettled() {
        return unsettled;
    }

    /** Returns how much to grant now, and counts it as granted; 0 for nothing. */
    int grant() {
        int free = credit - granted - unsettled;
        if (granted > credit / 2 || free < worthAFrame) {
            return 0;
        }
        granted += free;
        return free;
    }
}

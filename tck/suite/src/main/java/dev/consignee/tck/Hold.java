package dev.consignee.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A point that no frame passes, set by {@link FrameProxy#hold}. A connection stands still in one direction from its first
 * frame on that matches, until the hold is released or the connection is cut; the other direction goes on. Any thread may
 * use it.
 */
public final class Hold {

    private final Predicate<? super Frame> first;
    private final List<Frame> held = new ArrayList<>();
    private boolean released;

    Hold(Predicate<? super Frame> first) {
        this.first = first;
    }

    /**
     * The frames at which connections have come to stand, in order. They have arrived at the proxy and are not in its record,
     * and neither are those behind them, until they go on.
     */
    public synchronized List<Frame> frames() {
        return List.copyOf(held);
    }

    /** Lets everything go on, and holds nothing any more. */
    public synchronized void release() {
        released = true;
        notifyAll();
    }

    synchronized boolean holds(Frame frame) {
        return !released && first.test(frame);
    }

    /**
     * Stands at a frame.
     *
     * @return false if the connection is gone
     */
    synchronized boolean stand(Frame frame, BooleanSupplier gone) throws InterruptedException {
        held.add(frame);
        while (!released && !gone.getAsBoolean()) {
            wait();
        }
        return !gone.getAsBoolean();
    }

    /** Has those who stand look again whether their connection is gone. */
    synchronized void recheck() {
        notifyAll();
    }
}

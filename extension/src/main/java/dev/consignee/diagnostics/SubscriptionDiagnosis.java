package dev.consignee.diagnostics;

import java.util.concurrent.atomic.AtomicInteger;

/** One subscription's state and counters, written by its threads and read by anyone. */
public final class SubscriptionDiagnosis {

    private final String name;
    private final String address;
    private final String broker;
    private final Counters counters = new Counters();
    private final AtomicInteger waitingCopies = new AtomicInteger();
    private volatile SubscriptionState state;

    /** Begins in a state, with nothing counted. */
    public SubscriptionDiagnosis(String name, String address, String broker, SubscriptionState state) {
        this.name = name;
        this.address = address;
        this.broker = broker;
        this.state = state;
    }

    /** What it counts. */
    public Counters counters() {
        return counters;
    }

    /** How many copies and dead letters wait that nobody else has. */
    public AtomicInteger waitingCopies() {
        return waitingCopies;
    }

    /** Moves on in its life. What is stopping or has ended does not seem to start again. */
    public synchronized void state(SubscriptionState next) {
        boolean ending = state == SubscriptionState.STOPPING
                || state == SubscriptionState.STOPPED
                || state == SubscriptionState.STOPPED_BY_POLICY;
        if (!ending || (next != SubscriptionState.CONNECTING && next != SubscriptionState.ATTACHED)) {
            state = next;
        }
    }

    /** Its link is gone, while it is to be attached. */
    public synchronized void detached() {
        if (state == SubscriptionState.ATTACHED) {
            state = SubscriptionState.CONNECTING;
        }
    }

    /** It is about to end, unless it has ended already. */
    public synchronized void stopping() {
        if (state != SubscriptionState.STOPPED && state != SubscriptionState.STOPPED_BY_POLICY) {
            state = SubscriptionState.STOPPING;
        }
    }

    /** It has ended; if by a policy, that stays to be seen. */
    public synchronized void stopped() {
        if (state != SubscriptionState.STOPPED_BY_POLICY) {
            state = SubscriptionState.STOPPED;
        }
    }

    /** Where it is in its life. */
    public SubscriptionState state() {
        return state;
    }

    /** All of it, as of now. */
    public SubscriptionStatus status() {
        Counters.Counts counts = counters.counts();
        return new SubscriptionStatus(
                name,
                address,
                broker,
                state,
                counts.deliveries(),
                counts.accepted(),
                counts.modified(),
                counts.rejected(),
                counts.linkLost(),
                counts.decodeFailures(),
                counts.handlerFailures(),
                counts.attached(),
                counts.copies(),
                counts.deadLetters(),
                waitingCopies.get(),
                counts.lostCopies(),
                counts.unsupported(),
                counts.unhandled());
    }
}

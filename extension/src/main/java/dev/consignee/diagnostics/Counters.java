package dev.consignee.diagnostics;

import java.util.concurrent.atomic.LongAdder;

/** What a subscription counts, since it was made. Any thread may add and read. */
public final class Counters {

    private final LongAdder deliveries = new LongAdder();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder modified = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder linkLost = new LongAdder();
    private final LongAdder decodeFailures = new LongAdder();
    private final LongAdder handlerFailures = new LongAdder();
    private final LongAdder attached = new LongAdder();

    private final LongAdder copies = new LongAdder();
    private final LongAdder deadLetters = new LongAdder();
    private final LongAdder lostCopies = new LongAdder();
    private final LongAdder unsupported = new LongAdder();
    private final LongAdder unhandled = new LongAdder();

    /** Counts nothing yet. */
    public Counters() {}

    /** A delivery was received for handling. */
    public void delivery() {
        deliveries.increment();
    }

    /** A delivery was settled as {@code accepted}. */
    public void accepted() {
        accepted.increment();
    }

    /** A delivery was settled as {@code modified} with {@code delivery-failed}. */
    public void modified() {
        modified.increment();
    }

    /** A delivery was settled as {@code rejected}. */
    public void rejected() {
        rejected.increment();
    }

    /** An outcome did not reach its delivery, because the link went first. */
    public void linkLost() {
        linkLost.increment();
    }

    /** A body was no payload of the handler's. */
    public void decodeFailure() {
        decodeFailures.increment();
    }

    /** A handler threw, or returned no outcome. */
    public void handlerFailure() {
        handlerFailures.increment();
    }

    /** A link was attached. */
    public void attached() {
        attached.increment();
    }

    /** A copy was confirmed by the broker. */
    public void copy() {
        copies.increment();
    }

    /** A dead letter was confirmed by the broker. */
    public void deadLetter() {
        deadLetters.increment();
    }

    /** A copy or dead letter that only this process had was lost: discarded, or not published before its end. */
    public void lostCopy() {
        lostCopies.increment();
    }

    /** An outcome had nothing to settle. */
    public void unsupported() {
        unsupported.increment();
    }

    /** A delivery that arrived settled was not handled before the end. */
    public void unhandled() {
        unhandled.increment();
    }

    /** What has been counted, each number by itself as of now. */
    Counts counts() {
        return new Counts(
                deliveries.sum(),
                accepted.sum(),
                modified.sum(),
                rejected.sum(),
                linkLost.sum(),
                decodeFailures.sum(),
                handlerFailures.sum(),
                attached.sum(),
                copies.sum(),
                deadLetters.sum(),
                lostCopies.sum(),
                unsupported.sum(),
                unhandled.sum());
    }

    /** The numbers of {@link SubscriptionStatus}. */
    record Counts(
            long deliveries,
            long accepted,
            long modified,
            long rejected,
            long linkLost,
            long decodeFailures,
            long handlerFailures,
            long attached,
            long copies,
            long deadLetters,
            long lostCopies,
            long unsupported,
            long unhandled) {}
}

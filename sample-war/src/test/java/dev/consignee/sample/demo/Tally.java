package dev.consignee.sample.demo;

import dev.consignee.diagnostics.SubscriptionStatus;

/**
 * What the extension has counted of one subscription.
 *
 * @param declared the subscription
 * @param deliveries received for handling
 * @param settled by their disposition
 * @param forwarded what was published to bring messages back or to give them up
 * @param troubles what did not go as usual
 */
record Tally(Declared declared, long deliveries, Settled settled, Forwarded forwarded, Troubles troubles) {

    /** Deliveries that a disposition has left for; {@code modified} with {@code delivery-failed}. */
    record Settled(long accepted, long modified, long rejected) {

        long sum() {
            return accepted + modified + rejected;
        }
    }

    /**
     * Messages that were published again.
     *
     * @param copies to the queue they came from, and confirmed
     * @param deadLetters to the dead-letter queue, and confirmed
     * @param waiting nobody else has them, and they are still to be published
     * @param lost of those that never were
     */
    record Forwarded(long copies, long deadLetters, long waiting, long lost) {}

    /**
     * What did not go as usual.
     *
     * @param undecodable bodies that were no payload
     * @param failures handler calls that threw
     * @param linkLost outcomes that did not reach their delivery
     * @param unsupported outcomes that had nothing to settle
     * @param unhandled deliveries that arrived settled and never reached the handler
     */
    record Troubles(long undecodable, long failures, long linkLost, long unsupported, long unhandled) {}

    static Tally of(SubscriptionStatus status) {
        return new Tally(
                Declared.named(status.name()),
                status.deliveries(),
                new Settled(status.accepted(), status.modified(), status.rejected()),
                new Forwarded(status.copies(), status.deadLetters(), status.waitingCopies(), status.lostCopies()),
                new Troubles(
                        status.decodeFailures(),
                        status.handlerFailures(),
                        status.linkLost(),
                        status.unsupported(),
                        status.unhandled()));
    }

    String queue() {
        return declared.queue();
    }

    long copies() {
        return forwarded.copies();
    }

    /** Returns the deliveries with which a message left its queue for good, but for those that were rejected. */
    long ended() {
        return declared.atMostOnce() ? deliveries : settled.accepted();
    }
}

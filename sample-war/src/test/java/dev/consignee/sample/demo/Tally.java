package dev.consignee.sample.demo;

import dev.consignee.diagnostics.SubscriptionStatus;

/**
 * What the extension has counted of one subscription.
 *
 * @param subscription the subscriber's name
 * @param queue what it consumes from
 * @param deliveries received for handling
 * @param accepted settled so
 * @param modified settled so, with {@code delivery-failed}
 * @param rejected settled so
 * @param undecodable bodies that were no payload
 * @param failures handler calls that threw
 * @param linkLost outcomes that did not reach their delivery
 */
record Tally(
        String subscription,
        String queue,
        long deliveries,
        long accepted,
        long modified,
        long rejected,
        long undecodable,
        long failures,
        long linkLost) {

    static Tally of(SubscriptionStatus status, String queue) {
        return new Tally(
                status.name(),
                queue,
                status.deliveries(),
                status.accepted(),
                status.modified(),
                status.rejected(),
                status.decodeFailures(),
                status.handlerFailures(),
                status.linkLost());
    }

    /** Returns the deliveries that a disposition has left for. */
    long settled() {
        return accepted + modified + rejected;
    }
}

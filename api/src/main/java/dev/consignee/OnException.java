package dev.consignee;

/** Says how a delivery is settled whose handler threw, or returned {@code null} where an outcome was due. */
public enum OnException {
    /**
     * Settles as {@link HandlerOutcome#retry()}: {@code modified} with {@code delivery-failed}; with {@link
     * Subscriber#backoff()} as {@link HandlerOutcome#retryAfter}. The default.
     */
    RETRY,
    /** Settles as {@link HandlerOutcome#drop()}: {@code rejected}. */
    DROP,
    /** Settles as {@link HandlerOutcome#ack()}: {@code accepted}; the failure is logged and counted all the same. */
    ACK,
    /**
     * Leaves the delivery unsettled and stops this subscription: its link closes, and what it had not settled goes back
     * to the queue. Other subscriptions go on.
     */
    STOP
}

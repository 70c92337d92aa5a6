package dev.consignee;

/** Says how a delivery is settled whose body is no payload of the handler's; the handler is not called. */
public enum OnDecodeError {
    /** Settles as {@link HandlerOutcome#drop()}: {@code rejected}, the broker's dead-letter policy decides. The default. */
    DROP,
    /** Settles as {@link HandlerOutcome#retry()}: {@code modified} with {@code delivery-failed}. */
    RETRY,
    /** Settles as {@link HandlerOutcome#ack()}: {@code accepted}; the failure is logged and counted all the same. */
    ACK,
    /** Leaves the delivery unsettled and stops this subscription. */
    STOP
}

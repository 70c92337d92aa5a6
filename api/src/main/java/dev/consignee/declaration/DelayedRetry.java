package dev.consignee.declaration;

/** Says who keeps a message while a retry waits for its time. */
public enum DelayedRetry {
    /** The delivery is {@code rejected}, and a copy waits in this process. The default. */
    IN_PROCESS,
    /** A copy is handed to the broker at once, with a delivery time, and the delivery is {@code accepted}. */
    BROKER,
    /** The delivery stays unsettled while it waits, and is then {@code modified} with {@code delivery-failed}. */
    HOLD
}

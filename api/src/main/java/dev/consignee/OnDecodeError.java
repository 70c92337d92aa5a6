package dev.consignee;

/** Says how a delivery is settled whose body is no payload of the handler's; the handler is not called. */
public enum OnDecodeError {
    /** Settles as {@link HandlerOutcome#drop()}: {@code rejected}, the broker's dead-letter policy decides. The default. */
    DROP,
    /** Settles as {@link HandlerOutcome#retry()}: {@code modified} with {@code delivery-failed}. */
    RETRY,
    /** Settles as {@link HandlerOutcome#ack()}: {@code accepted}; the failure is logged and counted all the same. */
    ACK,
    /**
     * Publishes the message as it arrived to {@link Subscriber#deadLetter()} and, once the broker has confirmed it, settles
     * the delivery as {@code accepted}; whatever attempt it is. A message of which nothing was kept, because it is larger
     * than {@code max-message-size}, is {@code rejected} instead.
     */
    DEAD_LETTER,

    /** Leaves the delivery unsettled and stops this subscription. */
    STOP
}

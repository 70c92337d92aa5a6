package dev.consignee;

/** Says when a delivery is settled, and thereby what a crash costs. */
public enum Settle {
    /**
     * Settles a delivery once the handler's outcome is known: after a crash the message comes back, so a handler may see
     * a message twice, and none is lost. The default.
     */
    AT_LEAST_ONCE,

    /**
     * Settles a delivery as it is handed over: the broker forgets the message at once, so that a crash before the handler
     * has finished loses it, and none is seen twice. The handler's outcome has nothing left to settle: {@code ack}, {@code
     * drop} and {@code retry} report {@link AckError#UNSUPPORTED}.
     */
    AT_MOST_ONCE
}

package dev.consignee;

/** Says when a delivery is settled, and thereby what a crash costs. */
public enum Settle {
    /**
     * Settles a delivery once the handler's outcome is known: after a crash the message comes back, so a handler may see
     * a message twice, and none is lost. The default.
     */
    AT_LEAST_ONCE
}

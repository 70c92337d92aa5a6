package dev.consignee.diagnostics;

/** Where a subscription is in its life. */
public enum SubscriptionState {
    /** Switched off by configuration; it never starts. */
    DISABLED,
    /** Not started yet. */
    NEW,
    /** Trying to connect and attach. */
    CONNECTING,
    /** Its link is attached: it receives. */
    ATTACHED,
    /** A policy stopped it ({@code STOP}); others go on. It starts again with the application. */
    STOPPED_BY_POLICY,
    /** Finishing what it has in hand. */
    STOPPING,
    /** Ended. */
    STOPPED
}

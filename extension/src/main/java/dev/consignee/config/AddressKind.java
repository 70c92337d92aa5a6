package dev.consignee.config;

/** How a subscriber's address is meant. */
public enum AddressKind {
    /** Anycast: receivers compete. */
    QUEUE,
    /** Multicast: every subscription receives each message. */
    TOPIC,
    /** As it is written, without a capability. */
    VERBATIM
}

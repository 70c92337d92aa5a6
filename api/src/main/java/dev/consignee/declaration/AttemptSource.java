package dev.consignee.declaration;

/** Says whose count of attempts is trusted for a message that arrives without a header section, and for a copy. */
public enum AttemptSource {
    /** The broker's where the delivery has a header section that says something, else the count of copies. The default. */
    HEADER,
    /** The broker's always: it counts from the next delivery on. */
    BROKER
}

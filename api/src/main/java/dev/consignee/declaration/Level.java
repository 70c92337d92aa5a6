package dev.consignee.declaration;

/** How much a problem matters. */
public enum Level {
    /** Stops deployment. */
    ERROR,
    /** Is logged; deployment goes on. */
    WARN
}

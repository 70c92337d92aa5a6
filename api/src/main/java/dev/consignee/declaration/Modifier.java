package dev.consignee.declaration;

/** A modifier that a handler method may not have. */
public enum Modifier {
    /** Belongs to no bean instance. */
    STATIC,
    /** Cannot be called from outside its class. */
    PRIVATE,
    /** Has no body. */
    ABSTRACT
}

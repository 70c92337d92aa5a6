package dev.consignee.declaration;

/** Says what becomes of copies that wait in the process when it stops. */
public enum OnStop {
    /** They are published early. The default. */
    PUBLISH,
    /** They are lost. */
    DISCARD
}

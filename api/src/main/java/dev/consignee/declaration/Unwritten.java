package dev.consignee.declaration;

/**
 * The values of annotation attributes that nobody wrote.
 *
 * <p>No user would write them, so that "not written" and "written with the default's value" differ: what is written
 * takes precedence over {@code consignee.defaults}, and zero stays an error. Attributes with an enumeration or a truth
 * value are arrays for the same reason: empty is not written.
 */
public final class Unwritten {

    /** A text attribute that is not written. */
    public static final String TEXT = "\u0000";

    /** A number attribute that is not written. */
    public static final int NUMBER = Integer.MIN_VALUE;

    private Unwritten() {}
}

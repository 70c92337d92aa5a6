package dev.consignee.transport;

/**
 * A message exactly as it arrived, in its transport's own form: only a sender of the same transport understands it. It
 * holds on to the message's bytes and to nothing else. Immutable.
 */
public interface Original {}

package dev.consignee.tck;

/** Which way a frame went through the {@link FrameProxy}. */
public enum Direction {
    CLIENT_TO_BROKER,
    BROKER_TO_CLIENT;

    /** The other way. */
    public Direction opposite() {
        return this == CLIENT_TO_BROKER ? BROKER_TO_CLIENT : CLIENT_TO_BROKER;
    }
}

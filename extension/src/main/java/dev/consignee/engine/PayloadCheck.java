package dev.consignee.engine;

import java.util.Optional;

/** Looks at a payload before the handler does. Called by many threads. */
@FunctionalInterface
public interface PayloadCheck {

    /** Finds nothing wrong with anything. */
    PayloadCheck NONE = payload -> Optional.empty();

    /**
     * Says what is wrong with a payload; then it is one that could not be decoded (failure-2).
     *
     * @return what is wrong, for a log line and so without the payload's values; empty where it is right
     */
    Optional<String> objection(Object payload);
}

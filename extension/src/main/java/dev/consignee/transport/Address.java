package dev.consignee.transport;

import java.util.Objects;

/**
 * Where messages come from or go to.
 *
 * @param kind what the terminus says of itself
 * @param name the address as it is sent
 */
public record Address(Kind kind, String name) {

    /** The capability that the source or target of a link carries. */
    public enum Kind {
        /** Anycast: the capability {@code queue}. */
        QUEUE,
        /** Multicast: the capability {@code topic}. */
        TOPIC,
        /** No capability; the broker knows the address, or chooses. */
        VERBATIM
    }

    /** Refuses nulls and an empty name. */
    public Address {
        Objects.requireNonNull(kind, "kind");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an address needs a name");
        }
    }

    @Override
    public String toString() {
        return switch (kind) {
            case QUEUE -> "queue '" + name + "'";
            case TOPIC -> "topic '" + name + "'";
            case VERBATIM -> "address '" + name + "'";
        };
    }
}

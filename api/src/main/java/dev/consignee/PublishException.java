package dev.consignee;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says that the broker did not accept a message, or that nobody knows whether it did. */
public final class PublishException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The broker's error condition, where it gave one. */
    private final @Nullable String condition;

    /**
     * Makes the exception.
     *
     * @param message what went wrong, for which address, and what to check
     * @param condition the AMQP error condition, such as {@code amqp:not-found}, or null
     * @param cause what the transport said, or null
     */
    public PublishException(String message, @Nullable String condition, @Nullable Throwable cause) {
        super(message, cause);
        this.condition = condition;
    }

    /**
     * Returns the broker's error condition.
     *
     * @return the symbol's text, such as {@code amqp:unauthorized-access}; empty where the broker gave none
     */
    public Optional<String> condition() {
        return Optional.ofNullable(condition);
    }
}

package dev.consignee.transport;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says that a broker could not be reached, refused something, or went away. Its message carries no credentials. */
public final class TransportException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String text;
    private final @Nullable String condition;

    /**
     * Makes the exception.
     *
     * @param condition the AMQP error condition, such as {@code amqp:not-found}, or null
     */
    public TransportException(String text, @Nullable String condition, @Nullable Throwable cause) {
        super(text, cause);
        this.text = text;
        this.condition = condition;
    }

    /** The same failure for another thread, with that thread's own stack. */
    public TransportException again() {
        return new TransportException(text, condition, this);
    }

    @Override
    public String getMessage() {
        return text;
    }

    /** The AMQP error condition, such as {@code amqp:not-found}, where the broker gave one. */
    public Optional<String> condition() {
        return Optional.ofNullable(condition);
    }
}

package dev.consignee.engine;

import org.jspecify.annotations.Nullable;

/** Says that a body is no payload of the handler's. Its message quotes no more of the body than JSON-B does. */
final class DecodeException extends Exception {

    private static final long serialVersionUID = 1L;

    DecodeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

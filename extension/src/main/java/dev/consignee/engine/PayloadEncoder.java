package dev.consignee.engine;

import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Turns a payload into the bytes of a data section and what they are. Stateless; any thread. */
public final class PayloadEncoder {

    private final Jsonb jsonb;

    /**
     * Writes objects as JSON.
     *
     * @param jsonb stays open
     */
    public PayloadEncoder(Jsonb jsonb) {
        this.jsonb = jsonb;
    }

    /** A body and its content type. */
    @SuppressWarnings("ArrayRecordComponent") // carries the bytes to the next line of code, and is never compared
    record Encoded(byte[] body, String contentType) {}

    /**
     * Encodes a payload.
     *
     * @param contentType in place of what goes by the payload's type
     * @throws IllegalArgumentException where the payload cannot be written
     */
    Encoded encode(Object payload, Optional<String> contentType) {
        if (payload instanceof byte[] bytes) {
            return new Encoded(bytes.clone(), contentType.orElse("application/octet-stream"));
        } else if (payload instanceof String text) {
            String type = contentType.orElse("text/plain; charset=utf-8");
            return new Encoded(text.getBytes(charset(type)), type);
        }
        return new Encoded(json(payload).getBytes(StandardCharsets.UTF_8), contentType.orElse("application/json"));
    }

    private static Charset charset(String contentType) {
        try {
            return ContentType.charset(contentType).orElse(StandardCharsets.UTF_8);
        } catch (DecodeException unknown) {
            throw new IllegalArgumentException(unknown.getMessage(), unknown);
        }
    }

    private String json(Object payload) {
        try {
            return jsonb.toJson(payload);
        } catch (JsonbException unwritable) {
            throw new IllegalArgumentException(
                    "A " + payload.getClass().getName() + " cannot be written as JSON: " + unwritable.getMessage(),
                    unwritable);
        }
    }
}

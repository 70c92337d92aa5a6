package dev.consignee.engine;

import dev.consignee.Codec;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Turns a payload into the bytes of a data section and what they are. Stateless; any thread. */
public final class PayloadEncoder {

    private final Jsonb jsonb;
    private final Codecs codecs;

    /**
     * Writes objects by the codec of their content type, and as JSON where there is none.
     *
     * @param jsonb stays open
     */
    public PayloadEncoder(Jsonb jsonb, Codecs codecs) {
        this.jsonb = jsonb;
        this.codecs = codecs;
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
        String type = contentType.orElse("application/json");
        Optional<Codec> codec = codecs.of(type);
        return new Encoded(
                codec.isPresent()
                        ? encoded(codec.get(), payload, type)
                        : json(payload).getBytes(StandardCharsets.UTF_8),
                type);
    }

    private static Charset charset(String contentType) {
        try {
            return ContentType.charset(contentType).orElse(StandardCharsets.UTF_8);
        } catch (DecodeException unknown) {
            throw new IllegalArgumentException(unknown.getMessage(), unknown);
        }
    }

    private static byte[] encoded(Codec codec, Object payload, String contentType) {
        try {
            return codec.encode(payload, contentType);
        } catch (RuntimeException unwritable) {
            throw unwritable;
        } catch (Exception unwritable) {
            throw new IllegalArgumentException(
                    "A " + payload.getClass().getName() + " cannot be written as " + contentType + ": "
                            + unwritable.getMessage(),
                    unwritable);
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

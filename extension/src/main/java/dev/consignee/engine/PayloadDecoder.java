package dev.consignee.engine;

import dev.consignee.Codec;
import dev.consignee.transport.Message;
import jakarta.json.bind.Jsonb;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns a body into the payload that a handler takes, by what the body is. The content type decides three things only: the
 * charset of bytes, whether a codec is asked, and that serialized Java objects are refused (failure-3). {@code
 * docs/bodies.md} has the table.
 *
 * <p>Any thread; it remembers how it read the last content type, since the next message most likely has the same.
 */
final class PayloadDecoder {

    private static final String SERIALIZED = "application/x-java-serialized-object";

    private final Type type;
    private final Jsonb jsonb;
    private final Codecs codecs;
    private final PayloadCheck check;
    private volatile Reading last;

    PayloadDecoder(Type type, Jsonb jsonb, Codecs codecs, PayloadCheck check) {
        this.type = type;
        this.jsonb = jsonb;
        this.codecs = codecs;
        this.check = check;
        this.last = read("");
    }

    Object decode(Message message) throws DecodeException {
        Reading reading = reading(message.properties().contentType().orElse(""));
        if (reading.serialized()) {
            throw new DecodeException("a serialized Java object is never deserialized", null);
        }
        Object payload = payload(message.body(), reading);
        Optional<String> objection = check.objection(payload);
        if (objection.isPresent()) {
            throw new DecodeException(objection.get(), null);
        }
        return payload;
    }

    private Object payload(Message.Body body, Reading reading) throws DecodeException {
        if (type == byte[].class) {
            return isNothing(body) ? new byte[0] : bytes(body);
        } else if (type == String.class) {
            return isNothing(body) ? "" : text(body, reading);
        } else if (isNothing(body)) {
            throw new DecodeException("there is no body", null);
        }
        Codec codec = reading.codec();
        return codec == null ? json(jsonText(body, reading)) : decoded(codec, bytes(body), reading.contentType());
    }

    /** Whether there is no body, or one that says null. */
    private static boolean isNothing(Message.Body body) {
        return body instanceof Message.None || (body instanceof Message.Value value && value.value() == null);
    }

    // --- bytes

    private static byte[] bytes(Message.Body body) throws DecodeException {
        byte @Nullable [] bytes = bytesOrNull(body);
        if (bytes != null) {
            return bytes;
        } else if (body instanceof Message.Value value && value.value() instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        throw new DecodeException("the body holds no bytes: it is " + kind(body), null);
    }

    private static byte @Nullable [] bytesOrNull(Message.Body body) {
        if (body instanceof Message.Data data) {
            return data.bytes();
        }
        return body instanceof Message.Value value && value.value() instanceof byte[] binary ? binary : null;
    }

    // --- text

    private String text(Message.Body body, Reading reading) throws DecodeException {
        byte @Nullable [] bytes = bytesOrNull(body);
        if (bytes != null) {
            return BodyText.of(bytes, charset(reading));
        }
        String plain =
                body instanceof Message.Value value && value.value() != null ? AmqpValues.text(value.value()) : null;
        return plain == null ? written(body) : BodyText.unmarked(plain);
    }

    private String jsonText(Message.Body body, Reading reading) throws DecodeException {
        byte @Nullable [] bytes = bytesOrNull(body);
        String text;
        if (bytes != null) {
            text = BodyText.of(bytes, charset(reading));
        } else if (body instanceof Message.Value value && value.value() instanceof String sent) {
            text = BodyText.unmarked(sent);
        } else {
            return written(body);
        }
        if (text.isBlank()) {
            throw new DecodeException("the body is empty", null);
        }
        JsonText.check(text);
        return text;
    }

    // --- AMQP's own types

    /** The JSON of a value or sequence of AMQP's own types, as JSON-B writes it. */
    private String written(Message.Body body) throws DecodeException {
        Object content = body instanceof Message.Sequence sequence
                ? elements(sequence)
                : body instanceof Message.Value value ? value.value() : null;
        Object writable = AmqpValues.writable(content);
        try {
            return jsonb.toJson(writable);
        } catch (RuntimeException | StackOverflowError e) {
            throw new DecodeException("the body, " + kind(body) + ", cannot be written as JSON: " + e.getMessage(), e);
        }
    }

    private static List<@Nullable Object> elements(Message.Sequence sequence) {
        List<@Nullable Object> all = new ArrayList<>();
        sequence.sections().forEach(all::addAll);
        return all;
    }

    private static String kind(Message.Body body) {
        return body instanceof Message.Value value
                ? "an amqp-value of " + AmqpValues.kind(value.value())
                : "an amqp-sequence";
    }

    // --- payloads

    private Object json(String text) throws DecodeException {
        @Nullable Object payload;
        try {
            payload = jsonb.fromJson(text, type);
        } catch (RuntimeException | StackOverflowError e) {
            throw new DecodeException("the body is no JSON of " + type.getTypeName() + ": " + e.getMessage(), e);
        }
        if (payload == null) {
            throw new DecodeException("the body is the JSON null", null);
        }
        return payload;
    }

    @SuppressWarnings("ConstantValue") // what an application returns need not be what it should
    private Object decoded(Codec codec, byte[] bytes, String contentType) throws DecodeException {
        @Nullable Object payload;
        try {
            payload = codec.decode(bytes, type, contentType);
        } catch (Exception | StackOverflowError e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new DecodeException("the codec of " + contentType + " failed: " + e, e);
        }
        if (!raw(type).isInstance(payload)) {
            throw new DecodeException(
                    "the codec of " + contentType + " returned " + AmqpValues.kind(payload) + " where "
                            + type.getTypeName() + " is due",
                    null);
        }
        return payload;
    }

    private static Class<?> raw(Type type) {
        if (type instanceof Class<?> itself) {
            return itself;
        }
        return type instanceof ParameterizedType parameterized ? raw(parameterized.getRawType()) : Object.class;
    }

    // --- content types

    private Reading reading(String contentType) {
        Reading reading = last;
        if (!reading.contentType().equals(contentType)) {
            reading = read(contentType);
            last = reading;
        }
        return reading;
    }

    private static @Nullable Charset charset(Reading reading) throws DecodeException {
        if (reading.unknown() != null) {
            throw reading.unknown();
        }
        return reading.charset();
    }

    private Reading read(String contentType) {
        boolean serialized = ContentType.parse(contentType).mediaType().equals(SERIALIZED);
        Codec codec = codecs.of(contentType).orElse(null);
        try {
            Charset charset = ContentType.charset(contentType).orElse(null);
            return new Reading(contentType, serialized, charset, null, codec);
        } catch (DecodeException unknown) {
            return new Reading(contentType, serialized, null, unknown, codec);
        }
    }

    /**
     * What a content type says.
     *
     * @param serialized whether it is Java's own
     * @param charset what it names; null where it names none, or one that is not known
     * @param unknown says that the charset is not known
     * @param codec who takes it over
     */
    private record Reading(
            String contentType,
            boolean serialized,
            @Nullable Charset charset,
            @Nullable DecodeException unknown,
            @Nullable Codec codec) {}
}

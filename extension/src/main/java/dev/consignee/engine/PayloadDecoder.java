package dev.consignee.engine;

import dev.consignee.transport.Message;
import jakarta.json.bind.Jsonb;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns a body into the payload that a handler takes. Stateless; any thread. */
final class PayloadDecoder {

    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\\s\";]+)", Pattern.CASE_INSENSITIVE);
    private static final char UNREADABLE = '\uFFFD';

    private final Type type;
    private final Jsonb jsonb;

    PayloadDecoder(Type type, Jsonb jsonb) {
        this.type = type;
        this.jsonb = jsonb;
    }

    Object decode(Message message) throws DecodeException {
        String contentType = message.properties().contentType().orElse("");
        if (contentType.toLowerCase(Locale.ROOT).startsWith("application/x-java-serialized-object")) {
            throw new DecodeException("a serialized Java object is never deserialized", null); // failure-3
        }
        if (type == byte[].class) {
            return bytes(message.body());
        }
        String text = text(message.body(), contentType);
        return type == String.class ? text : json(text);
    }

    private static byte[] bytes(Message.Body body) throws DecodeException {
        if (body instanceof Message.Data data) {
            return data.bytes();
        } else if (body instanceof Message.Value value && value.value() instanceof byte[] binary) {
            return binary;
        } else if (body instanceof Message.Value value && value.value() instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        throw new DecodeException("the body holds no bytes: it is " + kind(body), null);
    }

    private static String text(Message.Body body, String contentType) throws DecodeException {
        if (body instanceof Message.Value value && value.value() instanceof String text) {
            return text;
        }
        try {
            return text(bytes(body), charset(contentType));
        } catch (CharacterCodingException e) {
            throw new DecodeException("the body is not text in " + charset(contentType), e);
        }
    }

    private static String text(byte[] bytes, Charset charset) throws CharacterCodingException {
        String text = new String(bytes, charset);
        if (text.indexOf(UNREADABLE) >= 0) { // put there for what cannot be read, unless the sender did
            return charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        }
        return text;
    }

    private static Charset charset(String contentType) throws DecodeException {
        Matcher matcher = CHARSET.matcher(contentType);
        if (!matcher.find()) {
            return StandardCharsets.UTF_8;
        }
        try {
            return Charset.forName(matcher.group(1));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new DecodeException("the content type names a charset that is not known: " + matcher.group(1), e);
        }
    }

    private Object json(String text) throws DecodeException {
        if (text.isBlank()) {
            throw new DecodeException("the body is empty", null);
        }
        JsonText.check(text);
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

    private static String kind(Message.Body body) {
        if (body instanceof Message.Value value) {
            Object content = value.value();
            return content == null
                    ? "an amqp-value of null"
                    : "an amqp-value of " + content.getClass().getSimpleName();
        }
        return body instanceof Message.Sequence ? "an amqp-sequence" : "missing";
    }
}

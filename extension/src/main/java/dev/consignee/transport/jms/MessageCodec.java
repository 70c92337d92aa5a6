package dev.consignee.transport.jms;

import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Message;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.DeliveryAnnotations;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.CompositeReadableBuffer;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.codec.WritableBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Turns the bytes of a transfer into a message and back, section by section. Confined to one thread at a time.
 *
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#section-message-format">AMQP
 *     1.0, messaging §3.2 message format</a>
 */
final class MessageCodec {

    private static final int DEFAULT_PRIORITY = 4;

    private final DecoderImpl decoder = new DecoderImpl();
    private final EncoderImpl encoder = new EncoderImpl(decoder);

    MessageCodec() {
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
    }

    Message decode(ReadableBuffer bytes) throws MalformedMessageException {
        decoder.setBuffer(bytes);
        try {
            Sections sections = new Sections();
            while (bytes.hasRemaining()) {
                sections.add(decoder.readObject());
            }
            return sections.message();
        } catch (RuntimeException | StackOverflowError malformed) {
            throw new MalformedMessageException("the message cannot be decoded: " + malformed, malformed);
        } finally {
            decoder.setBuffer(new CompositeReadableBuffer());
        }
    }

    /**
     * Encodes a message with a body of data sections.
     *
     * @param to the address, for the message's own {@code to}
     */
    byte[] encode(Message message, String to, Instant created) {
        if (!(message.body() instanceof Message.Data data)) {
            throw new IllegalArgumentException("only data sections are published, not " + message.body());
        }
        List<Object> sections = new ArrayList<>();
        Header header = new Header();
        header.setDurable(message.durable());
        sections.add(header);
        sections.add(properties(message.properties(), to, created));
        if (!message.applicationProperties().isEmpty()) {
            Map<String, Object> values = new LinkedHashMap<>();
            message.applicationProperties().forEach((name, value) -> values.put(name, toAmqp(value)));
            sections.add(new ApplicationProperties(values));
        }
        int room = 1024 + message.applicationProperties().size() * 64;
        for (byte[] section : data.sections()) {
            sections.add(new Data(new Binary(section)));
            room += section.length + 16;
        }
        return write(sections, room);
    }

    private byte[] write(List<Object> sections, int room) {
        WritableBuffer.ByteBufferWrapper buffer = WritableBuffer.ByteBufferWrapper.allocate(room);
        try {
            encoder.setByteBuffer(buffer);
            sections.forEach(encoder::writeObject);
        } catch (java.nio.BufferOverflowException | IndexOutOfBoundsException tooSmall) {
            return write(sections, Math.multiplyExact(room, 2));
        } finally {
            encoder.setByteBuffer((WritableBuffer) null);
        }
        ByteBuffer written = buffer.byteBuffer();
        written.flip();
        byte[] bytes = new byte[written.remaining()];
        written.get(bytes);
        return bytes;
    }

    private static Properties properties(Message.Properties from, String to, Instant created) {
        Properties properties = new Properties();
        properties.setTo(to);
        properties.setCreationTime(Date.from(created));
        from.messageId().ifPresent(properties::setMessageId);
        from.correlationId().ifPresent(properties::setCorrelationId);
        from.replyTo().ifPresent(properties::setReplyTo);
        from.contentType().map(Symbol::valueOf).ifPresent(properties::setContentType);
        from.subject().ifPresent(properties::setSubject);
        from.groupId().ifPresent(properties::setGroupId);
        return properties;
    }

    /** The AMQP counterpart of an application property's value. */
    private static Object toAmqp(Object value) {
        if (value instanceof Instant instant) {
            return Date.from(instant);
        }
        return value instanceof byte[] bytes ? new Binary(bytes) : value;
    }

    /** The plain Java counterpart of an AMQP value: the nearest wider type where there is no equal one. */
    static @Nullable Object toJava(@Nullable Object value) {
        if (value instanceof Binary binary) {
            return bytes(binary);
        } else if (value instanceof Symbol symbol) {
            return symbol.toString();
        } else if (value instanceof UnsignedLong number) {
            return number.bigIntegerValue();
        } else if (value instanceof UnsignedInteger number) {
            return number.longValue();
        } else if (value instanceof UnsignedShort number) {
            return number.intValue();
        } else if (value instanceof UnsignedByte number) {
            return number.intValue();
        } else if (value instanceof Date date) {
            return date.toInstant();
        } else if (value instanceof List<?> list) {
            List<@Nullable Object> converted = new ArrayList<>(list.size());
            list.forEach(element -> converted.add(toJava(element)));
            return Collections.unmodifiableList(converted);
        } else if (value instanceof Map<?, ?> map) {
            Map<@Nullable Object, @Nullable Object> converted = new LinkedHashMap<>();
            map.forEach((key, element) -> converted.put(toJava(key), toJava(element)));
            return Collections.unmodifiableMap(converted);
        }
        return value;
    }

    private static byte[] bytes(Binary binary) {
        byte[] bytes = new byte[binary.getLength()];
        System.arraycopy(binary.getArray(), binary.getArrayOffset(), bytes, 0, bytes.length);
        return bytes;
    }

    /** The sections of one message, collected in the order they come. */
    private static final class Sections {

        private @Nullable Header header;
        private @Nullable Properties properties;
        private @Nullable ApplicationProperties applicationProperties;
        private final List<byte[]> data = new ArrayList<>(1);
        private final List<List<Object>> sequences = new ArrayList<>(0);
        private @Nullable AmqpValue value;

        void add(@Nullable Object section) {
            if (section instanceof Header h) {
                header = h;
            } else if (section instanceof Properties p) {
                properties = p;
            } else if (section instanceof ApplicationProperties a) {
                applicationProperties = a;
            } else if (section instanceof Data d) {
                data.add(d.getValue() == null ? new byte[0] : bytes(d.getValue()));
            } else if (section instanceof AmqpValue v) {
                value = v;
            } else if (section instanceof AmqpSequence s) {
                sequences.add(sequence(s));
            } else if (!(section instanceof MessageAnnotations
                    || section instanceof DeliveryAnnotations
                    || section instanceof Footer)) {
                throw new IllegalArgumentException("no section of a message: " + section);
            }
        }

        @SuppressWarnings("unchecked") // proton declares a raw list; its elements are converted one by one
        private static List<Object> sequence(AmqpSequence section) {
            return (List<Object>) java.util.Objects.requireNonNull(toJava(section.getValue()));
        }

        Message message() {
            return new Message(
                    header != null && Boolean.TRUE.equals(header.getDurable()),
                    deliveryCount(),
                    properties == null ? Message.Properties.NONE : decoded(properties),
                    decodedApplicationProperties(),
                    body());
        }

        /** A header section that says nothing can't be told from none by every client, and counts as none (attempt-6). */
        private OptionalLong deliveryCount() {
            if (header == null) {
                return OptionalLong.empty();
            }
            long count = header.getDeliveryCount() == null
                    ? 0
                    : header.getDeliveryCount().longValue();
            boolean saysSomething = count > 0
                    || Boolean.TRUE.equals(header.getDurable())
                    || (header.getPriority() != null && header.getPriority().intValue() != DEFAULT_PRIORITY)
                    || header.getTtl() != null;
            return saysSomething ? OptionalLong.of(count) : OptionalLong.empty();
        }

        private Map<String, Object> decodedApplicationProperties() {
            if (applicationProperties == null || applicationProperties.getValue() == null) {
                return Map.of();
            }
            Map<String, Object> decoded = new LinkedHashMap<>();
            applicationProperties.getValue().forEach((name, property) -> {
                Object converted = toJava(property);
                if (converted != null) {
                    decoded.put(name, converted);
                }
            });
            return Collections.unmodifiableMap(decoded);
        }

        private Message.Body body() {
            if (!data.isEmpty()) {
                return new Message.Data(data);
            } else if (value != null) {
                return new Message.Value(toJava(value.getValue()));
            }
            return sequences.isEmpty() ? new Message.None() : new Message.Sequence(sequences);
        }

        private static Message.Properties decoded(Properties from) {
            return new Message.Properties(
                    text(from.getMessageId()),
                    text(from.getCorrelationId()),
                    Optional.ofNullable(from.getReplyTo()),
                    Optional.ofNullable(from.getContentType()).map(Symbol::toString),
                    Optional.ofNullable(from.getSubject()),
                    Optional.ofNullable(from.getGroupId()));
        }

        private static Optional<String> text(@Nullable Object id) {
            return Optional.ofNullable(
                            id instanceof Binary binary ? HexFormat.of().formatHex(bytes(binary)) : id)
                    .map(Object::toString);
        }
    }
}

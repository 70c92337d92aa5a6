package dev.consignee.tck;

import java.io.ByteArrayOutputStream;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.DeliveryAnnotations;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.jspecify.annotations.Nullable;

/**
 * A message as its sections, in the order of the wire, nothing added and nothing normalised.
 *
 * @param sections the sections; a body of several data sections has them all
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html">AMQP 1.0, messaging
 *     §3.2 message format</a>
 */
public record WireMessage(List<Section> sections) {

    private static final int LARGEST = 1 << 28;

    public WireMessage {
        sections = List.copyOf(sections);
    }

    /** Reads an encoded message. */
    public static WireMessage decode(Binary encoded) {
        DecoderImpl decoder = new DecoderImpl();
        AMQPDefinedTypes.registerAllTypes(decoder, new EncoderImpl(decoder));
        decoder.setByteBuffer(encoded.asByteBuffer());
        List<Section> sections = new ArrayList<>();
        while (decoder.getByteBufferRemaining() > 0) {
            sections.add((Section) decoder.readObject());
        }
        return new WireMessage(sections);
    }

    /** Writes the sections as they are. */
    public byte[] encode() {
        DecoderImpl decoder = new DecoderImpl();
        EncoderImpl encoder = new EncoderImpl(decoder);
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
        for (int size = 1024; size <= LARGEST; size *= 4) {
            ByteBuffer buffer = ByteBuffer.allocate(size);
            encoder.setByteBuffer(buffer);
            try {
                sections.forEach(encoder::writeObject);
            } catch (BufferOverflowException tooSmall) {
                continue;
            }
            byte[] bytes = new byte[buffer.position()];
            buffer.flip().get(bytes);
            return bytes;
        }
        throw new IllegalStateException("a message of more than " + LARGEST + " bytes");
    }

    /** The first section of a kind; empty where the message has none. */
    public <S extends Section> Optional<S> section(Class<S> kind) {
        return sections.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /** The header's delivery-count; 0 where the header or the count is absent. */
    public int deliveryCount() {
        return section(Header.class)
                .map(Header::getDeliveryCount)
                .map(UnsignedInteger::intValue)
                .orElse(0);
    }

    /** Whether the header says durable. */
    public boolean durable() {
        return section(Header.class).map(Header::getDurable).orElse(false);
    }

    /** The bytes of all data sections, one after the other; empty where there is none. */
    public byte[] data() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Section section : sections) {
            if (section instanceof Data data) {
                Binary part = data.getValue();
                bytes.write(part.getArray(), part.getArrayOffset(), part.getLength());
            }
        }
        return bytes.toByteArray();
    }

    /** The body as text: an amqp-value as a string, else the data sections read as UTF-8. */
    public String text() {
        return section(AmqpValue.class)
                .map(value -> String.valueOf(value.getValue()))
                .orElseGet(() -> new String(data(), StandardCharsets.UTF_8));
    }

    /** The content type; empty where there is none. */
    public Optional<String> contentType() {
        return section(Properties.class).map(Properties::getContentType).map(Symbol::toString);
    }

    /** The message id in its AMQP type; empty where there is none. */
    public Optional<Object> messageId() {
        return section(Properties.class).map(Properties::getMessageId);
    }

    /** The correlation id in its AMQP type; empty where there is none. */
    public Optional<Object> correlationId() {
        return section(Properties.class).map(Properties::getCorrelationId);
    }

    /** The application properties by name, in their AMQP types. */
    public Map<String, Object> properties() {
        Map<String, Object> byName = new TreeMap<>();
        section(ApplicationProperties.class)
                .map(ApplicationProperties::getValue)
                .ifPresent(map -> map.forEach((name, value) -> byName.put(String.valueOf(name), value)));
        return byName;
    }

    /** The message annotations by name, in their AMQP types. */
    public Map<String, Object> annotations() {
        Map<String, Object> byName = new TreeMap<>();
        section(MessageAnnotations.class)
                .map(MessageAnnotations::getValue)
                .ifPresent(map -> map.forEach((name, value) -> byName.put(String.valueOf(name), value)));
        return byName;
    }

    /**
     * All that it says, in the order of the wire: {@code section.field} with the AMQP type and the value, one entry for
     * each; sections that may come more than once with a number.
     */
    public Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        int body = 0;
        for (Section section : sections) {
            if (section instanceof Header header) {
                put(fields, "header.durable", header.getDurable());
                put(fields, "header.priority", header.getPriority());
                put(fields, "header.ttl", header.getTtl());
                put(fields, "header.first-acquirer", header.getFirstAcquirer());
                put(fields, "header.delivery-count", header.getDeliveryCount());
            } else if (section instanceof DeliveryAnnotations annotations) {
                annotations.getValue().forEach((name, value) -> put(fields, "delivery-annotation." + name, value));
            } else if (section instanceof MessageAnnotations annotations) {
                annotations.getValue().forEach((name, value) -> put(fields, "annotation." + name, value));
            } else if (section instanceof Properties properties) {
                put(fields, properties);
            } else if (section instanceof ApplicationProperties properties) {
                properties.getValue().forEach((name, value) -> fields.put("property." + name, typed(value)));
            } else if (section instanceof Footer footer) {
                ((Map<?, ?>) footer.getValue()).forEach((name, value) -> fields.put("footer." + name, typed(value)));
            } else if (section instanceof Data data) {
                put(fields, "data " + body++, data.getValue());
            } else if (section instanceof AmqpSequence sequence) {
                put(fields, "amqp-sequence " + body++, sequence.getValue());
            } else if (section instanceof AmqpValue value) {
                fields.put("amqp-value " + body++, typed(value.getValue()));
            }
        }
        return fields;
    }

    private static void put(Map<String, String> fields, Properties properties) {
        put(fields, "message-id", properties.getMessageId());
        put(fields, "user-id", properties.getUserId());
        put(fields, "to", properties.getTo());
        put(fields, "subject", properties.getSubject());
        put(fields, "reply-to", properties.getReplyTo());
        put(fields, "correlation-id", properties.getCorrelationId());
        put(fields, "content-type", properties.getContentType());
        put(fields, "content-encoding", properties.getContentEncoding());
        put(fields, "absolute-expiry-time", properties.getAbsoluteExpiryTime());
        put(fields, "creation-time", properties.getCreationTime());
        put(fields, "group-id", properties.getGroupId());
        put(fields, "group-sequence", properties.getGroupSequence());
        put(fields, "reply-to-group-id", properties.getReplyToGroupId());
    }

    private static void put(Map<String, String> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, typed(value));
        }
    }

    private static String typed(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> typed(entry.getKey()) + "=" + typed(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        } else if (value instanceof List<?> list) {
            return list.stream().map(WireMessage::typed).collect(Collectors.joining(", ", "[", "]"));
        } else if (value instanceof Object[] array) {
            return "array " + typed(Arrays.asList(array));
        } else if (value instanceof Date date) {
            return "timestamp " + date.toInstant();
        } else if (value instanceof Character character) {
            return "char " + (int) character;
        } else if (value instanceof Decimal32 decimal) {
            return "Decimal32 " + decimal.getBits();
        } else if (value instanceof Decimal64 decimal) {
            return "Decimal64 " + decimal.getBits();
        } else if (value instanceof Decimal128 decimal) {
            return "Decimal128 " + Arrays.toString(decimal.asBytes());
        }
        return value == null ? "null" : value.getClass().getSimpleName() + " " + value;
    }

    /** The same message with another delivery-count; 0 leaves the header as it is. */
    WireMessage countedTimes(int deliveries) {
        if (deliveries == 0) {
            return this;
        }
        Header counted = section(Header.class).map(Header::new).orElseGet(Header::new);
        counted.setDeliveryCount(UnsignedInteger.valueOf(deliveries));
        List<Section> others = new ArrayList<>(sections);
        others.removeIf(Header.class::isInstance);
        others.add(0, counted);
        return new WireMessage(others);
    }
}

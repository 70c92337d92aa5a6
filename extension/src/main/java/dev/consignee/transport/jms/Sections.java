package dev.consignee.transport.jms;

import dev.consignee.transport.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.DeliveryAnnotations;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.jspecify.annotations.Nullable;

/** The sections of one message, collected in the order they come. */
final class Sections {

    private static final int DEFAULT_PRIORITY = 4;

    private @Nullable Header header;
    private @Nullable MessageAnnotations annotations;
    private @Nullable Properties properties;
    private @Nullable ApplicationProperties applicationProperties;
    private final List<byte[]> data = new ArrayList<>(1);
    private final List<List<Object>> sequences = new ArrayList<>(0);
    private @Nullable AmqpValue value;

    void add(@Nullable Object section) {
        if (section instanceof Data d) {
            data.add(d.getValue() == null ? new byte[0] : AmqpTypes.bytes(d.getValue()));
        } else if (section instanceof Header h) {
            header = h;
        } else if (section instanceof MessageAnnotations a) {
            annotations = a;
        } else if (section instanceof Properties p) {
            properties = p;
        } else if (section instanceof ApplicationProperties a) {
            applicationProperties = a;
        } else if (section instanceof AmqpValue v) {
            value = v;
        } else if (section instanceof AmqpSequence s) {
            sequences.add(sequence(s));
        } else if (!(section instanceof DeliveryAnnotations || section instanceof Footer)) {
            throw new IllegalArgumentException("no section of a message: a value of type "
                    + (section == null ? "null" : section.getClass().getSimpleName()));
        }
    }

    @SuppressWarnings("unchecked") // proton declares a raw list; its elements are converted one by one
    private static List<Object> sequence(AmqpSequence section) {
        return (List<Object>) Objects.requireNonNull(AmqpTypes.toJava(section.getValue()));
    }

    Message message() {
        return new Message(
                header == null ? Message.Header.NONE : decoded(header),
                annotations == null ? Map.of() : byName(annotations.getValue()),
                properties == null ? Message.Properties.NONE : decoded(properties),
                applicationProperties == null ? Map.of() : byName(applicationProperties.getValue()),
                body());
    }

    private static Message.Header decoded(Header header) {
        return new Message.Header(
                Boolean.TRUE.equals(header.getDurable()),
                header.getPriority() == null
                        ? OptionalInt.empty()
                        : OptionalInt.of(header.getPriority().intValue()),
                Optional.ofNullable(header.getTtl()).map(ttl -> Duration.ofMillis(ttl.longValue())),
                deliveryCount(header));
    }

    /** A header section that says nothing can't be told from none by every client, and counts as none (attempt-6). */
    private static OptionalLong deliveryCount(Header header) {
        long count = header.getDeliveryCount() == null
                ? 0
                : header.getDeliveryCount().longValue();
        boolean saysSomething = count > 0
                || Boolean.TRUE.equals(header.getDurable())
                || (header.getPriority() != null && header.getPriority().intValue() != DEFAULT_PRIORITY)
                || header.getTtl() != null;
        return saysSomething ? OptionalLong.of(count) : OptionalLong.empty();
    }

    private static Map<String, Object> byName(@Nullable Map<?, ?> values) {
        if (values == null || values.isEmpty()) {
            return Map.of();
        }
        Map<String, Object> decoded = new LinkedHashMap<>();
        values.forEach((name, property) -> {
            Object converted = AmqpTypes.isDecimal(property) ? null : AmqpTypes.toJava(property);
            if (converted != null) {
                decoded.put(String.valueOf(name), converted);
            }
        });
        return Collections.unmodifiableMap(decoded);
    }

    private Message.Body body() {
        if (!data.isEmpty()) {
            return new Message.Data(data);
        } else if (value != null) {
            return new Message.Value(AmqpTypes.toJava(value.getValue()));
        }
        return sequences.isEmpty() ? new Message.None() : new Message.Sequence(sequences);
    }

    private static Message.Properties decoded(Properties from) {
        return Message.Properties.builder()
                .messageId(AmqpTypes.id(from.getMessageId()))
                .userId(from.getUserId() == null ? null : AmqpTypes.bytes(from.getUserId()))
                .to(from.getTo())
                .subject(from.getSubject())
                .replyTo(from.getReplyTo())
                .correlationId(AmqpTypes.id(from.getCorrelationId()))
                .contentType(text(from.getContentType()))
                .contentEncoding(text(from.getContentEncoding()))
                .expiryTime(instant(from.getAbsoluteExpiryTime()))
                .creationTime(instant(from.getCreationTime()))
                .groupId(from.getGroupId())
                .groupSequence(
                        from.getGroupSequence() == null
                                ? OptionalLong.empty()
                                : OptionalLong.of(from.getGroupSequence().longValue()))
                .replyToGroupId(from.getReplyToGroupId())
                .build();
    }

    private static @Nullable String text(@Nullable Symbol symbol) {
        return symbol == null ? null : symbol.toString();
    }

    private static @Nullable Instant instant(@Nullable Date date) {
        return date == null ? null : date.toInstant();
    }
}

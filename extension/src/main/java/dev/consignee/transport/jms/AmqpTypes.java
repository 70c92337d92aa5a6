package dev.consignee.transport.jms;

import dev.consignee.MessageId;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.jspecify.annotations.Nullable;

/** AMQP's types and Java's. The only place that knows which goes with which. */
final class AmqpTypes {

    private AmqpTypes() {}

    /**
     * The plain Java counterpart of an AMQP value: the next wider type where there is no equal one.
     *
     * @throws IllegalArgumentException for decimals, of which proton-j keeps the bits and knows no value
     */
    static @Nullable Object toJava(@Nullable Object value) {
        if (value instanceof Binary binary) {
            return bytes(binary);
        } else if (value instanceof Symbol symbol) {
            return symbol.toString();
        } else if (value instanceof Date date) {
            return date.toInstant();
        } else if (value instanceof Number number) {
            return number(number);
        } else if (value instanceof List<?> list) {
            List<@Nullable Object> converted = new ArrayList<>(list.size());
            list.forEach(element -> converted.add(toJava(element)));
            return Collections.unmodifiableList(converted);
        } else if (value instanceof Map<?, ?> map) {
            Map<@Nullable Object, @Nullable Object> converted = new LinkedHashMap<>();
            map.forEach((key, element) -> converted.put(toJava(key), toJava(element)));
            return Collections.unmodifiableMap(converted);
        } else if (value instanceof DescribedType described) {
            return toJava(described.getDescribed());
        } else if (value instanceof Object[] array) {
            return toJava(List.of(array));
        }
        return value;
    }

    /** Whether it is a decimal, for which there is no counterpart. */
    static boolean isDecimal(@Nullable Object value) {
        return value instanceof Decimal32 || value instanceof Decimal64 || value instanceof Decimal128;
    }

    private static Number number(Number number) {
        if (number instanceof UnsignedLong unsigned) {
            return unsigned.bigIntegerValue();
        } else if (number instanceof UnsignedInteger unsigned) {
            return unsigned.longValue();
        } else if (number instanceof UnsignedShort unsigned) {
            return unsigned.intValue();
        } else if (number instanceof UnsignedByte unsigned) {
            return unsigned.intValue();
        } else if (isDecimal(number)) {
            throw new IllegalArgumentException("decimals are not understood");
        }
        return number;
    }

    /** The AMQP counterpart of an application property's value. */
    static Object toAmqp(Object value) {
        if (value instanceof Instant instant) {
            return Date.from(instant);
        } else if (value instanceof byte[] bytes) {
            return new Binary(bytes);
        } else if (value instanceof BigInteger number) {
            return UnsignedLong.valueOf(number);
        }
        return value;
    }

    /** An id as it came. */
    static @Nullable MessageId id(@Nullable Object id) {
        if (id instanceof String text) {
            return MessageId.of(text);
        } else if (id instanceof UUID uuid) {
            return MessageId.of(uuid);
        } else if (id instanceof UnsignedLong number) {
            return MessageId.of(number.bigIntegerValue());
        } else if (id instanceof Binary binary) {
            return MessageId.of(bytes(binary));
        } else if (id == null) {
            return null;
        }
        throw new IllegalArgumentException(
                "no type of a message id: " + id.getClass().getName());
    }

    /** An id as it is sent. */
    static Object id(MessageId id) {
        return toAmqp(id.value());
    }

    static byte[] bytes(Binary binary) {
        byte[] bytes = new byte[binary.getLength()];
        System.arraycopy(binary.getArray(), binary.getArrayOffset(), bytes, 0, bytes.length);
        return bytes;
    }
}

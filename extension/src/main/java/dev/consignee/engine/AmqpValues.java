package dev.consignee.engine;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes of AMQP's own types what JSON-B writes as JSON. Only what is known here gets through: what a peer sends never
 * decides which class's accessors are called.
 */
final class AmqpValues {

    private AmqpValues() {}

    /** The plain text of a value that is neither list nor map; null where it is one, or something else. */
    static @Nullable String text(Object value) throws DecodeException {
        if (value instanceof Number number) {
            return finite(number).toString();
        }
        return value instanceof CharSequence
                        || value instanceof Boolean
                        || value instanceof Character
                        || value instanceof UUID
                        || value instanceof Instant
                ? value.toString()
                : null;
    }

    /**
     * What JSON-B writes: strings, truth values, numbers, UUIDs, instants, {@code byte[]}, and lists and maps of them.
     *
     * @throws DecodeException where something else is in it, or it is nested deeper than {@link JsonText#DEEPEST}
     */
    static @Nullable Object writable(@Nullable Object value) throws DecodeException {
        return writable(value, 0);
    }

    private static @Nullable Object writable(@Nullable Object value, int depth) throws DecodeException {
        if (depth > JsonText.DEEPEST) {
            throw new DecodeException("the body is nested deeper than " + JsonText.DEEPEST + " levels", null);
        }
        if (value == null
                || value instanceof Boolean
                || value instanceof UUID
                || value instanceof Instant
                || value instanceof byte[]) {
            return value;
        } else if (value instanceof Number number) {
            return finite(number);
        } else if (value instanceof CharSequence || value instanceof Character) {
            return value.toString();
        } else if (value instanceof List<?> list) {
            return writable(list, depth);
        } else if (value instanceof Map<?, ?> map) {
            return writable(map, depth);
        } else if (value.getClass().isArray()) {
            return array(value, depth);
        }
        throw new DecodeException("JSON has nothing for " + value.getClass().getSimpleName(), null);
    }

    private static List<@Nullable Object> writable(List<?> list, int depth) throws DecodeException {
        List<@Nullable Object> elements = new ArrayList<>(list.size());
        for (Object element : list) {
            elements.add(writable(element, depth + 1));
        }
        return elements;
    }

    private static List<@Nullable Object> array(Object array, int depth) throws DecodeException {
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            elements.add(writable(Array.get(array, i), depth + 1));
        }
        return elements;
    }

    private static Map<String, @Nullable Object> writable(Map<?, ?> map, int depth) throws DecodeException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Object key = entry.getKey();
            String name = key == null ? null : text(key);
            if (name == null) {
                throw new DecodeException("a key of a map is no name in JSON: it is " + kind(key), null);
            }
            if (members.containsKey(name)) {
                throw new DecodeException("two keys of a map are one name in JSON", null);
            }
            members.put(name, writable(entry.getValue(), depth + 1));
        }
        return members;
    }

    /** A number that Java and JSON both know. AMQP's decimals and unsigned numbers tell theirs as text. */
    private static Number finite(Number number) throws DecodeException {
        if (number instanceof Double || number instanceof Float) {
            if (Double.isFinite(number.doubleValue())) {
                return number;
            }
        } else if (number instanceof Long
                || number instanceof Integer
                || number instanceof Short
                || number instanceof Byte
                || number instanceof BigInteger
                || number instanceof BigDecimal) {
            return number;
        } else {
            try {
                return new BigDecimal(number.toString());
            } catch (NumberFormatException unreadable) {
                // told below
            }
        }
        throw new DecodeException("JSON has nothing for this " + kind(number), null);
    }

    /** What a value is, without saying it. */
    static String kind(@Nullable Object value) {
        return value == null ? "null" : value.getClass().getSimpleName();
    }
}

package dev.consignee.engine;

import dev.consignee.transport.Forwarding;
import dev.consignee.transport.Message;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * Which attempt of a message a delivery is, and who counts them (attempt-3).
 *
 * @param number 1 for the first
 * @param copy whether it carries a count of copies: a copy of ours, or of a peer's
 * @param counted whether it carries a count of the broker's
 */
record Attempt(long number, boolean copy, boolean counted) {

    private static final long MOST = Integer.MAX_VALUE - 1L;
    private static final int MOST_DIGITS = 40;

    /** Of a message that cannot be read, nor counted: it will not get better, so that under a cap it has had its attempts. */
    static final Attempt UNREADABLE = new Attempt(Integer.MAX_VALUE, false, true);

    static Attempt of(Message message) {
        Object copies = message.applicationProperties().get(Forwarding.RETRY_COUNT);
        OptionalLong delivered = message.header().deliveryCount();
        long earlier =
                delivered.orElse(0) + (copies == null ? 0 : retryCount(copies).orElse(0));
        return new Attempt(Math.max(earlier, 0) + 1, copies != null, delivered.isPresent());
    }

    /**
     * Reads a count of copies, whatever a peer wrote it as: any integer type, or digits as text.
     *
     * @return empty for anything else, and for a negative number
     */
    static OptionalLong retryCount(Object value) {
        if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
            return notNegative(((Number) value).longValue());
        } else if (value instanceof BigInteger number) {
            return number.signum() < 0 ? OptionalLong.empty() : OptionalLong.of(clamped(number));
        } else if (value instanceof byte[] text) {
            return parse(new String(text, StandardCharsets.ISO_8859_1));
        }
        return value instanceof String text ? parse(text) : OptionalLong.empty();
    }

    private static OptionalLong parse(String text) {
        String digits = text.strip();
        boolean number = !digits.isEmpty()
                && digits.length() <= MOST_DIGITS
                && digits.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        return number ? OptionalLong.of(clamped(new BigInteger(digits))) : OptionalLong.empty();
    }

    private static OptionalLong notNegative(long number) {
        return number < 0 ? OptionalLong.empty() : OptionalLong.of(Math.min(number, MOST));
    }

    /** Far beyond any cap, and far from an overflow. */
    private static long clamped(BigInteger number) {
        return number.min(BigInteger.valueOf(MOST)).longValue();
    }
}

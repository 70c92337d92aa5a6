package dev.consignee;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.UUID;

/**
 * The id of a message, or of the message that another one answers, with its AMQP type: an answer carries the id exactly as
 * it came.
 *
 * <p>Two ids are equal where type and value are: the string {@code "7"} is not the number 7. {@link #toString()} is the
 * text form: a string as it is, a UUID and a number in their usual form, a binary id in hexadecimal.
 *
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-message-id-ulong">AMQP
 *     1.0, messaging §3.2.11 to §3.2.14 message ids</a>
 */
public final class MessageId {

    private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    /** A String, UUID, BigInteger or byte[]; the array is never given out. */
    private final Object value;

    private MessageId(Object value) {
        this.value = value;
    }

    /**
     * Makes an id of type {@code string}, the usual one.
     *
     * @param text the text, not null
     * @return the id
     */
    public static MessageId of(String text) {
        return new MessageId(Objects.requireNonNull(text, "text"));
    }

    /**
     * Makes an id of type {@code uuid}.
     *
     * @param uuid the UUID, not null
     * @return the id
     */
    public static MessageId of(UUID uuid) {
        return new MessageId(Objects.requireNonNull(uuid, "uuid"));
    }

    /**
     * Makes an id of type {@code ulong}.
     *
     * @param number 0 to 2^64-1
     * @return the id
     * @throws IllegalArgumentException where the number is out of range
     */
    public static MessageId of(BigInteger number) {
        if (number.signum() < 0 || number.compareTo(LARGEST) > 0) {
            throw new IllegalArgumentException("A message id that is a number is 0 to " + LARGEST + ", not " + number);
        }
        return new MessageId(number);
    }

    /**
     * Makes an id of type {@code binary}.
     *
     * @param bytes the bytes, copied
     * @return the id
     */
    public static MessageId of(byte[] bytes) {
        return new MessageId(bytes.clone());
    }

    /**
     * Returns the value in the Java type that goes with the id's AMQP type.
     *
     * @return a {@code String}, {@code UUID}, {@code BigInteger}, or a new {@code byte[]}
     */
    public Object value() {
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageId id && Objects.deepEquals(value, id.value);
    }

    @Override
    public int hashCode() {
        return value instanceof byte[] bytes ? Arrays.hashCode(bytes) : value.hashCode();
    }

    @Override
    public String toString() {
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value.toString();
    }
}

package dev.consignee.transport.jms;

import dev.consignee.MessageId;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A stretch of encoded AMQP: of a message that has arrived, or made here. Immutable, as long as nobody changes the array
 * that it lies in.
 *
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-types-v1.0-os.html#section-encodings">AMQP 1.0, types
 *     §1.2 encodings</a>
 */
final class Piece {

    static final Piece NULL = of((byte) 0x40);

    private static final int LARGEST_SMALL = 0xff;

    private final byte[] array;
    private final int from;
    private final int to;

    /** The bytes of an array from one place to before another. */
    Piece(byte[] array, int from, int to) {
        this.array = array;
        this.from = from;
        this.to = to;
    }

    static Piece of(byte... bytes) {
        return new Piece(bytes, 0, bytes.length);
    }

    private static Piece written(int length, Consumer<ByteBuffer> content) {
        byte[] bytes = new byte[length];
        content.accept(ByteBuffer.wrap(bytes));
        return of(bytes);
    }

    // --- what there is

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    int length() {
        return to - from;
    }

    /** Copies it to a place in another array; returns what is behind that place. */
    int copyTo(byte[] whole, int at) {
        System.arraycopy(array, from, whole, at, length());
        return at + length();
    }

    /** The code of the constructor that it begins with. */
    int code() {
        return array[from] & 0xff;
    }

    boolean isNull() {
        return code() == 0x40;
    }

    /** The characters of a string or a symbol; empty for anything else. */
    String text() {
        return switch (code()) {
            case 0xa1, 0xa3 -> new String(array, from + 2, length() - 2, StandardCharsets.UTF_8);
            case 0xb1, 0xb3 -> new String(array, from + 5, length() - 5, StandardCharsets.UTF_8);
            default -> "";
        };
    }

    /** The number of a ulong; 0 for anything else. */
    long unsignedLong() {
        return switch (code()) {
            case 0x53 -> array[from + 1] & 0xff;
            case 0x80 -> ByteBuffer.wrap(array).getLong(from + 1);
            default -> 0;
        };
    }

    // --- what is made

    static Piece string(String text) {
        return variable(0xa1, text.getBytes(StandardCharsets.UTF_8));
    }

    static Piece symbol(String text) {
        return variable(0xa3, text.getBytes(StandardCharsets.US_ASCII));
    }

    static Piece number(long number) {
        return written(9, at -> at.put((byte) 0x81).putLong(number));
    }

    /** An id in its own AMQP type: a string, a uuid, a ulong or a binary. */
    static Piece id(MessageId id) {
        Object value = id.value();
        if (value instanceof UUID uuid) {
            return written(
                    17,
                    at -> at.put((byte) 0x98)
                            .putLong(uuid.getMostSignificantBits())
                            .putLong(uuid.getLeastSignificantBits()));
        } else if (value instanceof BigInteger number) {
            return written(9, at -> at.put((byte) 0x80).putLong(number.longValue()));
        } else if (value instanceof byte[] bytes) {
            return variable(0xa0, bytes);
        }
        return string((String) value);
    }

    /** What has its length before it; {@code small} is the code for lengths of one byte. */
    private static Piece variable(int small, byte[] content) {
        int length = content.length;
        return length <= LARGEST_SMALL
                ? written(
                        2 + length,
                        at -> at.put((byte) small).put((byte) length).put(content))
                : written(
                        5 + length,
                        at -> at.put((byte) (small + 0x10)).putInt(length).put(content));
    }

    /** What stands before the elements of a list: that many, of that many bytes together. */
    static Piece listOf(int count, int bytes) {
        return count == 0 ? of((byte) 0x45) : compound(0xc0, count, bytes);
    }

    /** What stands before the keys and values of a map: that many, of that many bytes together. */
    static Piece mapOf(int count, int bytes) {
        return compound(0xc1, count, bytes);
    }

    /** The size counts what comes after it, the count among it; elements that fit have a count that does, too. */
    private static Piece compound(int small, int count, int bytes) {
        return bytes + 1 <= LARGEST_SMALL
                ? of((byte) small, (byte) (bytes + 1), (byte) count)
                : written(
                        9,
                        at -> at.put((byte) (small + 0x10))
                                .putInt(Math.addExact(bytes, Integer.BYTES))
                                .putInt(count));
    }
}

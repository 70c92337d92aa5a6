package dev.consignee.transport.jms;

import org.apache.qpid.proton.codec.ReadableBuffer;

/**
 * Looks at the outline of encoded AMQP before it is decoded: that each size lies within the one around it, that each count
 * is of elements that are there, and that nothing is nested too deep. Proton reserves room by what a count claims, at each
 * level anew, so that a few kilobytes could ask for all the memory there is.
 *
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-types-v1.0-os.html#section-encodings">AMQP 1.0, types
 *     §1.2 encodings</a>
 */
final class Outline {

    /** No honest message is nested deeper. */
    static final int DEEPEST = 512;

    /** How many elements without a byte of their own (nulls, empty lists) an array may have. */
    static final int MOST_WITHOUT_BYTES = 65_536;

    private static final int DESCRIBED = 0x00;
    private static final int[] FIXED_WIDTHS = {0, 1, 2, 4, 8, 16}; // of the codes 0x4_ to 0x9_

    private final ReadableBuffer bytes;

    /** Begins at the buffer's position. */
    Outline(ReadableBuffer bytes) {
        this.bytes = bytes;
    }

    /**
     * Checks what remains in the buffer, and leaves it as it was.
     *
     * @throws IllegalArgumentException where the outline is none
     */
    static void check(ReadableBuffer bytes) {
        int begin = bytes.position();
        try {
            Outline outline = new Outline(bytes);
            while (bytes.hasRemaining()) {
                outline.step(bytes.limit());
            }
        } finally {
            bytes.position(begin);
        }
    }

    /**
     * Steps over one value, with all that is in it: the buffer's position is behind it.
     *
     * @param end where what it is part of ends
     * @throws IllegalArgumentException where it is none
     */
    void step(int end) {
        value(end, 0);
    }

    private void value(int end, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("nested deeper than " + DEEPEST + " levels");
        }
        int code = unsignedByte(end);
        if (code == DESCRIBED) {
            value(end, depth + 1); // the descriptor
            value(end, depth + 1);
        } else {
            content(code, end, depth);
        }
    }

    private void content(int code, int end, int depth) {
        int category = code >>> 4;
        switch (category) {
            case 0x4, 0x5, 0x6, 0x7, 0x8, 0x9 -> skip(FIXED_WIDTHS[category - 4], end);
            case 0xa -> skip(unsignedByte(end), end);
            case 0xb -> skip(size(end), end);
            case 0xc -> compound(unsignedByte(end), true, end, depth);
            case 0xd -> compound(size(end), false, end, depth);
            case 0xe -> array(unsignedByte(end), true, end, depth);
            case 0xf -> array(size(end), false, end, depth);
            default -> throw new IllegalArgumentException("no type has the code 0x" + Integer.toHexString(code));
        }
    }

    private void compound(int size, boolean small, int around, int depth) {
        int end = within(size, around);
        int count = small ? unsignedByte(end) : size(end);
        for (int i = 0; i < count; i++) {
            value(end, depth + 1);
        }
        whole(end);
    }

    private void array(int size, boolean small, int around, int depth) {
        int end = within(size, around);
        int count = small ? unsignedByte(end) : size(end);
        int code = unsignedByte(end);
        if (code == DESCRIBED) {
            value(end, depth + 1);
            code = unsignedByte(end);
        }
        if (code >>> 4 == 0x4 && count > MOST_WITHOUT_BYTES) {
            throw new IllegalArgumentException("an array of " + count + " elements without bytes");
        }
        if (depth >= DEEPEST) {
            throw new IllegalArgumentException("nested deeper than " + DEEPEST + " levels");
        }
        for (int i = 0; i < count; i++) {
            content(code, end, depth + 1);
        }
        whole(end);
    }

    private int within(int size, int around) {
        if (size > around - bytes.position()) {
            throw new IllegalArgumentException("a size of " + size + " bytes goes beyond what is there");
        }
        return bytes.position() + size;
    }

    private void whole(int end) {
        if (bytes.position() != end) {
            throw new IllegalArgumentException("a size that is not that of its elements");
        }
    }

    private int unsignedByte(int end) {
        if (bytes.position() >= end) {
            throw new IllegalArgumentException("it ends too early");
        }
        return bytes.get() & 0xff;
    }

    private int size(int end) {
        if (end - bytes.position() < Integer.BYTES) {
            throw new IllegalArgumentException("it ends too early");
        }
        int size = bytes.getInt();
        if (size < 0) {
            throw new IllegalArgumentException("a size or count beyond 2 GiB");
        }
        return size;
    }

    private void skip(int count, int end) {
        if (count > end - bytes.position()) {
            throw new IllegalArgumentException("it ends too early");
        }
        bytes.position(bytes.position() + count);
    }
}

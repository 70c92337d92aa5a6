package dev.consignee.transport.jms;

import dev.consignee.transport.Original;
import org.apache.qpid.proton.codec.ReadableBuffer;

/**
 * A message as it arrived: its encoded bytes and nothing else, since ten thousand may wait to be copied. Whoever made the
 * array has let go of it, so that any thread may read it.
 */
final class EncodedMessage implements Original {

    private final byte[] bytes;

    EncodedMessage(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Takes what remains in the buffer, which is not to be used any more: without copying where it is one array, as is
     * what came in one frame.
     */
    static EncodedMessage of(ReadableBuffer buffer) {
        int length = buffer.remaining();
        if (buffer.hasArray() && buffer.array().length == length) { // so that it begins and ends with the array
            return new EncodedMessage(buffer.array());
        }
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return new EncodedMessage(bytes);
    }

    /** All bytes. Not to be changed. */
    byte[] bytes() {
        return bytes;
    }
}

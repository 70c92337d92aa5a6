package dev.consignee.tck;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.transport.FrameBody;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;

/**
 * Cuts the bytes of one direction of one connection into AMQP frames, however TCP has split them.
 *
 * <p>Protocol headers, SASL frames and empty frames are passed over. A stream that does not begin with a protocol
 * header, and what follows a TLS header, is opaque: nothing is read from it. Confined to one thread.
 *
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-transport-v1.0-os.html">AMQP 1.0, transport
 *     §2.2 version negotiation and §2.3 framing</a>
 */
final class FrameReader {

    private static final int HEADER_START = 'A' << 24 | 'M' << 16 | 'Q' << 8 | 'P';
    private static final int HEADER_SIZE = 8;
    private static final int TLS_PROTOCOL = 2;
    private static final int AMQP_FRAME = 0;
    private static final int LARGEST_FRAME = 1 << 28;

    private final Direction direction;
    private final int connection;
    private final Consumer<Frame> sink;
    private final DecoderImpl decoder = new DecoderImpl();

    private ByteBuffer pending = ByteBuffer.allocate(1 << 16).limit(0);
    private boolean negotiated;
    private boolean opaque;
    private int fromFrame;

    FrameReader(Direction direction, int connection, Consumer<Frame> sink) {
        this.direction = direction;
        this.connection = connection;
        this.sink = sink;
        AMQPDefinedTypes.registerAllTypes(decoder, new EncoderImpl(decoder));
    }

    /**
     * Takes the next bytes and hands the frames that they complete to the sink.
     *
     * @throws IllegalStateException if what follows a protocol header is no AMQP; the stream is opaque from there on
     */
    void read(byte[] bytes, int length) {
        if (opaque) {
            return;
        }
        append(bytes, length);
        while (!opaque && takeOne()) {
            // one frame or header a turn
        }
    }

    /** While a frame is handed to the sink: how many of the bytes taken are the frame's own or stand behind it. */
    int fromFrame() {
        return fromFrame;
    }

    private void append(byte[] bytes, int length) {
        if (pending.capacity() - pending.limit() < length) {
            int needed = pending.remaining() + length;
            ByteBuffer room = needed <= pending.capacity() / 2
                    ? pending.compact()
                    : ByteBuffer.allocate(Math.max(needed, 2 * pending.capacity()))
                            .put(pending);
            pending = room.flip();
        }
        int end = pending.limit();
        pending.limit(end + length).put(end, bytes, 0, length);
    }

    /** Takes one frame or protocol header off the pending bytes; false where they hold no whole one. */
    private boolean takeOne() {
        if (pending.remaining() < HEADER_SIZE) {
            return false;
        }
        int start = pending.position();
        int size = pending.getInt(start);
        if (size == HEADER_START) {
            negotiated = true;
            opaque = pending.get(start + 4) == TLS_PROTOCOL;
            pending.position(start + HEADER_SIZE);
            return true;
        }
        if (!negotiated) {
            opaque = true;
            return false;
        }
        int bodyOffset = (pending.get(start + 4) & 0xff) * 4;
        if (size < HEADER_SIZE || size > LARGEST_FRAME || bodyOffset < HEADER_SIZE || bodyOffset > size) {
            opaque = true;
            throw new IllegalStateException("no AMQP frame: size " + size + ", body at " + bodyOffset);
        }
        if (pending.remaining() < size) {
            return false;
        }
        byte type = pending.get(start + 5);
        int channel = pending.getShort(start + 6) & 0xffff;
        fromFrame = pending.remaining();
        pending.position(start + size);
        if (type == AMQP_FRAME && size > bodyOffset) {
            decode(channel, Arrays.copyOfRange(pending.array(), start + bodyOffset, start + size));
        }
        return true;
    }

    private void decode(int channel, byte[] body) {
        ByteBuffer buffer = ByteBuffer.wrap(body);
        decoder.setByteBuffer(buffer);
        Object performative;
        try {
            performative = decoder.readObject();
        } catch (RuntimeException e) {
            opaque = true;
            throw new IllegalStateException("undecodable AMQP frame", e);
        }
        if (!(performative instanceof FrameBody frame)) {
            opaque = true;
            throw new IllegalStateException("no performative: " + performative);
        }
        int read = body.length - decoder.getByteBufferRemaining();
        sink.accept(new Frame(direction, connection, channel, frame, new Binary(body, read, body.length - read)));
    }
}

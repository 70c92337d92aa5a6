package dev.consignee.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.security.SaslInit;
import org.apache.qpid.proton.amqp.transport.Begin;
import org.apache.qpid.proton.amqp.transport.Open;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.junit.jupiter.api.Test;

class FrameReaderTest {

    private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
    private static final byte[] AMQP_HEADER = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
    private static final byte[] TLS_HEADER = {'A', 'M', 'Q', 'P', 2, 1, 0, 0};
    private static final byte[] NOTHING = {};

    private final List<Frame> frames = new ArrayList<>();
    private final FrameReader reader = new FrameReader(Direction.CLIENT_TO_BROKER, 3, frames::add);

    @Test
    void framesAreReadHoweverTheBytesAreSplit() {
        byte[] stream = conversation();
        for (int size = 1; size <= stream.length; size++) {
            List<Frame> read = new ArrayList<>();
            FrameReader splitReader = new FrameReader(Direction.CLIENT_TO_BROKER, 3, read::add);
            for (int at = 0; at < stream.length; at += size) {
                byte[] part = Arrays.copyOfRange(stream, at, Math.min(stream.length, at + size));
                splitReader.read(part, part.length);
            }
            assertThat(read)
                    .as("in parts of %d bytes", size)
                    .extracting(frame -> frame.performative().getClass().getSimpleName())
                    .containsExactly("Open", "Begin", "Transfer");
            assertThat(read.get(2).payload()).isEqualTo(new Binary("payload".getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void frameKnowsWhereItCameFrom() {
        read(AMQP_HEADER);
        read(frame(0, 258, new Begin(), NOTHING));

        assertThat(frames).singleElement().satisfies(frame -> {
            assertThat(frame.direction()).isEqualTo(Direction.CLIENT_TO_BROKER);
            assertThat(frame.connection()).isEqualTo(3);
            assertThat(frame.channel()).isEqualTo(258);
        });
    }

    @Test
    void frameLargerThanTheBufferIsRead() {
        byte[] payload = new byte[300_000];
        payload[299_999] = 7;
        read(AMQP_HEADER);
        read(frame(0, 0, Frames.transfer(0, 0), payload));
        read(frame(0, 0, new Begin(), NOTHING));

        assertThat(frames).hasSize(2);
        assertThat(frames.get(0).payload()).isEqualTo(new Binary(payload));
    }

    @Test
    void nothingIsReadUnderTls() {
        read(TLS_HEADER);
        read(new byte[] {0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5});
        FrameReader plain = new FrameReader(Direction.CLIENT_TO_BROKER, 0, frames::add);
        plain.read(new byte[] {0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5}, 10);

        assertThat(frames).isEmpty();
    }

    @Test
    void bytesThatAreNoFrameAreToldOnce() {
        read(AMQP_HEADER);
        byte[] garbage = {0, 0, 0, 4, 2, 0, 0, 0};
        assertThatThrownBy(() -> read(garbage)).isInstanceOf(IllegalStateException.class);
        read(frame(0, 0, new Begin(), NOTHING));

        assertThat(frames).isEmpty();
    }

    private void read(byte[] bytes) {
        reader.read(bytes, bytes.length);
    }

    private static byte[] conversation() {
        SaslInit init = new SaslInit();
        init.setMechanism(Symbol.valueOf("ANONYMOUS"));
        Open open = new Open();
        open.setContainerId("me");
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(SASL_HEADER);
        stream.writeBytes(frame(1, 0, init, NOTHING));
        stream.writeBytes(AMQP_HEADER);
        stream.writeBytes(frame(0, 0, open, NOTHING));
        stream.writeBytes(new byte[] {0, 0, 0, 8, 2, 0, 0, 0}); // a heartbeat
        stream.writeBytes(frame(0, 0, new Begin(), NOTHING));
        stream.writeBytes(frame(0, 0, Frames.transfer(0, 0), "payload".getBytes(StandardCharsets.UTF_8)));
        return stream.toByteArray();
    }

    private static byte[] frame(int type, int channel, Object performative, byte[] payload) {
        DecoderImpl decoder = new DecoderImpl();
        EncoderImpl encoder = new EncoderImpl(decoder);
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
        ByteBuffer buffer = ByteBuffer.allocate(1024 + payload.length);
        buffer.position(8);
        encoder.setByteBuffer(buffer);
        if (performative instanceof Begin begin) {
            begin.setNextOutgoingId(UnsignedInteger.ONE);
            begin.setIncomingWindow(UnsignedInteger.ONE);
            begin.setOutgoingWindow(UnsignedInteger.ONE);
        }
        encoder.writeObject(performative);
        buffer.put(payload);
        int size = buffer.position();
        buffer.putInt(0, size).put(4, (byte) 2).put(5, (byte) type).putShort(6, (short) channel);
        return Arrays.copyOf(buffer.array(), size);
    }
}

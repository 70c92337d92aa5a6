package dev.consignee.transport.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.qpid.proton.codec.CompositeReadableBuffer;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.junit.jupiter.api.Test;

class EncodedMessageTest {

    private static final byte[] BYTES = {1, 2, 3, 4, 5, 6};

    @Test
    void whatCameInOneFrameIsKeptWithoutCopyingIt() {
        byte[] frame = BYTES.clone();

        assertThat(EncodedMessage.of(new CompositeReadableBuffer().append(frame))
                        .bytes())
                .isSameAs(frame);
    }

    @Test
    void whatCameInSeveralFramesIsJoined() {
        CompositeReadableBuffer frames = new CompositeReadableBuffer()
                .append(new byte[] {1})
                .append(new byte[] {2, 3, 4})
                .append(new byte[] {5, 6});

        assertThat(EncodedMessage.of(frames).bytes()).isEqualTo(BYTES);
    }

    @Test
    void onlyWhatRemainsIsTaken() {
        CompositeReadableBuffer one = new CompositeReadableBuffer().append(BYTES.clone());
        one.position(2);
        CompositeReadableBuffer several =
                new CompositeReadableBuffer().append(new byte[] {1, 2, 3}).append(new byte[] {4, 5, 6});
        several.position(2);
        ReadableBuffer bounded = ReadableBuffer.ByteBufferReader.wrap(BYTES.clone());
        bounded.position(2);
        bounded.limit(4);
        CompositeReadableBuffer begin = new CompositeReadableBuffer().append(BYTES.clone());
        begin.limit(4);
        ReadableBuffer slice = ReadableBuffer.ByteBufferReader.wrap(
                ByteBuffer.wrap(BYTES.clone(), 2, 4).slice());

        assertThat(EncodedMessage.of(one).bytes()).isEqualTo(Arrays.copyOfRange(BYTES, 2, 6));
        assertThat(EncodedMessage.of(several).bytes()).isEqualTo(Arrays.copyOfRange(BYTES, 2, 6));
        assertThat(EncodedMessage.of(bounded).bytes()).isEqualTo(Arrays.copyOfRange(BYTES, 2, 4));
        assertThat(EncodedMessage.of(begin).bytes()).isEqualTo(Arrays.copyOfRange(BYTES, 0, 4));
        assertThat(EncodedMessage.of(slice).bytes()).isEqualTo(Arrays.copyOfRange(BYTES, 2, 6));
    }

    @Test
    void aMessageWithoutBytesIsOne() {
        assertThat(EncodedMessage.of(new CompositeReadableBuffer()).bytes()).isEmpty();
    }
}

package dev.consignee.transport.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.consignee.transport.MalformedMessageException;
import java.nio.ByteBuffer;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.codec.WritableBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutlineTest {

    private static ReadableBuffer bytes(String hex) {
        return ReadableBuffer.ByteBufferReader.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @Test
    void everythingThatProtonWritesHasAnOutline() {
        DecoderImpl decoder = new DecoderImpl();
        EncoderImpl encoder = new EncoderImpl(decoder);
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
        WritableBuffer.ByteBufferWrapper buffer = WritableBuffer.ByteBufferWrapper.allocate(100_000);
        encoder.setByteBuffer(buffer);
        List<Object> values = List.of(
                true,
                (byte) 1,
                (short) 2,
                3,
                4L,
                1.5f,
                2.5d,
                'x',
                "text",
                "long ".repeat(100),
                Symbol.valueOf("symbol"),
                UnsignedInteger.valueOf(70_000),
                UnsignedLong.valueOf(5),
                UUID.randomUUID(),
                new Date(),
                new Binary(new byte[300]),
                List.of(),
                List.of(1, "two", List.of(3L)),
                Map.of("k", List.of(1), "l", Map.of()),
                new int[] {1, 2, 3},
                new Symbol[] {Symbol.valueOf("a"), Symbol.valueOf("b")});
        values.forEach(encoder::writeObject);
        encoder.writeNull();
        ByteBuffer written = buffer.byteBuffer();
        written.flip();
        ReadableBuffer readable = ReadableBuffer.ByteBufferReader.wrap(written);
        assertThatCode(() -> Outline.check(readable)).doesNotThrowAnyException();
        assertThat(readable.position()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "d0 00000008 7fffffff 40404040, it ends too early", // a list of 2^31-1 elements in four bytes
        "d0 00000100 00000001 40, goes beyond what is there",
        "c0 03 02 40, goes beyond what is there",
        "c0 03 01 40 40, not that of its elements",
        "f0 00000005 7fffffff 40, elements without bytes",
        "e0 04 02 50 01, goes beyond what is there",
        "b0 ffffffff, beyond 2 GiB",
        "a1 05 4142, it ends too early",
        "00 53, it ends too early",
        "71 0000, it ends too early",
        "20, no type has the code 0x20"
    })
    void sizesAndCountsThatClaimMoreThanThereIsAreRefused(String hex, String why) {
        assertThatThrownBy(() -> Outline.check(bytes(hex)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void nestingIsBoundedAndWhatIsNestedWithinTheBoundPasses() {
        assertThatCode(() -> Outline.check(nested(Outline.DEEPEST))).doesNotThrowAnyException();
        assertThatThrownBy(() -> Outline.check(nested(Outline.DEEPEST + 1))).hasMessageContaining("nested deeper");
        assertThatThrownBy(() -> Outline.check(bytes("00".repeat(100_000)))).hasMessageContaining("nested deeper");
    }

    /** Lists within lists, in 32-bit encoding; each says truly how long it is. */
    private static ReadableBuffer nested(int levels) {
        ByteBuffer buffer = ByteBuffer.allocate(levels * 9 + 1);
        for (int level = 0; level < levels; level++) {
            int inner = (levels - level - 1) * 9 + 1;
            buffer.put((byte) 0xd0).putInt(inner + 4).putInt(1);
        }
        buffer.put((byte) 0x40).flip();
        return ReadableBuffer.ByteBufferReader.wrap(buffer);
    }

    @Test
    void listsThatEachClaimAMillionElementsAreMalformedBeforeRoomIsMadeForThem() {
        int levels = 400;
        ByteBuffer buffer = ByteBuffer.allocate(3 + levels * 9 + 1_000_000);
        buffer.put(new byte[] {0x00, 0x53, 0x77});
        for (int level = 0; level < levels; level++) {
            buffer.put((byte) 0xd0).putInt(buffer.remaining() - 4).putInt(900_000);
        }
        while (buffer.hasRemaining()) {
            buffer.put((byte) 0x40);
        }
        buffer.flip();
        assertThatThrownBy(() -> new MessageCodec().decode(ReadableBuffer.ByteBufferReader.wrap(buffer)))
                .isInstanceOf(MalformedMessageException.class);
    }
}

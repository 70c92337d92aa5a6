package dev.consignee.engine;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads bytes as text: nothing is guessed, and nothing that cannot be read is replaced. */
final class BodyText {

    private static final char UNREADABLE = '\uFFFD';
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private BodyText() {}

    /**
     * Reads the bytes, without a byte-order mark at their begin.
     *
     * @param named the charset that the message names; null where the byte-order mark decides, or else it is UTF-8
     * @throws DecodeException where the bytes are no text in that charset
     */
    static String of(byte[] bytes, @Nullable Charset named) throws DecodeException {
        Charset charset = named == null ? marked(bytes) : named;
        try {
            return unmarked(text(bytes, charset));
        } catch (CharacterCodingException e) {
            throw new DecodeException("the body is not text in " + charset, e);
        }
    }

    /** The text without a byte-order mark at its begin. */
    static String unmarked(String text) {
        return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    }

    private static String text(byte[] bytes, Charset charset) throws CharacterCodingException {
        String text = new String(bytes, charset);
        if (text.indexOf(UNREADABLE) >= 0) { // put there for what cannot be read, unless the sender did
            return charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        }
        return text;
    }

    /** The charset that a byte-order mark tells. UTF-32's little-endian one begins as UTF-16's does, and is looked for first. */
    private static Charset marked(byte[] bytes) {
        if (bytes.length == 0 || (bytes[0] > 0 && bytes[0] < 0x7F)) {
            return StandardCharsets.UTF_8; // no mark begins like this; nearly every body does
        } else if (beginsWith(bytes, 0xFF, 0xFE, 0x00, 0x00) || beginsWith(bytes, 0x00, 0x00, 0xFE, 0xFF)) {
            return Charset.forName("UTF-32");
        } else if (beginsWith(bytes, 0xFF, 0xFE) || beginsWith(bytes, 0xFE, 0xFF)) {
            return StandardCharsets.UTF_16;
        }
        return StandardCharsets.UTF_8;
    }

    private static boolean beginsWith(byte[] bytes, int... begin) {
        if (bytes.length < begin.length) {
            return false;
        }
        for (int i = 0; i < begin.length; i++) {
            if (bytes[i] != (byte) begin[i]) {
                return false;
            }
        }
        return true;
    }
}

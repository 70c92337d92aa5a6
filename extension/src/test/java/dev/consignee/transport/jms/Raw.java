package dev.consignee.transport.jms;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Encoded AMQP, written byte by byte, so that a test knows what it says without asking the code under test. */
final class Raw {

    static final int HEADER = 0x70;
    static final int DELIVERY_ANNOTATIONS = 0x71;
    static final int MESSAGE_ANNOTATIONS = 0x72;
    static final int PROPERTIES = 0x73;
    static final int APPLICATION_PROPERTIES = 0x74;
    static final int DATA = 0x75;
    static final int SEQUENCE = 0x76;
    static final int VALUE = 0x77;
    static final int FOOTER = 0x78;

    static final byte[] NULL = hex("40");

    /** One value of each constructor that AMQP has. */
    static final List<String> ONE_OF_EACH = List.of(
            "40", // null
            "41", // true
            "42", // false
            "43", // uint 0
            "44", // ulong 0
            "45", // an empty list
            "50 ff", // ubyte
            "51 80", // byte
            "52 ff", // small uint
            "53 ff", // small ulong
            "54 80", // small int
            "55 80", // small long
            "56 01", // boolean
            "60 ffff", // ushort
            "61 8000", // short
            "70 ffffffff", // uint
            "71 80000000", // int
            "72 7fc00001", // float, a NaN with a payload
            "73 0001f600", // char beyond Java's
            "74 32800001", // decimal32
            "80 ffffffffffffffff", // ulong
            "81 8000000000000000", // long
            "82 fff8000000000001", // double, a NaN with a payload
            "83 00000199a1b2c3d4", // timestamp
            "84 3180000000000001", // decimal64
            "94 30400000000000000000000000000001", // decimal128
            "98 00112233445566778899aabbccddeeff", // uuid
            "a0 02 00ff", // binary
            "a1 03 e282ac", // string
            "a3 02 6162", // symbol
            "b0 00000002 00ff", // binary with a long length
            "b1 00000003 e282ac", // string with one
            "b3 00000002 6162", // symbol with one
            "c0 05 02 41 a1 01 78", // list
            "c1 06 02 a3 01 6b 54 05", // map
            "d0 00000006 00000001 54 05", // list with long sizes
            "d1 00000009 00000002 a3 01 6b 54 05", // map with them
            "e0 04 02 50 01 02", // array of ubyte
            "f0 0000000d 00000002 71 00000001 00000002", // array of int with long sizes
            "e0 0c 02 00 a3 03 753a76 a1 01 61 01 62", // array of a described type
            "00 a3 03 753a76 a1 01 61", // a described type
            "00 80 0000468c00000004 c0 05 02 41 a1 01 78"); // one with a number for a descriptor

    private Raw() {}

    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }

    static byte[] string(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length < 256 ? text(0xa1, 1, text) : text(0xb1, 4, text);
    }

    static byte[] longString(String text) {
        return text(0xb1, 4, text);
    }

    static byte[] symbol(String text) {
        return text(0xa3, 1, text);
    }

    static byte[] longSymbol(String text) {
        return text(0xb3, 4, text);
    }

    private static byte[] text(int code, int width, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return join(new byte[] {(byte) code}, number(bytes.length, width), bytes);
    }

    private static byte[] number(int number, int width) {
        byte[] bytes = ByteBuffer.allocate(4).putInt(number).array();
        return Arrays.copyOfRange(bytes, 4 - width, 4);
    }

    /** A list as small as can be. */
    static byte[] list(byte[]... elements) {
        return elements.length == 0 ? hex("45") : fits(elements) ? small(0xc0, elements) : large(0xd0, elements);
    }

    static byte[] largeList(byte[]... elements) {
        return large(0xd0, elements);
    }

    /** A map of keys and values as small as can be. */
    static byte[] map(byte[]... elements) {
        return fits(elements) ? small(0xc1, elements) : large(0xd1, elements);
    }

    static byte[] largeMap(byte[]... elements) {
        return large(0xd1, elements);
    }

    private static boolean fits(byte[]... elements) {
        return elements.length < 256 && join(elements).length < 255;
    }

    private static byte[] small(int code, byte[]... elements) {
        byte[] content = join(elements);
        return join(new byte[] {(byte) code, (byte) (content.length + 1), (byte) elements.length}, content);
    }

    private static byte[] large(int code, byte[]... elements) {
        byte[] content = join(elements);
        return join(new byte[] {(byte) code}, number(content.length + 4, 4), number(elements.length, 4), content);
    }

    static byte[] section(int kind, byte[] content) {
        return join(new byte[] {0x00, 0x53, (byte) kind}, content);
    }

    /** With the descriptor's eight bytes all written. */
    static byte[] sectionWithALongDescriptor(int kind, byte[] content) {
        return join(hex("00 80 00000000000000"), new byte[] {(byte) kind}, content);
    }

    static byte[] sectionWithASymbol(String descriptor, byte[] content) {
        return join(new byte[] {0x00}, symbol(descriptor), content);
    }

    static byte[] data(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return section(DATA, join(new byte[] {(byte) 0xa0, (byte) bytes.length}, bytes));
    }
}

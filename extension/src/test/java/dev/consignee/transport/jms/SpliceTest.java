package dev.consignee.transport.jms;

import static dev.consignee.transport.jms.Raw.APPLICATION_PROPERTIES;
import static dev.consignee.transport.jms.Raw.DELIVERY_ANNOTATIONS;
import static dev.consignee.transport.jms.Raw.FOOTER;
import static dev.consignee.transport.jms.Raw.HEADER;
import static dev.consignee.transport.jms.Raw.MESSAGE_ANNOTATIONS;
import static dev.consignee.transport.jms.Raw.NULL;
import static dev.consignee.transport.jms.Raw.PROPERTIES;
import static dev.consignee.transport.jms.Raw.SEQUENCE;
import static dev.consignee.transport.jms.Raw.VALUE;
import static dev.consignee.transport.jms.Raw.data;
import static dev.consignee.transport.jms.Raw.hex;
import static dev.consignee.transport.jms.Raw.join;
import static dev.consignee.transport.jms.Raw.largeList;
import static dev.consignee.transport.jms.Raw.largeMap;
import static dev.consignee.transport.jms.Raw.list;
import static dev.consignee.transport.jms.Raw.longString;
import static dev.consignee.transport.jms.Raw.longSymbol;
import static dev.consignee.transport.jms.Raw.map;
import static dev.consignee.transport.jms.Raw.section;
import static dev.consignee.transport.jms.Raw.sectionWithALongDescriptor;
import static dev.consignee.transport.jms.Raw.sectionWithASymbol;
import static dev.consignee.transport.jms.Raw.string;
import static dev.consignee.transport.jms.Raw.symbol;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.consignee.MessageId;
import dev.consignee.transport.Forwarding;
import dev.consignee.transport.MalformedMessageException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnknownDescribedType;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.DeliveryAnnotations;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.codec.WritableBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpliceTest {

    private static final Forwarding DEAD_LETTER = new Forwarding.DeadLetter();
    private static final byte[] RETRY_COUNT = string("x-ruststream-retry-count");
    private static final byte[] DUPLICATE_DETECTION_ID = string("_AMQ_DUPL_ID");
    private static final byte[] NEW_ID = string("new");
    private static final byte[] COUNTED = section(APPLICATION_PROPERTIES, map(RETRY_COUNT, string("7")));
    private static final byte[] IDENTIFIED = section(PROPERTIES, list(NEW_ID));
    private static final byte[] BODY = data("body");

    private static Forwarding.Copy copy() {
        return new Forwarding.Copy(MessageId.of("new"), 7, Optional.empty());
    }

    private static Forwarding.Copy copyAt(long deliveryTime) {
        return new Forwarding.Copy(MessageId.of("new"), 7, Optional.of(Instant.ofEpochMilli(deliveryTime)));
    }

    private static byte[] forward(Forwarding how, byte[]... sections) throws MalformedMessageException {
        return forward(how, false, sections);
    }

    private static byte[] forward(Forwarding how, boolean withoutUserId, byte[]... sections)
            throws MalformedMessageException {
        byte[] message = join(sections);
        byte[] before = message.clone();
        byte[] forwarded = Splice.of(message, how, withoutUserId);
        assertThat(message).as("what arrived is not changed").isEqualTo(before);
        return forwarded;
    }

    // --- a dead letter

    @Test
    void aDeadLetterLeavesAsItArrived() throws Exception {
        byte[] message = join(
                section(HEADER, list(hex("41"), hex("50 05"))),
                section(MESSAGE_ANNOTATIONS, map(symbol("x-opt-delivery-time"), hex("55 01"))),
                section(PROPERTIES, list(string("id"), hex("a0 01 75"))),
                section(APPLICATION_PROPERTIES, map(DUPLICATE_DETECTION_ID, string("d"), RETRY_COUNT, string("1"))),
                data("one"),
                data("two"),
                section(FOOTER, map(symbol("x-opt-f"), hex("41"))));

        assertThat(forward(DEAD_LETTER, message)).isEqualTo(message);
    }

    static Stream<byte[]> sectionsWrittenInUnusualWays() {
        return Stream.of(
                sectionWithALongDescriptor(HEADER, largeList(hex("56 01"), NULL, NULL)),
                sectionWithASymbol("amqp:header:list", list()),
                section(HEADER, NULL),
                section(HEADER, list(NULL, NULL, NULL, NULL, NULL)),
                sectionWithASymbol("amqp:message-annotations:map", largeMap()),
                section(MESSAGE_ANNOTATIONS, map()),
                section(MESSAGE_ANNOTATIONS, NULL),
                sectionWithALongDescriptor(PROPERTIES, largeList(string("id"), NULL)),
                sectionWithASymbol("amqp:properties:list", list()),
                sectionWithASymbol("amqp:application-properties:map", largeMap(longString("k"), hex("56 00"))),
                section(APPLICATION_PROPERTIES, map()),
                sectionWithASymbol("amqp:data:binary", hex("b0 00000001 78")),
                sectionWithASymbol("amqp:amqp-sequence:list", largeList(NULL)),
                sectionWithASymbol("amqp:amqp-value:*", NULL),
                sectionWithASymbol("amqp:footer:map", largeMap()),
                join(hex("00"), longSymbol("amqp:footer:map"), map()),
                new byte[0]);
    }

    @ParameterizedTest
    @MethodSource("sectionsWrittenInUnusualWays")
    void aSectionOfWhichNothingIsTakenKeepsItsBytes(byte[] section) throws Exception {
        byte[] hop = section(DELIVERY_ANNOTATIONS, map());

        assertThat(forward(DEAD_LETTER, section)).isEqualTo(section);
        assertThat(forward(DEAD_LETTER, hop, section)).as("it is taken apart").isEqualTo(section);
    }

    @Test
    void deliveryAnnotationsStayBehindEitherWay() throws Exception {
        byte[] annotations = section(DELIVERY_ANNOTATIONS, map(symbol("x-opt-hop"), hex("41")));
        byte[] named = sectionWithASymbol("amqp:delivery-annotations:map", largeMap());

        assertThat(forward(DEAD_LETTER, annotations, BODY)).isEqualTo(BODY);
        assertThat(forward(DEAD_LETTER, named, BODY)).isEqualTo(BODY);
        assertThat(forward(copy(), annotations, BODY)).isEqualTo(join(IDENTIFIED, COUNTED, BODY));
    }

    // --- the header

    @ParameterizedTest
    @CsvSource({
        "45, 45",
        "c0 02 01 41, c0 02 01 41",
        "c0 04 03 40 40 40, c0 04 03 40 40 40",
        "c0 06 05 41 40 40 40 40, c0 06 05 41 40 40 40 40",
        "d0 00000006 00000001 56 01, d0 00000006 00000001 56 01",
        "c0 06 05 41 40 40 40 43, c0 02 01 41", // a count of 0 is one
        "c0 07 05 41 40 40 40 52 03, c0 02 01 41",
        "c0 05 04 41 40 40 41, c0 02 01 41",
        "c0 05 04 41 40 40 42, c0 02 01 41", // neither is it the first acquirer's affair any more
        "c0 10 05 56 01 50 09 70 0000ea60 41 70 00000001, c0 0a 03 56 01 50 09 70 0000ea60",
        "d0 00000009 00000005 42 40 40 41 43, c0 02 01 42",
        "c0 06 05 40 40 43 40 43, c0 04 03 40 40 43",
        "c0 06 05 40 40 40 41 43, ''",
        "c0 06 05 40 40 40 40 43, ''",
        "c0 05 04 40 40 40 41, ''"
    })
    void theHeaderLosesWhatBelongsToTheHop(String arrived, String left) throws Exception {
        byte[] expected = left.isEmpty() ? new byte[0] : section(HEADER, hex(left));

        assertThat(forward(DEAD_LETTER, section(HEADER, hex(arrived)), BODY)).isEqualTo(join(expected, BODY));
        assertThat(forward(copy(), section(HEADER, hex(arrived)), BODY))
                .isEqualTo(join(expected, IDENTIFIED, COUNTED, BODY));
        String name = "amqp:header:list";
        byte[] named = left.isEmpty() ? new byte[0] : sectionWithASymbol(name, hex(left));
        assertThat(forward(DEAD_LETTER, sectionWithASymbol(name, hex(arrived)), BODY))
                .as("a descriptor that is a symbol stays one")
                .isEqualTo(join(named, BODY));
    }

    // --- the properties of a copy

    static Stream<byte[]> idsAndTheirBytes() {
        return Stream.of(
                string("ID:1"),
                string("ü".repeat(127) + "x"),
                longString("ü".repeat(128)),
                hex("98 00112233445566778899aabbccddeeff"),
                hex("80 ffffffffffffffff"),
                hex("80 0000000000000000"),
                hex("a0 02 00ff"),
                hex("a0 00"),
                join(hex("a0 ff"), new byte[255]),
                join(hex("b0 00000100"), new byte[256]));
    }

    private static MessageId idOf(byte[] encoded) {
        DecoderImpl decoder = new DecoderImpl();
        AMQPDefinedTypes.registerAllTypes(decoder, new EncoderImpl(decoder));
        decoder.setBuffer(ReadableBuffer.ByteBufferReader.wrap(encoded));
        return AmqpTypes.id(decoder.readObject());
    }

    @ParameterizedTest
    @MethodSource("idsAndTheirBytes")
    void aCopyHasItsOwnIdInItsOwnType(byte[] id) throws Exception {
        Forwarding.Copy copy = new Forwarding.Copy(idOf(id), 7, Optional.empty());

        assertThat(forward(copy, section(PROPERTIES, list(string("old"), NULL, string("to"))), BODY))
                .isEqualTo(join(section(PROPERTIES, list(id, NULL, string("to"))), COUNTED, BODY));
    }

    @Test
    void theOtherPropertiesOfACopyKeepTheirBytes() throws Exception {
        byte[][] fields = {
            hex("53 05"), // message-id
            hex("b0 00000002 6d65"), // user-id
            longString("to"),
            string("subject"),
            string("reply-to"),
            hex("44"), // correlation-id
            longSymbol("application/json"),
            symbol("gzip"),
            hex("83 0000000000000001"),
            hex("83 0000000000000002"),
            string("group"),
            hex("52 09"),
            string("reply-to-group"),
            NULL
        };
        byte[] arrived = sectionWithALongDescriptor(PROPERTIES, largeList(fields));
        fields[0] = NEW_ID;

        assertThat(forward(copy(), arrived, BODY))
                .isEqualTo(join(sectionWithALongDescriptor(PROPERTIES, list(fields)), COUNTED, BODY));
    }

    static Stream<List<byte[]>> messagesWithoutProperties() {
        byte[] header = section(HEADER, list(hex("41")));
        byte[] annotations = section(MESSAGE_ANNOTATIONS, map(symbol("x-opt-a"), hex("41")));
        byte[] value = section(VALUE, hex("41"));
        byte[] footer = section(FOOTER, map());
        byte[] none = new byte[0];
        return Stream.of(
                List.of(none, none),
                List.of(none, BODY),
                List.of(none, value),
                List.of(none, section(SEQUENCE, list(hex("41")))),
                List.of(none, footer),
                List.of(header, none),
                List.of(header, join(BODY, footer)),
                List.of(annotations, BODY),
                List.of(join(header, annotations), join(BODY, BODY, footer)));
    }

    @ParameterizedTest
    @MethodSource("messagesWithoutProperties")
    void whatACopyNeedsAndTheMessageDoesNotHaveIsPutWhereItBelongs(List<byte[]> aroundThem) throws Exception {
        byte[] before = aroundThem.get(0);
        byte[] after = aroundThem.get(1);
        byte[] to = list(string("old"), NULL, string("to"));
        byte[] properties = section(PROPERTIES, to);
        byte[] applicationProperties = section(APPLICATION_PROPERTIES, map(string("k"), hex("41")));
        byte[] both = section(APPLICATION_PROPERTIES, map(string("k"), hex("41"), RETRY_COUNT, string("7")));

        assertThat(forward(copy(), before, after)).isEqualTo(join(before, IDENTIFIED, COUNTED, after));
        assertThat(forward(copy(), before, properties, after))
                .isEqualTo(join(before, section(PROPERTIES, list(NEW_ID, NULL, string("to"))), COUNTED, after));
        assertThat(forward(copy(), before, applicationProperties, after))
                .isEqualTo(join(before, IDENTIFIED, both, after));
        assertThat(forward(DEAD_LETTER, before, after)).isEqualTo(join(before, after));
    }

    @Test
    void propertiesWithoutFieldsGetTheId() throws Exception {
        for (byte[] nothing : List.of(NULL, list(), largeList(), list(NULL))) {
            assertThat(forward(copy(), section(PROPERTIES, nothing), BODY)).isEqualTo(join(IDENTIFIED, COUNTED, BODY));
        }
    }

    /** The size of one byte counts itself the count, so that 254 bytes of elements are the most that it holds. */
    @ParameterizedTest
    @ValueSource(ints = {240, 249, 250, 251, 252, 300, 65_536})
    void propertiesThatOutgrowASmallListBecomeALargeOne(int length) throws Exception {
        byte[] subject = string("x".repeat(length - 5 - 2));
        byte[] arrived = section(PROPERTIES, list(NULL, subject));
        Forwarding.Copy copy = new Forwarding.Copy(MessageId.of("12345"), 7, Optional.empty());
        byte[] fields = join(string("12345"), subject);

        byte[] forwarded = forward(copy, arrived, BODY);

        byte[] opening = fields.length <= 254
                ? new byte[] {(byte) 0xc0, (byte) (fields.length + 1), 2}
                : join(hex("d0"), hex("%08x".formatted(fields.length + 4)), hex("00000002"));
        assertThat(forwarded).isEqualTo(join(section(PROPERTIES, join(opening, fields)), COUNTED, BODY));
    }

    @Test
    void theUserIdIsLeftOutForABrokerThatTakesNoneButTheSendersOwn() throws Exception {
        byte[] user = hex("a0 03 626f62");
        byte[] arrived = section(PROPERTIES, list(string("id"), user, string("to")));

        assertThat(forward(DEAD_LETTER, true, arrived, BODY))
                .isEqualTo(join(section(PROPERTIES, list(string("id"), NULL, string("to"))), BODY));
        assertThat(forward(copy(), true, arrived, BODY))
                .isEqualTo(join(section(PROPERTIES, list(NEW_ID, NULL, string("to"))), COUNTED, BODY));
        assertThat(forward(DEAD_LETTER, true, section(PROPERTIES, list(NULL, user)), BODY))
                .as("nothing is left")
                .isEqualTo(BODY);
        assertThat(forward(DEAD_LETTER, false, arrived, BODY)).isEqualTo(join(arrived, BODY));
        byte[] without = section(PROPERTIES, largeList(string("id"), NULL, NULL));
        assertThat(forward(DEAD_LETTER, true, without, BODY)).isEqualTo(join(without, BODY));
    }

    // --- the application properties of a copy

    @ParameterizedTest
    @FieldSource("dev.consignee.transport.jms.Raw#ONE_OF_EACH")
    void anEntryOfAnyTypeIsKeptByteForByte(String hex) throws Exception {
        byte[] value = hex(hex);
        byte[] annotations = section(MESSAGE_ANNOTATIONS, map(symbol("x-opt-a"), value));
        byte[] footer = section(FOOTER, map(symbol("x-opt-f"), value));
        byte[] body = join(section(SEQUENCE, list(value, value)), section(VALUE, value));

        assertThat(forward(
                        copyAt(5),
                        annotations,
                        section(APPLICATION_PROPERTIES, map(string("a"), value, longString("b"), value)),
                        body,
                        footer))
                .isEqualTo(join(
                        section(
                                MESSAGE_ANNOTATIONS,
                                map(
                                        symbol("x-opt-a"),
                                        value,
                                        symbol("x-opt-delivery-time"),
                                        hex("81 0000000000000005"))),
                        IDENTIFIED,
                        section(
                                APPLICATION_PROPERTIES,
                                map(string("a"), value, longString("b"), value, RETRY_COUNT, string("7"))),
                        body,
                        footer));
    }

    @ParameterizedTest
    @FieldSource("dev.consignee.transport.jms.Raw#ONE_OF_EACH")
    void theCountOfAnyTypeIsReplacedInItsPlaceByAString(String hex) throws Exception {
        assertThat(forward(
                        copy(),
                        section(
                                APPLICATION_PROPERTIES,
                                map(string("a"), hex("41"), RETRY_COUNT, hex(hex), string("b"), hex("42"))),
                        BODY))
                .isEqualTo(join(
                        IDENTIFIED,
                        section(
                                APPLICATION_PROPERTIES,
                                map(string("a"), hex("41"), RETRY_COUNT, string("7"), string("b"), hex("42"))),
                        BODY));
    }

    @Test
    void keysAreKnownHoweverTheyAreWritten() throws Exception {
        for (byte[] id : List.of(
                DUPLICATE_DETECTION_ID,
                longString("_AMQ_DUPL_ID"),
                symbol("_AMQ_DUPL_ID"),
                longSymbol("_AMQ_DUPL_ID"))) {
            assertThat(forward(copy(), section(APPLICATION_PROPERTIES, map(id, string("x"))), BODY))
                    .isEqualTo(join(IDENTIFIED, COUNTED, BODY));
        }
        byte[] count = longString("x-ruststream-retry-count");
        assertThat(forward(copy(), section(APPLICATION_PROPERTIES, largeMap(count, hex("54 01"))), BODY))
                .isEqualTo(join(IDENTIFIED, COUNTED, BODY));
        assertThat(forward(
                        copy(),
                        section(APPLICATION_PROPERTIES, map(count, hex("54 01"), RETRY_COUNT, hex("54 02"))),
                        BODY))
                .as("said once")
                .isEqualTo(join(IDENTIFIED, COUNTED, BODY));
    }

    @Test
    void keysThatOnlyResembleTheNamedOnesAreKept() throws Exception {
        byte[][] entries = {
            string("_AMQ_DUPL_ID2"),
            hex("41"),
            string("_amq_dupl_id"),
            hex("41"),
            string("x-ruststream-retry-coun"),
            hex("41"),
            string("x-opt-delivery-time"),
            hex("41"),
            string(""),
            hex("41"),
            NULL,
            hex("41")
        };
        byte[][] left = Arrays.copyOf(entries, entries.length + 2);
        left[entries.length] = RETRY_COUNT;
        left[entries.length + 1] = string("7");

        assertThat(forward(copy(), section(APPLICATION_PROPERTIES, map(entries)), BODY))
                .isEqualTo(join(IDENTIFIED, section(APPLICATION_PROPERTIES, map(left)), BODY));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "255, 255", "2147483648, 2147483648", "9223372036854775807, 9223372036854775807"})
    void theCountIsWrittenInDecimalDigits(long count, String digits) throws Exception {
        Forwarding.Copy copy = new Forwarding.Copy(MessageId.of("new"), count, Optional.empty());

        assertThat(forward(copy, BODY))
                .isEqualTo(join(IDENTIFIED, section(APPLICATION_PROPERTIES, map(RETRY_COUNT, string(digits))), BODY));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 216, 217, 218, 219, 220, 221, 222, 223, 230, 70_000})
    void aMapThatOutgrowsASmallOneBecomesALargeOne(int length) throws Exception {
        byte[] text = string("x".repeat(length));
        byte[] arrived = section(APPLICATION_PROPERTIES, largeMap(string("k"), text));
        byte[] entries = join(string("k"), text, RETRY_COUNT, string("7"));
        byte[] opening = entries.length <= 254
                ? new byte[] {(byte) 0xc1, (byte) (entries.length + 1), 4}
                : join(hex("d1"), hex("%08x".formatted(entries.length + 4)), hex("00000004"));

        assertThat(forward(copy(), arrived, BODY))
                .isEqualTo(join(IDENTIFIED, section(APPLICATION_PROPERTIES, join(opening, entries)), BODY));
    }

    /** Elements of one byte each, so that their number outgrows its byte when their size has not. */
    @ParameterizedTest
    @ValueSource(ints = {252, 253, 254, 255, 256, 257})
    void aListOfMoreElementsThanAByteCountsIsALargeOne(int count) throws Exception {
        byte[][] fields = new byte[count][];
        Arrays.fill(fields, hex("41"));
        byte[] arrived = section(PROPERTIES, largeList(fields));
        Forwarding.Copy copy = new Forwarding.Copy(MessageId.of(BigInteger.ZERO), 7, Optional.empty());
        fields[0] = hex("80 0000000000000000");

        assertThat(forward(copy, arrived, BODY)).isEqualTo(join(section(PROPERTIES, list(fields)), COUNTED, BODY));
    }

    // --- the annotations of a copy

    @Test
    void deliveryHintsAreTakenFromACopyAndTheOthersStay() throws Exception {
        byte[] number = hex("80 0000000000000001"); // a key that is a number
        byte[] arrived = section(
                MESSAGE_ANNOTATIONS,
                map(
                        symbol("x-opt-a"),
                        hex("54 01"),
                        symbol("x-opt-delivery-time"),
                        hex("55 01"),
                        number,
                        hex("54 02"),
                        longSymbol("x-opt-delivery-delay"),
                        hex("55 01"),
                        symbol("x-opt-delivery-"),
                        NULL,
                        symbol("x-opt-delivery"),
                        hex("54 03"),
                        symbol("x-opt-jms-dest"),
                        hex("51 00")));
        byte[][] left = {
            symbol("x-opt-a"),
            hex("54 01"),
            number,
            hex("54 02"),
            symbol("x-opt-delivery"),
            hex("54 03"),
            symbol("x-opt-jms-dest"),
            hex("51 00")
        };
        byte[][] timed = Arrays.copyOf(left, left.length + 2);
        timed[left.length] = symbol("x-opt-delivery-time");
        timed[left.length + 1] = hex("81 000001f3a1b2c3d4");

        assertThat(forward(copy(), arrived, BODY))
                .isEqualTo(join(section(MESSAGE_ANNOTATIONS, map(left)), IDENTIFIED, COUNTED, BODY));
        assertThat(forward(copyAt(0x1f3a1b2c3d4L), arrived, BODY))
                .isEqualTo(join(section(MESSAGE_ANNOTATIONS, map(timed)), IDENTIFIED, COUNTED, BODY));
        assertThat(forward(DEAD_LETTER, arrived, BODY)).isEqualTo(join(arrived, BODY));
    }

    @Test
    void annotationsOfWhichNothingIsLeftAreLeftOutAndMadeWhereThereIsADeliveryTime() throws Exception {
        byte[] header = section(HEADER, list(hex("41")));
        byte[] hint = section(MESSAGE_ANNOTATIONS, map(symbol("x-opt-delivery-time"), hex("55 01")));
        byte[] time = section(MESSAGE_ANNOTATIONS, map(symbol("x-opt-delivery-time"), hex("81 0000000000000009")));
        byte[] none = section(MESSAGE_ANNOTATIONS, map());

        assertThat(forward(copy(), header, hint, BODY)).isEqualTo(join(header, IDENTIFIED, COUNTED, BODY));
        assertThat(forward(copy(), header, none, BODY)).isEqualTo(join(header, none, IDENTIFIED, COUNTED, BODY));
        assertThat(forward(copyAt(9), header, hint, BODY)).isEqualTo(join(header, time, IDENTIFIED, COUNTED, BODY));
        assertThat(forward(copyAt(9), header, BODY)).isEqualTo(join(header, time, IDENTIFIED, COUNTED, BODY));
        assertThat(forward(copyAt(9), BODY)).isEqualTo(join(time, IDENTIFIED, COUNTED, BODY));
    }

    // --- what cannot be taken apart

    @ParameterizedTest
    @ValueSource(
            strings = {
                "41", // no section
                "00 53 6f 45", // no section of a message
                "00 53 79 45",
                "00 44 45",
                "00 80 0000000100000070 45", // more than the descriptor's low bytes
                "00 a3 03 666f6f 45",
                "00 53 70 c1 01 00", // a header that is a map
                "00 53 73 a1 01 78", // properties that are a string
                "00 53 74 c0 01 00", // application properties that are a list
                "00 53 72 45", // annotations that are one
                "00 53 74 c1 02 01 41", // a key without a value
                "00 53 74 c1 05 02 a1 09 78 41", // a key that is longer than the map
                "00 53 75 a0 09 78", // data that end too early
                "00 53 75",
                "00 53",
                "00 53 75 20"
            })
    void whatCannotBeTakenApartLeavesAsItIsAsADeadLetterAndNotAtAllAsACopy(String hex) throws Exception {
        byte[] message = join(section(DELIVERY_ANNOTATIONS, map()), hex(hex));

        assertThat(forward(DEAD_LETTER, message)).isEqualTo(message);
        assertThatThrownBy(() -> forward(copy(), message))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("the message cannot be taken apart to copy it: ");
    }

    @Test
    void noiseIsForwardedOrRefusedAndNothingElse() throws Exception {
        Random random = new Random(3);
        byte[] whole = random(random);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] mutated = i % 2 == 0 ? whole.clone() : Arrays.copyOf(whole, random.nextInt(whole.length));
            for (int mutations = random.nextInt(4); mutations > 0 && mutated.length > 0; mutations--) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
            }
            forward(DEAD_LETTER, mutated);
            try {
                forward(copyAt(1), mutated);
            } catch (MalformedMessageException expected) {
                refused++;
            }
        }

        assertThat(refused).isBetween(1_000, 19_999);
    }

    // --- whatever a client may send

    /** A section as it arrives, as it leaves in a copy, and as it leaves in a dead letter. */
    private record Part(byte[] arrived, byte[] copied, byte[] deadLettered) {

        static Part kept(byte[] section) {
            return new Part(section, section, section);
        }
    }

    private static final byte[] NOTHING = new byte[0];

    @Test
    void ofARandomMessageOnlyWhatIsNamedChangesAndEverythingElseKeepsItsBytes() throws Exception {
        for (int seed = 0; seed < 5_000; seed++) {
            Random random = new Random(seed);
            Optional<Instant> time =
                    random.nextBoolean() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(random.nextLong()));
            List<Part> parts = List.of(
                    header(random),
                    random.nextBoolean()
                            ? Part.kept(NOTHING)
                            : new Part(section(DELIVERY_ANNOTATIONS, map(symbol("x"), any(random))), NOTHING, NOTHING),
                    annotations(random, time),
                    properties(random),
                    applicationProperties(random),
                    Part.kept(join(data("body"), section(SEQUENCE, list(any(random))), section(VALUE, any(random)))),
                    Part.kept(section(FOOTER, map(symbol("f"), any(random)))));
            byte[] message = joined(parts.stream().map(Part::arrived));

            assertThat(forward(new Forwarding.Copy(MessageId.of("new"), 7, time), message))
                    .as("copy, seed %s", seed)
                    .isEqualTo(joined(parts.stream().map(Part::copied)));
            assertThat(forward(DEAD_LETTER, message))
                    .as("dead letter, seed %s", seed)
                    .isEqualTo(joined(parts.stream().map(Part::deadLettered)));
        }
    }

    private static byte[] joined(Stream<byte[]> sections) {
        return join(sections.toArray(byte[][]::new));
    }

    private static Part header(Random random) {
        if (random.nextInt(4) == 0) {
            return Part.kept(NOTHING);
        }
        List<byte[]> fields = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            fields.add(random.nextBoolean() ? NULL : any(random));
        }
        if (random.nextBoolean()) {
            return Part.kept(section(HEADER, random.nextBoolean() ? list(array(fields)) : largeList(array(fields))));
        }
        List<byte[]> left = new ArrayList<>(fields);
        while (!left.isEmpty() && Arrays.equals(left.get(left.size() - 1), NULL)) {
            left.remove(left.size() - 1);
        }
        fields.addAll(Collections.nCopies(3 - fields.size(), NULL));
        fields.add(random.nextBoolean() ? NULL : hex("41"));
        fields.add(hex("52 03"));
        byte[] stripped = left.isEmpty() ? NOTHING : section(HEADER, list(array(left)));
        return new Part(section(HEADER, list(array(fields))), stripped, stripped);
    }

    private static Part annotations(Random random, Optional<Instant> time) {
        List<byte[]> entries = new ArrayList<>();
        List<byte[]> left = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            boolean hint = random.nextInt(4) == 0;
            List<byte[]> entry = List.of(symbol((hint ? "x-opt-delivery-" : "x-opt-") + text(random)), any(random));
            entries.addAll(entry);
            left.addAll(hint ? List.of() : entry);
        }
        boolean absent = entries.isEmpty() && random.nextBoolean();
        boolean same = entries.size() == left.size() && time.isEmpty();
        time.ifPresent(instant -> left.addAll(
                List.of(symbol("x-opt-delivery-time"), hex("81" + "%016x".formatted(instant.toEpochMilli())))));
        byte[] arrived = absent
                ? NOTHING
                : section(MESSAGE_ANNOTATIONS, random.nextBoolean() ? map(array(entries)) : largeMap(array(entries)));
        byte[] copied = left.isEmpty() ? NOTHING : section(MESSAGE_ANNOTATIONS, map(array(left)));
        return new Part(arrived, same ? arrived : copied, arrived);
    }

    private static Part properties(Random random) {
        if (random.nextInt(4) == 0) {
            return new Part(NOTHING, IDENTIFIED, NOTHING);
        }
        List<byte[]> fields = new ArrayList<>();
        for (int i = random.nextInt(14); i > 0; i--) {
            fields.add(random.nextBoolean() ? NULL : any(random));
        }
        byte[] arrived = section(PROPERTIES, random.nextBoolean() ? list(array(fields)) : largeList(array(fields)));
        if (fields.isEmpty()) {
            fields.add(NULL);
        }
        fields.set(0, NEW_ID);
        return new Part(arrived, section(PROPERTIES, list(array(fields))), arrived);
    }

    private static Part applicationProperties(Random random) {
        if (random.nextInt(4) == 0) {
            return new Part(NOTHING, COUNTED, NOTHING);
        }
        List<byte[]> entries = new ArrayList<>();
        List<byte[]> left = new ArrayList<>();
        boolean counted = false;
        for (int i = random.nextInt(8); i > 0; i--) {
            byte[] value = any(random);
            if (random.nextInt(5) == 0) {
                entries.addAll(List.of(DUPLICATE_DETECTION_ID, value));
            } else if (!counted && random.nextInt(4) == 0) {
                counted = true;
                entries.addAll(List.of(RETRY_COUNT, value));
                left.addAll(List.of(RETRY_COUNT, string("7")));
            } else {
                List<byte[]> entry = List.of(string(text(random)), value);
                entries.addAll(entry);
                left.addAll(entry);
            }
        }
        if (!counted) {
            left.addAll(List.of(RETRY_COUNT, string("7")));
        }
        byte[] arrived =
                section(APPLICATION_PROPERTIES, random.nextBoolean() ? map(array(entries)) : largeMap(array(entries)));
        return new Part(arrived, section(APPLICATION_PROPERTIES, map(array(left))), arrived);
    }

    private static byte[][] array(List<byte[]> elements) {
        return elements.toArray(byte[][]::new);
    }

    private static String text(Random random) {
        return "k".repeat(random.nextInt(random.nextInt(10) == 0 ? 200 : 10));
    }

    private static byte[] any(Random random) {
        byte[] value = hex(Raw.ONE_OF_EACH.get(random.nextInt(Raw.ONE_OF_EACH.size())));
        return switch (random.nextInt(8)) {
            case 0 -> list(value, any(random));
            case 1 -> largeMap(symbol("in"), value, any(random), any(random));
            default -> value;
        };
    }

    // --- what proton makes of it

    @Test
    void whatIsReadFromACopyIsWhatWasReadFromTheOriginalApartFromWhatIsNamed() throws Exception {
        for (int seed = 0; seed < 1_000; seed++) {
            Random random = new Random(seed);
            byte[] message = random(random);
            Forwarding.Copy copy = copyAt(random.nextLong());
            List<Object> expected = new ArrayList<>();
            boolean annotated = false;
            for (Object section : read(message)) {
                if (section instanceof Header header) {
                    header.setDeliveryCount(null);
                    header.setFirstAcquirer(null);
                } else if (section instanceof MessageAnnotations annotations) {
                    section = new MessageAnnotations(timed(annotations.getValue(), copy));
                    annotated = true;
                } else if (section instanceof Properties properties) {
                    if (!annotated) {
                        expected.add(new MessageAnnotations(timed(Map.of(), copy)));
                    }
                    properties.setMessageId("new");
                } else if (section instanceof ApplicationProperties properties) {
                    Map<String, Object> left = new LinkedHashMap<>(properties.getValue());
                    left.remove("_AMQ_DUPL_ID");
                    left.put("x-ruststream-retry-count", "7");
                    section = new ApplicationProperties(left);
                }
                if (!(section instanceof DeliveryAnnotations)) {
                    expected.add(section);
                }
            }

            List<Object> actual = read(forward(copy, message));

            assertThat(write(actual)).as("seed %s", seed).isEqualTo(write(expected));
        }
    }

    private static Map<Symbol, Object> timed(Map<Symbol, Object> annotations, Forwarding.Copy copy) {
        Map<Symbol, Object> left = new LinkedHashMap<>(annotations);
        left.keySet().removeIf(key -> key.toString().startsWith("x-opt-delivery-"));
        left.put(
                Symbol.valueOf("x-opt-delivery-time"),
                copy.deliveryTime().orElseThrow().toEpochMilli());
        return left;
    }

    /** A message as proton writes it; with a header that says something, properties and application properties. */
    private static byte[] random(Random random) {
        List<Object> sections = new ArrayList<>();
        Header header = new Header();
        header.setDurable(random.nextBoolean());
        header.setPriority(random.nextBoolean() ? UnsignedByte.valueOf((byte) random.nextInt(256)) : null);
        header.setTtl(random.nextBoolean() ? UnsignedInteger.valueOf(random.nextInt()) : null);
        header.setFirstAcquirer(random.nextBoolean() ? random.nextBoolean() : null);
        header.setDeliveryCount(random.nextBoolean() ? UnsignedInteger.valueOf(random.nextInt()) : null);
        sections.add(header);
        if (random.nextBoolean()) {
            sections.add(new DeliveryAnnotations(Map.of(Symbol.valueOf("x-opt-hop"), value(random, 0))));
        }
        if (random.nextBoolean()) {
            Map<Symbol, Object> annotations = new LinkedHashMap<>();
            annotations.put(Symbol.valueOf("x-opt-a"), value(random, 0));
            annotations.put(Symbol.valueOf("x-opt-delivery-delay"), value(random, 0));
            annotations.put(Symbol.valueOf("x-opt-b"), value(random, 0));
            sections.add(new MessageAnnotations(annotations));
        }
        Object[] ids = {
            "ID:" + random.nextInt(),
            new UUID(random.nextLong(), random.nextLong()),
            UnsignedLong.valueOf(random.nextInt(300)),
            new Binary(new byte[random.nextInt(300)])
        };
        Properties properties = new Properties();
        properties.setMessageId(random.nextBoolean() ? ids[random.nextInt(4)] : null);
        properties.setUserId(random.nextBoolean() ? new Binary(new byte[] {1, 2}) : null);
        properties.setTo(random.nextBoolean() ? "to" : null);
        properties.setSubject(random.nextBoolean() ? "s".repeat(random.nextInt(400)) : null);
        properties.setCorrelationId(random.nextBoolean() ? ids[random.nextInt(4)] : null);
        properties.setContentType(random.nextBoolean() ? Symbol.valueOf("text/plain") : null);
        properties.setAbsoluteExpiryTime(random.nextBoolean() ? new Date(random.nextLong()) : null);
        properties.setCreationTime(random.nextBoolean() ? new Date(random.nextLong()) : null);
        properties.setGroupSequence(random.nextBoolean() ? UnsignedInteger.valueOf(random.nextInt()) : null);
        properties.setReplyToGroupId(random.nextBoolean() ? "group" : null);
        sections.add(properties);
        Map<String, Object> application = new LinkedHashMap<>();
        for (int i = random.nextInt(10); i > 0; i--) {
            application.put("k".repeat(random.nextInt(40)) + i, value(random, 0));
        }
        application.put(random.nextBoolean() ? "x-ruststream-retry-count" : "other", value(random, 0));
        application.put(random.nextBoolean() ? "_AMQ_DUPL_ID" : "more", value(random, 0));
        sections.add(new ApplicationProperties(application));
        sections.add(new Data(new Binary(new byte[random.nextInt(1_000)])));
        sections.add(new Data(new Binary(new byte[random.nextInt(10)])));
        sections.add(new AmqpSequence(List.of(value(random, 0))));
        sections.add(new AmqpValue(value(random, 0)));
        sections.add(new Footer(Map.of(Symbol.valueOf("x-opt-f"), value(random, 0))));
        return write(sections);
    }

    private static Object value(Random random, int depth) {
        return switch (random.nextInt(depth < 3 ? 24 : 20)) {
            case 0 -> random.nextBoolean();
            case 1 -> (byte) random.nextInt();
            case 2 -> (short) random.nextInt();
            case 3 -> random.nextInt();
            case 4 -> random.nextLong();
            case 5 -> random.nextFloat();
            case 6 -> random.nextDouble();
            case 7 -> (char) random.nextInt(0xd800);
            case 8 -> "text ".repeat(random.nextInt(60));
            case 9 -> Symbol.valueOf("symbol");
            case 10 -> UnsignedByte.valueOf((byte) random.nextInt());
            case 11 -> UnsignedShort.valueOf((short) random.nextInt());
            case 12 -> UnsignedInteger.valueOf(random.nextInt());
            case 13 -> UnsignedLong.valueOf(random.nextLong());
            case 14 -> new UUID(random.nextLong(), random.nextLong());
            case 15 -> new Date(random.nextLong());
            case 16 -> new Binary(new byte[random.nextInt(300)]);
            case 17 -> new Decimal32(random.nextInt());
            case 18 -> new Decimal64(random.nextLong());
            case 19 -> new Decimal128(random.nextLong(), random.nextLong());
            case 20 -> List.of(value(random, depth + 1), value(random, depth + 1));
            case 21 -> Map.of(value(random, 3), value(random, depth + 1));
            case 22 -> new Symbol[] {Symbol.valueOf("a"), Symbol.valueOf("b")};
            default -> new UnknownDescribedType(Symbol.valueOf("u:v"), value(random, depth + 1));
        };
    }

    private static List<Object> read(byte[] message) {
        DecoderImpl decoder = new DecoderImpl();
        AMQPDefinedTypes.registerAllTypes(decoder, new EncoderImpl(decoder));
        decoder.setBuffer(ReadableBuffer.ByteBufferReader.wrap(message));
        List<Object> sections = new ArrayList<>();
        while (decoder.getByteBufferRemaining() > 0) {
            sections.add(decoder.readObject());
        }
        return sections;
    }

    private static byte[] write(List<Object> sections) {
        DecoderImpl decoder = new DecoderImpl();
        EncoderImpl encoder = new EncoderImpl(decoder);
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
        WritableBuffer.ByteBufferWrapper buffer = WritableBuffer.ByteBufferWrapper.allocate(1 << 16);
        encoder.setByteBuffer(buffer);
        sections.forEach(encoder::writeObject);
        return Arrays.copyOf(buffer.byteBuffer().array(), buffer.position());
    }
}

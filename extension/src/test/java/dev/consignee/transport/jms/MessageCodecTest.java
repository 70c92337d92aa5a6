package dev.consignee.transport.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.consignee.MessageId;
import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Message;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.Accepted;
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
import org.apache.qpid.proton.codec.CompositeReadableBuffer;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageCodecTest {

    private static final Instant CREATED = Instant.parse("2025-12-01T10:15:30.123Z");
    private static final UUID ID = UUID.fromString("6b2f0b0e-6f0e-4b57-8f7d-0d8a5d1f3a11");

    private final MessageCodec codec = new MessageCodec();

    // --- what is received

    private static byte[] encoded(Object... sections) {
        DecoderImpl decoder = new DecoderImpl();
        EncoderImpl encoder = new EncoderImpl(decoder);
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
        ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
        encoder.setByteBuffer(buffer);
        Arrays.stream(sections).forEach(encoder::writeObject);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private Message decode(byte[] bytes) throws MalformedMessageException {
        return codec.decode(ReadableBuffer.ByteBufferReader.wrap(bytes));
    }

    private Message decode(Object... sections) throws MalformedMessageException {
        return decode(encoded(sections));
    }

    private static Data data(String text) {
        return new Data(new Binary(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Header header(Boolean durable, Integer priority, Long ttl, Long count) {
        Header header = new Header();
        header.setDurable(durable);
        if (priority != null) {
            header.setPriority(UnsignedByte.valueOf(priority.byteValue()));
        }
        if (ttl != null) {
            header.setTtl(UnsignedInteger.valueOf(ttl));
        }
        if (count != null) {
            header.setDeliveryCount(UnsignedInteger.valueOf(count));
        }
        return header;
    }

    static Stream<Arguments> headers() {
        return Stream.of(
                Arguments.of("none", null, OptionalLong.empty(), false),
                Arguments.of("says nothing", header(null, null, null, null), OptionalLong.empty(), false),
                Arguments.of("not durable", header(false, null, null, null), OptionalLong.empty(), false),
                Arguments.of("default priority", header(null, 4, null, null), OptionalLong.empty(), false),
                Arguments.of("count 0", header(null, null, null, 0L), OptionalLong.empty(), false),
                Arguments.of("all of these", header(false, 4, null, 0L), OptionalLong.empty(), false),
                Arguments.of("durable", header(true, null, null, null), OptionalLong.of(0), true),
                Arguments.of("another priority", header(null, 5, null, null), OptionalLong.of(0), false),
                Arguments.of("a time to live", header(null, null, 60_000L, null), OptionalLong.of(0), false),
                Arguments.of("count 1", header(null, null, null, 1L), OptionalLong.of(1), false),
                Arguments.of("durable, count 7", header(true, null, null, 7L), OptionalLong.of(7), true),
                Arguments.of(
                        "the greatest count",
                        header(null, null, null, 4_294_967_295L),
                        OptionalLong.of(4_294_967_295L),
                        false));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("headers")
    void aHeaderThatSaysNothingCountsAsNone(String name, Header header, OptionalLong count, boolean durable)
            throws Exception {
        Message message = header == null ? decode(data("x")) : decode(header, data("x"));

        assertThat(message.header().deliveryCount()).isEqualTo(count);
        assertThat(message.header().durable()).isEqualTo(durable);
    }

    static Stream<Arguments> values() {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put(Symbol.valueOf("k"), new Date(7));
        map.put("none", null);
        Map<Object, Object> mapInJava = new LinkedHashMap<>();
        mapInJava.put("k", Instant.ofEpochMilli(7));
        mapInJava.put("none", null);
        return Stream.of(
                Arguments.of("text", "text"),
                Arguments.of("", ""),
                Arguments.of(null, null),
                Arguments.of(true, true),
                Arguments.of((byte) -1, (byte) -1),
                Arguments.of((short) -2, (short) -2),
                Arguments.of(-3, -3),
                Arguments.of(-4L, -4L),
                Arguments.of(UnsignedByte.valueOf((byte) -1), 255),
                Arguments.of(UnsignedShort.valueOf((short) -1), 65_535),
                Arguments.of(UnsignedInteger.valueOf(-1), 4_294_967_295L),
                Arguments.of(UnsignedLong.valueOf(-1L), new BigInteger("18446744073709551615")),
                Arguments.of(1.5f, 1.5f),
                Arguments.of(2.5d, 2.5d),
                Arguments.of('ü', 'ü'),
                Arguments.of(ID, ID),
                Arguments.of(new Date(1_234), Instant.ofEpochMilli(1_234)),
                Arguments.of(Symbol.valueOf("symbol"), "symbol"),
                Arguments.of(new Binary(new byte[] {1, 2}), new byte[] {1, 2}),
                Arguments.of(
                        Arrays.asList(1, null, UnsignedInteger.valueOf(2), List.of(Symbol.valueOf("s"))),
                        Arrays.asList(1, null, 2L, List.of("s"))),
                Arguments.of(map, mapInJava));
    }

    @ParameterizedTest
    @MethodSource("values")
    void anAmqpValueIsAPlainJavaValue(Object sent, Object expected) throws Exception {
        Message message = decode(new AmqpValue(sent));

        assertThat(message.body())
                .isInstanceOfSatisfying(
                        Message.Value.class, body -> assertThat(body.value()).isEqualTo(expected));
    }

    @Test
    void listsAndMapsCannotBeChanged() throws Exception {
        Message message = decode(new AmqpValue(new ArrayList<>(List.of(1, new HashMap<>(Map.of("k", "v"))))));

        List<?> list = (List<?>) ((Message.Value) message.body()).value();
        assertThatThrownBy(list::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(((Map<?, ?>) list.get(1))::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void severalDataSectionsBelongTogether() throws Exception {
        Message message = decode(data("one "), data(""), data("two "), data("three"));

        assertThat(message.body()).isInstanceOfSatisfying(Message.Data.class, body -> {
            assertThat(body.sections()).hasSize(4);
            assertThat(body.bytes()).asString(StandardCharsets.UTF_8).isEqualTo("one two three");
        });
    }

    @Test
    void sequencesAreKeptSectionBySection() throws Exception {
        Message message = decode(
                new AmqpSequence(List.of(1, Symbol.valueOf("two"))),
                new AmqpSequence(List.of(UnsignedByte.valueOf((byte) 3))));

        assertThat(message.body()).isEqualTo(new Message.Sequence(List.of(List.of(1, "two"), List.of(3))));
    }

    @Test
    void deliveryAnnotationsAndFootersAreNoPartOfIt() throws Exception {
        Message message = decode(
                new DeliveryAnnotations(Map.of(Symbol.valueOf("x-opt-hop"), 1)),
                new MessageAnnotations(Map.of(Symbol.valueOf("x-opt-trace"), 1)),
                data("body"),
                new Footer(Map.of(Symbol.valueOf("x-opt-hash"), 1)));

        assertThat(message.annotations()).isEqualTo(Map.of("x-opt-trace", 1));
        assertThat(message.applicationProperties()).isEmpty();
        assertThat(((Message.Data) message.body()).bytes()).asString().isEqualTo("body");
    }

    static Stream<Arguments> ids() {
        return Stream.of(
                Arguments.of("ID:7", "ID:7"),
                Arguments.of(ID, ID.toString()),
                Arguments.of(UnsignedLong.valueOf(-1L), "18446744073709551615"),
                Arguments.of(new Binary(new byte[] {0, (byte) 0xAB}), "00ab"));
    }

    @ParameterizedTest
    @MethodSource("ids")
    void idsOfAnyTypeHaveAText(Object id, String expected) throws Exception {
        Properties properties = new Properties();
        properties.setMessageId(id);
        properties.setCorrelationId(id);

        Message message = decode(properties, data("x"));

        assertThat(message.properties().messageId()).hasToString("Optional[" + expected + "]");
        assertThat(message.properties().correlationId())
                .isEqualTo(message.properties().messageId());
    }

    @Test
    void applicationPropertiesKeepTheirOrderAndCannotBeChanged() throws Exception {
        Map<String, Object> sent = new LinkedHashMap<>();
        sent.put("z", 1);
        sent.put("a", Symbol.valueOf("s"));
        sent.put("nothing", null);
        sent.put("x-ruststream-retry-count", UnsignedInteger.valueOf(3));

        Map<String, Object> received =
                decode(new ApplicationProperties(sent), data("x")).applicationProperties();

        assertThat(received).containsExactly(entry("z", 1), entry("a", "s"), entry("x-ruststream-retry-count", 3L));
        assertThatThrownBy(received::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aMessageWithoutASectionHasNothing() throws Exception {
        assertThat(decode(new byte[0]))
                .isEqualTo(new Message(
                        Message.Header.NONE, Map.of(), Message.Properties.NONE, Map.of(), new Message.None()));
    }

    @Test
    void aMessageInPiecesIsReadAcrossThem() throws Exception {
        byte[] whole = encoded(header(true, null, null, 2L), data("a body of some length"));
        CompositeReadableBuffer pieces = new CompositeReadableBuffer();
        for (int i = 0; i < whole.length; i += 3) {
            pieces.append(Arrays.copyOfRange(whole, i, Math.min(i + 3, whole.length)));
        }

        Message message = codec.decode(pieces);

        assertThat(message.header().deliveryCount()).hasValue(2);
        assertThat(((Message.Data) message.body()).bytes()).asString().isEqualTo("a body of some length");
    }

    @Test
    void whatItHandsOutIsACopyOfTheBytesReceived() throws Exception {
        byte[] bytes = encoded(data("before"));
        Message message = decode(bytes);

        Arrays.fill(bytes, (byte) 0);

        assertThat(((Message.Data) message.body()).bytes()).asString().isEqualTo("before");
    }

    // --- what is no message

    @Test
    void aSectionThatNoMessageHasIsMalformed() {
        assertThatThrownBy(() -> decode(Accepted.getInstance())).isInstanceOf(MalformedMessageException.class);
        assertThatThrownBy(() -> decode("bare text")).isInstanceOf(MalformedMessageException.class);
        assertThatThrownBy(() -> decode(new byte[] {0x40})).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void applicationPropertiesWithAKeyThatIsNoTextAreMalformed() {
        byte[] bytes = {0x00, 0x53, 0x74, (byte) 0xc1, 0x05, 0x02, 0x54, 0x01, 0x54, 0x02};

        assertThatThrownBy(() -> decode(bytes)).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void aLengthBeyondTheBytesIsMalformedAndAllocatesNothing() {
        byte[] data = {0x00, 0x53, 0x75, (byte) 0xb0, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff};
        byte[] list = {
            0x00,
            0x53,
            0x77,
            (byte) 0xd0,
            0x7f,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            0x7f,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xf0
        };
        byte[] string = {0x00, 0x53, 0x77, (byte) 0xb1, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff};
        byte[] map = {
            0x00,
            0x53,
            0x77,
            (byte) 0xd1,
            0x7f,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            0x7f,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xf0
        };
        byte[] array = {
            0x00,
            0x53,
            0x77,
            (byte) 0xf0,
            0x7f,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            0x7f,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xf0,
            0x71
        };

        for (byte[] bytes : List.of(data, list, string, map, array)) {
            assertThatThrownBy(() -> decode(bytes)).isInstanceOf(MalformedMessageException.class);
        }
    }

    @Test
    void aListOfListsWithoutEndIsMalformedAndDoesNotKillTheThread() throws Exception {
        ByteBuffer bytes = ByteBuffer.allocate(3 + 9 * 100_000);
        bytes.put(new byte[] {0x00, 0x53, 0x77});
        for (int depth = 100_000; depth > 0; depth--) {
            bytes.put((byte) 0xd0).putInt(4 + 9 * (depth - 1)).putInt(depth == 1 ? 0 : 1);
        }

        assertThatThrownBy(() -> decode(bytes.array())).isInstanceOf(MalformedMessageException.class);
        assertThat(decode(data("next")).body()).isInstanceOf(Message.Data.class);
    }

    private static byte[] richMessage() {
        Properties properties = new Properties();
        properties.setMessageId(ID);
        properties.setTo("shipments");
        properties.setCorrelationId("c");
        properties.setContentType(Symbol.valueOf("application/json"));
        properties.setCreationTime(new Date(5));
        properties.setGroupId("g");
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("text", "v");
        all.put("number", 7L);
        all.put("unsigned", UnsignedInteger.valueOf(700));
        all.put("when", new Date(9));
        all.put("bytes", new Binary(new byte[] {1, 2, 3}));
        all.put("uuid", ID);
        return encoded(
                header(true, 5, 1_000L, 3L),
                new MessageAnnotations(Map.of(Symbol.valueOf("x-opt-a"), List.of(1, 2L, "x"))),
                properties,
                new ApplicationProperties(all),
                new AmqpValue(List.of(1, Map.of("k", List.of(2.0, 'c')), new Symbol[] {Symbol.valueOf("s")}, "text")),
                data("{\"sku\":\"a\"}"),
                new Footer(Map.of(Symbol.valueOf("x-opt-f"), true)));
    }

    @Test
    void everyTruncationIsAShorterMessageOrMalformed() {
        byte[] whole = richMessage();
        int malformed = 0;
        for (int length = 0; length < whole.length; length++) {
            malformed += isMalformed(Arrays.copyOf(whole, length)) ? 1 : 0;
        }

        assertThat(malformed).isGreaterThan(whole.length - 10);
    }

    @Test
    void whateverTheBytesItIsAMessageOrMalformedAndNothingElse() throws Exception {
        Random random = new Random(1);
        byte[] whole = richMessage();
        int malformed = 0;
        for (int i = 0; i < 10_000; i++) {
            byte[] mutated = whole.clone();
            for (int mutations = 1 + random.nextInt(4); mutations > 0; mutations--) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
            }
            malformed += isMalformed(mutated) ? 1 : 0;
        }

        assertThat(malformed).as("mutations that mattered").isBetween(1_000, 9_999);
        assertThat(decode(whole).applicationProperties())
                .as("the codec is as good as new")
                .hasSize(6);
    }

    @Test
    void noiseIsMalformedOrEmpty() {
        Random random = new Random(11);
        for (int i = 0; i < 2_000; i++) {
            byte[] noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            isMalformed(noise);
        }
    }

    private boolean isMalformed(byte[] bytes) {
        try {
            Objects.requireNonNull(decode(bytes));
            return false;
        } catch (MalformedMessageException expected) {
            return true;
        }
    }

    // --- what is sent

    private static final Message.Header DURABLE =
            new Message.Header(true, OptionalInt.empty(), Optional.empty(), OptionalLong.empty());

    private static Message message(Map<String, Object> applicationProperties, byte[]... sections) {
        return new Message(
                DURABLE,
                Map.of(),
                Message.Properties.builder().messageId(MessageId.of("ID:1")).build(),
                applicationProperties,
                new Message.Data(List.of(sections)));
    }

    @Test
    void aMessageComesOutAsItWentIn() throws Exception {
        Message.Properties properties = Message.Properties.builder()
                .messageId(MessageId.of(ID))
                .to("to")
                .subject("subject")
                .replyTo("reply")
                .correlationId(MessageId.of(new BigInteger("18446744073709551615")))
                .contentType("application/json")
                .contentEncoding("gzip")
                .expiryTime(Instant.ofEpochMilli(1))
                .creationTime(CREATED)
                .groupId("group")
                .groupSequence(OptionalLong.of(4_294_967_295L))
                .replyToGroupId("reply group")
                .build();
        Message sent = new Message(
                new Message.Header(
                        true, OptionalInt.of(9), Optional.of(Duration.ofMillis(4_294_967_295L)), OptionalLong.empty()),
                Map.of("x-opt-delivery-time", 7L),
                properties,
                Map.of("k", "v"),
                new Message.Data(List.of("body".getBytes(StandardCharsets.UTF_8))));

        Message received = decode(codec.encode(sent));

        assertThat(received.header())
                .isEqualTo(new Message.Header(
                        true, OptionalInt.of(9), Optional.of(Duration.ofMillis(4_294_967_295L)), OptionalLong.of(0)));
        assertThat(received.annotations()).isEqualTo(sent.annotations());
        assertThat(received.properties()).isEqualTo(properties);
        assertThat(received.applicationProperties()).isEqualTo(sent.applicationProperties());
        assertThat(((Message.Data) received.body()).bytes()).asString().isEqualTo("body");
    }

    @Test
    void aSectionWithNothingInItIsNotSent() {
        var proton = org.apache.qpid.proton.message.Message.Factory.create();
        byte[] bytes = codec.encode(message(Map.of(), new byte[] {1}));

        proton.decode(bytes, 0, bytes.length);

        assertThat(proton.getMessageAnnotations()).isNull();
        assertThat(proton.getApplicationProperties()).isNull();
        assertThat(proton.getMessageId()).isEqualTo("ID:1");
    }

    @ParameterizedTest
    @MethodSource("messageIds")
    void anIdKeepsItsType(MessageId id) throws Exception {
        Message.Properties properties =
                Message.Properties.builder().messageId(id).correlationId(id).build();
        Message sent = new Message(DURABLE, Map.of(), properties, Map.of(), new Message.Data(List.of(new byte[0])));

        assertThat(decode(codec.encode(sent)).properties()).isEqualTo(properties);
    }

    static Stream<MessageId> messageIds() {
        return Stream.of(
                MessageId.of("ID:1"), MessageId.of(ID), MessageId.of(BigInteger.TEN), MessageId.of(new byte[] {1, 2}));
    }

    static Stream<Object> properties() {
        return Stream.of(
                "text",
                "",
                true,
                (byte) -1,
                (short) -2,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                1.5f,
                2.5d,
                'ü',
                ID,
                Instant.ofEpochMilli(1_234),
                Instant.ofEpochMilli(-1),
                new byte[] {1, 2, 3},
                new byte[0],
                new BigInteger("18446744073709551615"));
    }

    @ParameterizedTest
    @MethodSource("properties")
    void anApplicationPropertyOfEveryTypeComesOutAsItWentIn(Object value) throws Exception {
        Message received = decode(codec.encode(message(Map.of("k", value), new byte[] {1})));

        assertThat(received.applicationProperties().get("k")).isEqualTo(value).hasSameClassAs(value);
    }

    @Test
    void severalSectionsAreSentAsSeveral() throws Exception {
        Message received = decode(codec.encode(message(Map.of(), new byte[] {1}, new byte[] {2, 3}, new byte[0])));

        assertThat(((Message.Data) received.body()).sections())
                .containsExactly(new byte[] {1}, new byte[] {2, 3}, new byte[0]);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 256, 1_000, 1_023, 1_024, 1_025, 65_536, 5_000_000})
    void bodiesOfAnySizeFit(int size) throws Exception {
        byte[] body = new byte[size];
        new Random(size).nextBytes(body);

        Message received = decode(codec.encode(message(Map.of(), body)));

        assertThat(((Message.Data) received.body()).bytes()).isEqualTo(body);
    }

    @ParameterizedTest
    @ValueSource(ints = {900, 1_000, 2_000, 4_000, 100_000})
    void headersBeyondTheFirstBufferFit(int size) throws Exception {
        Map<String, Object> headers = Map.of("text", "ü".repeat(size), "bytes", new byte[size], "n".repeat(size), 1);

        Message received = decode(codec.encode(message(headers, new byte[] {1})));

        assertThat(received.applicationProperties())
                .containsEntry("text", "ü".repeat(size))
                .containsEntry("n".repeat(size), 1)
                .hasEntrySatisfying("bytes", bytes -> assertThat(bytes).isEqualTo(new byte[size]));
    }

    @Test
    void onlyDataIsPublished() {
        Message text = new Message(DURABLE, Map.of(), Message.Properties.NONE, Map.of(), new Message.Value("text"));

        assertThatIllegalArgumentException().isThrownBy(() -> codec.encode(text));
    }
}

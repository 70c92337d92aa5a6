package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.consignee.transport.Message;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbConfig;
import jakarta.json.bind.adapter.JsonbAdapter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadDecoderTest {

    private static final Jsonb JSONB = JsonbBuilder.create();

    /** The payload of the examples. */
    public record Shipment(String sku, int quantity) {}

    @AfterAll
    static void close() throws Exception {
        JSONB.close();
    }

    private static Object decode(Type type, Message message) throws DecodeException {
        return new PayloadDecoder(type, JSONB, Codecs.NONE, PayloadCheck.NONE).decode(message);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Message value(Object value) {
        return Messages.of(null, new Message.Value(value));
    }

    private static void assertRefused(Type type, Message message, String... texts) {
        assertThatThrownBy(() -> decode(type, message))
                .isInstanceOf(DecodeException.class)
                .hasMessageContainingAll(texts);
    }

    static Stream<Message> shipments() {
        String json = "{\"sku\":\"a-ü\",\"quantity\":3}";
        byte[] bytes = utf8(json);
        return Stream.of(
                Messages.json(json),
                Messages.of(null, bytes),
                Messages.of("application/octet-stream", bytes),
                Messages.json("\n  " + json + " \r\n"),
                Messages.of("application/json", Arrays.copyOf(bytes, 11), Arrays.copyOfRange(bytes, 11, bytes.length)),
                value(json),
                value(bytes),
                Messages.of("application/json; charset=utf-16", json.getBytes(StandardCharsets.UTF_16)));
    }

    @ParameterizedTest
    @MethodSource("shipments")
    void aRecordIsReadFromJsonHoweverItTravels(Message message) throws Exception {
        assertThat(decode(Shipment.class, message)).isEqualTo(new Shipment("a-ü", 3));
    }

    @Test
    void aParameterizedTypeIsReadAsWhatItIs() throws Exception {
        Type list = new ParameterizedType() {
            @Override
            public Type[] getActualTypeArguments() {
                return new Type[] {Shipment.class};
            }

            @Override
            public Type getRawType() {
                return List.class;
            }

            @Override
            public Type getOwnerType() {
                return null;
            }
        };

        assertThat(decode(list, Messages.json("[{\"sku\":\"a\",\"quantity\":1}]")))
                .isEqualTo(List.of(new Shipment("a", 1)));
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of(Messages.text("grüße"), "grüße"),
                Arguments.of(Messages.of(null, utf8("grüße")), "grüße"),
                Arguments.of(Messages.of("text/plain", utf8("two "), utf8("parts")), "two parts"),
                Arguments.of(Messages.of("text/plain", new byte[] {(byte) 0xc3}, new byte[] {(byte) 0xbc}), "ü"),
                Arguments.of(value("as it is"), "as it is"),
                Arguments.of(value(utf8("grüße")), "grüße"),
                Arguments.of(Messages.of("text/plain", new byte[0]), ""),
                Arguments.of(Messages.text("  "), "  "),
                Arguments.of(Messages.json("{\"not\":\"read\"}"), "{\"not\":\"read\"}"),
                Arguments.of(value(""), ""));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void aStringIsTheTextOfTheBody(Message message, String expected) throws Exception {
        assertThat(decode(String.class, message)).isEqualTo(expected);
    }

    static Stream<Arguments> binaries() {
        return Stream.of(
                Arguments.of(Messages.of(null, new byte[] {1, -1}), new byte[] {1, -1}),
                Arguments.of(
                        Messages.of("text/plain; charset=nonsense", new byte[] {1}, new byte[] {2, 3}),
                        new byte[] {1, 2, 3}),
                Arguments.of(Messages.of(null, new byte[0]), new byte[0]),
                Arguments.of(value(new byte[] {7}), new byte[] {7}),
                Arguments.of(value("ü"), utf8("ü")));
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void bytesAreTheBodyAsItIs(Message message, byte[] expected) throws Exception {
        assertThat(decode(byte[].class, message)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain; charset=iso-8859-1",
                "text/plain;charset=ISO-8859-1",
                "text/plain; charset=\"iso-8859-1\"",
                "text/plain; Charset = \"iso-8859-1\" ; format=flowed",
                "text/plain; format=flowed; charset=latin1",
                "text/plain;charset=iso-8859-1;format=flowed"
            })
    void theCharsetOfTheContentTypeIsHonoured(String contentType) throws Exception {
        assertThat(decode(String.class, Messages.of(contentType, "grüße".getBytes(StandardCharsets.ISO_8859_1))))
                .isEqualTo("grüße");
    }

    @Test
    void aCharsetOfFewerCharactersIsStrictToo() throws Exception {
        String type = "text/plain; charset=us-ascii";

        assertThat(decode(String.class, Messages.of(type, utf8("plain")))).isEqualTo("plain");
        assertRefused(String.class, Messages.of(type, utf8("ü")), "US-ASCII");
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-99", "no such thing", "../etc", "'utf-8'"})
    void aCharsetThatNobodyKnowsIsRefusedByName(String charset) {
        Message message = Messages.of("text/plain; charset=\"" + charset + "\"", utf8("x"));

        assertRefused(String.class, message, "charset", charset.split(" ")[0]);
        assertRefused(Shipment.class, message, "charset");
    }

    static Stream<byte[]> malformed() {
        return Stream.of(
                new byte[] {'a', (byte) 0xff},
                new byte[] {(byte) 0xc3},
                new byte[] {(byte) 0xc3, 'x'},
                new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
                new byte[] {(byte) 0xc0, (byte) 0x80},
                concat(utf8("\uFFFD"), new byte[] {(byte) 0x80}));
    }

    private static byte[] concat(byte[] one, byte[] two) {
        byte[] both = Arrays.copyOf(one, one.length + two.length);
        System.arraycopy(two, 0, both, one.length, two.length);
        return both;
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void bytesThatAreNoTextAreRefusedAndNotReplaced(byte[] bytes) {
        assertRefused(String.class, Messages.of("text/plain", bytes), "not text in UTF-8");
        assertRefused(
                Shipment.class,
                Messages.of("application/json", concat(concat(utf8("{\"sku\":\""), bytes), utf8("\"}"))),
                "not text in UTF-8");
    }

    @Test
    void aReplacementCharacterThatTheSenderPutThereIsText() throws Exception {
        assertThat(decode(String.class, Messages.text("a\uFFFDb"))).isEqualTo("a\uFFFDb");
        assertThat(decode(Shipment.class, Messages.json("{\"sku\":\"\uFFFD\",\"quantity\":1}")))
                .isEqualTo(new Shipment("\uFFFD", 1));
        assertThat(decode(
                        String.class,
                        Messages.of("text/plain; charset=utf-16be", "\uFFFD".getBytes(Charset.forName("utf-16be")))))
                .isEqualTo("\uFFFD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " \r\n\t "})
    void aBlankBodyIsNoJson(String text) {
        assertRefused(Shipment.class, Messages.json(text), "empty");
        assertRefused(Shipment.class, value(text), "empty");
    }

    @Test
    void theJsonNullIsNoPayload() {
        assertRefused(Shipment.class, Messages.json("null"), "null");
        assertRefused(Integer.class, Messages.json(" null "), "null");
    }

    @Test
    void otherAmqpValuesHoldNoBytes() {
        assertRefused(byte[].class, value(7L), "amqp-value of Long");
        assertRefused(byte[].class, value(List.of(1)), "amqp-value of ");
        assertRefused(byte[].class, value(Map.of("sku", "a")), "amqp-value of ");
        assertRefused(byte[].class, Messages.of(null, new Message.Sequence(List.of(List.of(1)))), "amqp-sequence");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/x-java-serialized-object",
                "Application/X-Java-Serialized-Object",
                "APPLICATION/X-JAVA-SERIALIZED-OBJECT; class=\"java.lang.String\""
            })
    void aSerializedObjectIsNeverDeserializedWhateverTheHandlerTakes(String contentType) {
        for (Type type : new Type[] {Shipment.class, String.class, byte[].class}) {
            assertRefused(
                    type, Messages.of(contentType, new byte[] {(byte) 0xac, (byte) 0xed, 0, 5}), "never deserialized");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"sku\":", "{\"sku\":\"a\",\"quantity\":\"many\"}", "[1]", "sku"})
    void whatIsNoJsonOfTheTypeIsRefusedByTheType(String json) {
        assertRefused(Shipment.class, Messages.json(json), Shipment.class.getName());
    }

    @Test
    void nestingWithoutEndIsRefusedAndDoesNotKillTheThread() {
        assertRefused(Object.class, Messages.json("[".repeat(200_000)), "the body is");
    }

    /** An adapter of the application's that breaks. */
    public static final class Broken implements JsonbAdapter<Shipment, String> {
        private final Throwable failure;

        Broken(Throwable failure) {
            this.failure = failure;
        }

        @Override
        public String adaptToJson(Shipment shipment) {
            return shipment.sku();
        }

        @Override
        public Shipment adaptFromJson(String sku) throws Exception {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (Exception) failure;
        }
    }

    private static Object decodeWith(Broken adapter) throws Exception {
        Jsonb jsonb = JsonbBuilder.create(new JsonbConfig().withAdapters(adapter));
        try {
            return new PayloadDecoder(Shipment.class, jsonb, Codecs.NONE, PayloadCheck.NONE)
                    .decode(Messages.json("\"a\""));
        } finally {
            jsonb.close();
        }
    }

    @Test
    void anExceptionOfAnAdapterIsARefusalWithItsCause() {
        Exception failure = new Exception("no such sku");

        assertThatThrownBy(() -> decodeWith(new Broken(failure)))
                .isInstanceOf(DecodeException.class)
                .hasRootCause(failure);
    }

    @Test
    void anErrorOfAnAdapterPassesThroughForTheSubscriptionToSettle() {
        Error failure = new NoClassDefFoundError("Missing");

        assertThatThrownBy(() -> decodeWith(new Broken(failure))).isSameAs(failure);
    }
}

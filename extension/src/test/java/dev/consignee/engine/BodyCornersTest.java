package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.consignee.Codec;
import dev.consignee.transport.Message;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbConfig;
import jakarta.json.bind.config.BinaryDataStrategy;
import java.io.IOException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The corners of decoding by what a body is: charsets and marks, nothing at all, AMQP's own types, codecs. {@code
 * BodyTableWireTest} has the shapes.
 */
class BodyCornersTest {

    private static final Jsonb JSONB = JsonbBuilder.create();
    private static final UUID ID = UUID.fromString("3f2504e0-4f89-11d3-9a0c-0305e82c3301");
    private static final Instant TIME = Instant.parse("2026-02-03T04:05:06.789Z");

    /** A payload. */
    public record Order(int id, String what) {}

    /** A payload with what AMQP has and JSON has not. */
    public record Parcel(UUID id, Instant sent, byte[] seal, BigInteger weight, List<String> marks) {}

    @AfterAll
    static void close() throws Exception {
        JSONB.close();
    }

    private static Message message(Message.Body body, String contentType) {
        return new Message(
                Message.Header.NONE,
                Map.of(),
                Message.Properties.builder()
                        .contentType(contentType.isEmpty() ? null : contentType)
                        .build(),
                Map.of(),
                body);
    }

    private static Object decode(Type type, Message.Body body, String contentType) throws DecodeException {
        return new PayloadDecoder(type, JSONB, Codecs.NONE, PayloadCheck.NONE).decode(message(body, contentType));
    }

    private static Object decode(Type type, Object value) throws DecodeException {
        return decode(type, new Message.Value(value), "");
    }

    private static Message.Data data(byte[]... sections) {
        return new Message.Data(List.of(sections));
    }

    private static Message.Data data(String text, String charset) {
        return data(text.getBytes(Charset.forName(charset)));
    }

    private static byte[] bytes(int... bytes) {
        byte[] all = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            all[i] = (byte) bytes[i];
        }
        return all;
    }

    // --- charsets

    @ParameterizedTest
    @CsvSource({
        "UTF-8, text/plain",
        "UTF-8, text/plain; charset=UTF-8",
        "ISO-8859-1, text/plain; charset=iso-8859-1",
        "ISO-8859-1, TEXT/PLAIN; CHARSET=\"ISO-8859-1\"",
        "windows-1252, text/plain; charset=windows-1252",
        "UTF-16, text/plain; charset=utf-16",
        "UTF-16LE, text/plain; charset=utf-16le",
        "UTF-16BE, text/plain; charset=utf-16",
        "UTF-32, text/plain; charset=utf-32",
        "UTF-16, text/plain",
        "x-UTF-16LE-BOM, text/plain",
        "X-UTF-32BE-BOM, text/plain",
        "X-UTF-32LE-BOM, text/plain"
    })
    void charsetIsNamedOrElseMarkedOrElseUtf8(String charset, String contentType) throws Exception {
        assertThat(decode(String.class, data("Grüße", charset), contentType)).isEqualTo("Grüße");
    }

    @ParameterizedTest
    @CsvSource({"UTF-8, ''", "UTF-8, utf-8", "UTF-16BE, utf-16", "UTF-16LE, utf-16le", "UTF-32BE, utf-32be"})
    void byteOrderMarkIsNoPartOfTheTextAlsoWhereTheParameterAgrees(String charset, String parameter) throws Exception {
        String contentType = parameter.isEmpty() ? "application/json" : "application/json; charset=" + parameter;
        Message.Data marked = data("\uFEFF{\"id\":1,\"what\":\"é\"}", charset);
        assertThat(decode(String.class, marked, contentType)).isEqualTo("{\"id\":1,\"what\":\"é\"}");
        assertThat(decode(Order.class, marked, contentType)).isEqualTo(new Order(1, "é"));
        assertThat(decode(byte[].class, marked, contentType)).isSameAs(marked.bytes());
    }

    @Test
    void onlyOneByteOrderMarkIsTakenAway() throws Exception {
        assertThat(decode(String.class, data("\uFEFF\uFEFFx", "UTF-8"), "")).isEqualTo("\uFEFFx");
        assertThat(decode(String.class, "\uFEFFx")).isEqualTo("x");
        assertThat(decode(Order.class, "\uFEFF{\"id\":1}")).isEqualTo(new Order(1, null));
    }

    @Test
    void parameterGoesBeforeTheByteOrderMark() {
        assertThatThrownBy(() -> decode(String.class, data("x", "UTF-16"), "text/plain; charset=utf-8"))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("not text in UTF-8");
    }

    @Test
    void malformedBytesAreADecodeFailureInEveryCharset() {
        assertRefused(String.class, data(bytes('a', 0xC3)), "");
        assertRefused(String.class, data(bytes(0xED, 0xA0, 0x80)), ""); // a surrogate on its own
        assertRefused(String.class, data(bytes(0xFE, 0xFF, 0x00)), ""); // half a character of UTF-16
        assertRefused(String.class, data(bytes(0xD8, 0x00, 0x00, 'a')), "text/plain; charset=utf-16be");
        assertRefused(String.class, data(bytes('a', 0x80)), "text/plain; charset=us-ascii");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain; charset=klingon", "text/plain; charset=\"not a name\""})
    void unknownCharsetMattersOnlyWhereBytesAreReadAsText(String contentType) throws Exception {
        assertThatThrownBy(() -> decode(String.class, data("x", "UTF-8"), contentType))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("charset");
        assertRefused(Order.class, data("{\"id\":1}", "UTF-8"), contentType);
        assertThat(decode(byte[].class, data("x", "UTF-8"), contentType)).isEqualTo(bytes('x'));
        assertThat(decode(String.class, new Message.Value("x"), contentType)).isEqualTo("x");
    }

    @Test
    void charactersMaySpanSections() throws Exception {
        byte[] all = "{\"what\":\"é\"}".getBytes(StandardCharsets.UTF_8);
        Message.Data split = data(Arrays.copyOf(all, 10), Arrays.copyOfRange(all, 10, all.length));
        assertThat(decode(Order.class, split, "application/json")).isEqualTo(new Order(0, "é"));
        assertThat(decode(byte[].class, split, "")).isEqualTo(all);
    }

    @Test
    void decoderIsNotMisledByTheContentTypeOfTheMessageBefore() throws Exception {
        PayloadDecoder decoder = new PayloadDecoder(String.class, JSONB, Codecs.NONE, PayloadCheck.NONE);
        Message latin = message(data(bytes(0xE9)), "text/plain; charset=iso-8859-1");
        Message utf = message(data(bytes(0xC3, 0xA9)), "text/plain");
        Message unknown = message(data(bytes('x')), "text/plain; charset=klingon");
        for (int round = 0; round < 2; round++) {
            assertThat(decoder.decode(latin)).isEqualTo("é");
            assertThat(decoder.decode(utf)).isEqualTo("é");
            assertThatThrownBy(() -> decoder.decode(unknown)).isInstanceOf(DecodeException.class);
        }
    }

    // --- nothing

    @Test
    void nothingIsEmptyTextAndNoBytesButNoJson() throws Exception {
        for (Message.Body nothing : List.of(new Message.None(), new Message.Value(null), data(new byte[0]))) {
            assertThat(decode(String.class, nothing, "application/json")).isEqualTo("");
            assertThat(decode(byte[].class, nothing, "application/json")).isEqualTo(new byte[0]);
            assertRefused(Order.class, nothing, "application/json");
            assertRefused(Object.class, nothing, "");
        }
        assertRefused(Order.class, data(" \r\n\t", "UTF-8"), "");
        assertRefused(Order.class, data("null", "UTF-8"), "");
        assertRefused(Order.class, data(bytes(0xEF, 0xBB, 0xBF)), "");
    }

    // --- Java's own

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/x-java-serialized-object",
                "APPLICATION/X-Java-Serialized-Object",
                " application/x-java-serialized-object ; class=java.lang.String"
            })
    void serializedObjectIsRefusedForEveryPayload(String contentType) {
        for (Type type : List.of(Order.class, String.class, byte[].class)) {
            assertThatThrownBy(() -> decode(type, data("{\"id\":1}", "UTF-8"), contentType))
                    .isInstanceOf(DecodeException.class)
                    .hasMessageContaining("never deserialized");
        }
    }

    @Test
    void contentTypeThatOnlyBeginsLikeTheSerializedOnesIsAnother() throws Exception {
        assertThat(decode(String.class, data("x", "UTF-8"), "application/x-java-serialized-object-not"))
                .isEqualTo("x");
    }

    // --- AMQP's own types

    @Test
    void amqpMapBecomesAnObjectByWayOfJson() throws Exception {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", ID);
        map.put("sent", TIME);
        map.put("seal", bytes(0, 127, 128, 255));
        map.put("weight", new BigInteger("18446744073709551615"));
        map.put("marks", List.of("fragile", "wet"));
        Parcel parcel = (Parcel) decode(Parcel.class, map);
        assertThat(parcel)
                .usingRecursiveComparison()
                .isEqualTo(new Parcel(
                        ID,
                        TIME,
                        bytes(0, 127, 128, 255),
                        new BigInteger("18446744073709551615"),
                        List.of("fragile", "wet")));
    }

    @Test
    void binaryGoesTheWayThatTheApplicationsJsonbHasForIt() throws Exception {
        Jsonb base64 = JsonbBuilder.create(new JsonbConfig().withBinaryDataStrategy(BinaryDataStrategy.BASE_64));
        Message message = message(new Message.Value(Map.of("seal", bytes(1, 2, 255))), "");
        Parcel parcel =
                (Parcel) new PayloadDecoder(Parcel.class, base64, Codecs.NONE, PayloadCheck.NONE).decode(message);
        assertThat(parcel.seal()).isEqualTo(bytes(1, 2, 255));
        assertThat(new PayloadDecoder(String.class, base64, Codecs.NONE, PayloadCheck.NONE).decode(message))
                .isEqualTo("{\"seal\":\"AQL/\"}");
        base64.close();
    }

    @Test
    void amqpScalarsAreScalarsOfJson() throws Exception {
        assertThat(decode(Integer.class, 42)).isEqualTo(42);
        assertThat(decode(Long.class, (short) 42)).isEqualTo(42L);
        assertThat(decode(BigInteger.class, new BigInteger("18446744073709551615")))
                .isEqualTo(new BigInteger("18446744073709551615"));
        assertThat(decode(BigDecimal.class, 2.5d)).isEqualTo(new BigDecimal("2.5"));
        assertThat(decode(Boolean.class, true)).isEqualTo(true);
        assertThat(decode(UUID.class, ID)).isEqualTo(ID);
        assertThat(decode(Instant.class, TIME)).isEqualTo(TIME);
        assertThat(decode(Character.class, 'x')).isEqualTo('x');
        assertRefused(Order.class, new Message.Value(42), "");
    }

    @Test
    void textOfAmqpValuesIsPlainAndThatOfContainersJson() throws Exception {
        assertThat(decode(String.class, 42)).isEqualTo("42");
        assertThat(decode(String.class, true)).isEqualTo("true");
        assertThat(decode(String.class, ID)).isEqualTo(ID.toString());
        assertThat(decode(String.class, TIME)).isEqualTo("2026-02-03T04:05:06.789Z");
        assertThat(decode(String.class, 'x')).isEqualTo("x");
        assertThat(decode(String.class, List.of(1, "a", List.of(), ID))).isEqualTo("[1,\"a\",[],\"" + ID + "\"]");
        assertThat(decode(String.class, new Message.Sequence(List.of(List.of(1), List.of(2, 3))), ""))
                .isEqualTo("[1,2,3]");
    }

    @Test
    void keysOfMapsBecomeNames() throws Exception {
        assertThat(decode(String.class, Map.of(7, "a"))).isEqualTo("{\"7\":\"a\"}");
        assertThat(decode(String.class, Map.of(ID, "a"))).isEqualTo("{\"" + ID + "\":\"a\"}");
        assertThat(decode(String.class, Map.of(true, "a"))).isEqualTo("{\"true\":\"a\"}");
    }

    @Test
    void keysThatAreNoNamesAreRefused() {
        assertRefused(Object.class, new Message.Value(Map.of(List.of(1), "a")), "");
        assertRefused(Object.class, new Message.Value(Map.of(bytes(1), "a")), "");
        assertRefused(Object.class, new Message.Value(Collections.singletonMap(null, "a")), "");
        Map<Object, Object> twice = new HashMap<>();
        twice.put(1, "a");
        twice.put("1", "b");
        assertRefused(Object.class, new Message.Value(twice), "");
    }

    @Test
    void whatJsonHasNothingForIsRefused() {
        assertRefused(Object.class, new Message.Value(Double.NaN), "");
        assertRefused(String.class, new Message.Value(Float.POSITIVE_INFINITY), "");
        assertRefused(Object.class, new Message.Value(List.of(Double.NEGATIVE_INFINITY)), "");
        assertRefused(Object.class, new Message.Value(Optional.of("a class that nobody asked for")), "");
        assertRefused(String.class, new Message.Value(Map.of("a", new Object())), "");
    }

    @Test
    void arraysAreLists() throws Exception {
        assertThat(decode(String.class, new Object[] {1, "a", null})).isEqualTo("[1,\"a\",null]");
        assertThat(decode(String.class, new int[] {1, 2})).isEqualTo("[1,2]");
        assertThat(decode(int[].class, new long[] {1, 2})).isEqualTo(new int[] {1, 2});
    }

    @Test
    void depthOfListsIsBounded() throws Exception {
        assertThat(decode(String.class, nested(JsonText.DEEPEST))).isEqualTo("[".repeat(200) + "]".repeat(200));
        assertThat(decode(Object.class, nested(JsonText.DEEPEST))).isInstanceOf(List.class);
        assertRefused(String.class, new Message.Value(nested(JsonText.DEEPEST + 2)), "");
        assertRefused(Object.class, new Message.Value(nested(100_000)), "");
    }

    private static List<Object> nested(int depth) {
        List<Object> list = new ArrayList<>();
        for (int i = 1; i < depth; i++) {
            list = new ArrayList<>(List.of(list));
        }
        return list;
    }

    @Test
    void bytesAreOnlyWhatIsSentAsBytesOrText() throws Exception {
        assertThat(decode(byte[].class, "é")).isEqualTo(bytes(0xC3, 0xA9));
        assertThat(decode(byte[].class, bytes(1))).isEqualTo(bytes(1));
        for (Object other : List.of(42, true, ID, TIME, 'x', List.of(1), Map.of("a", 1))) {
            assertRefused(byte[].class, new Message.Value(other), "");
        }
        assertRefused(byte[].class, new Message.Sequence(List.of(List.of(1))), "");
    }

    // --- codecs

    /** Reads the text from behind. */
    static final class Reversing implements Codec {

        @Override
        public Set<String> contentTypes() {
            return Set.of("application/x-reversed");
        }

        @Override
        public Object decode(byte[] body, Type type, String contentType) throws Exception {
            String text = new StringBuilder(new String(body, StandardCharsets.UTF_8))
                    .reverse()
                    .toString();
            return switch (text) {
                case "throw" -> throw new IOException("a codec that fails");
                case "error" -> throw new StackOverflowError("a codec that recurses");
                case "null" -> null;
                case "wrong" -> 7;
                default -> new Order(text.length(), text + " as " + contentType);
            };
        }

        @Override
        public byte[] encode(Object payload, String contentType) {
            throw new UnsupportedOperationException("not here");
        }
    }

    private static Object coded(Type type, Message.Body body, String contentType) throws DecodeException {
        Codecs codecs = new Codecs(Map.of("application/x-reversed", new Reversing()));
        return new PayloadDecoder(type, JSONB, codecs, PayloadCheck.NONE).decode(message(body, contentType));
    }

    @Test
    void codecTakesOverItsContentTypeWhateverItsParametersAndCase() throws Exception {
        String contentType = "Application/X-Reversed; v=1";
        Order order = new Order(3, "abc as " + contentType);
        assertThat(coded(Order.class, data(bytes('c', 'b'), bytes('a')), contentType))
                .isEqualTo(order);
        assertThat(coded(Order.class, new Message.Value(bytes('c', 'b', 'a')), contentType))
                .isEqualTo(order);
        assertThat(coded(Order.class, new Message.Value("cba"), contentType)).isEqualTo(order);
        assertThat(coded(Order.class, data(new byte[0]), "application/x-reversed; charset=klingon"))
                .isEqualTo(new Order(0, " as application/x-reversed; charset=klingon"));
    }

    @Test
    void codecIsNotAskedForTextBytesAndOtherContentTypes() throws Exception {
        assertThat(coded(String.class, data("cba", "UTF-8"), "application/x-reversed"))
                .isEqualTo("cba");
        assertThat(coded(byte[].class, data("cba", "UTF-8"), "application/x-reversed"))
                .isEqualTo(bytes('c', 'b', 'a'));
        assertThat(coded(Order.class, data("{\"id\":1}", "UTF-8"), "application/json"))
                .isEqualTo(new Order(1, null));
        assertThat(coded(Order.class, data("{\"id\":1}", "UTF-8"), "")).isEqualTo(new Order(1, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"throw", "error", "null", "wrong"})
    void codecThatFailsIsADecodeFailure(String how) {
        byte[] reversed = new StringBuilder(how).reverse().toString().getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> coded(Order.class, data(reversed), "application/x-reversed"))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("codec");
    }

    @Test
    void codecIsNotAskedWhereThereAreNoBytes() {
        for (Message.Body body : List.of(
                new Message.None(),
                new Message.Value(null),
                new Message.Value(42),
                new Message.Sequence(List.of(List.of(1))))) {
            assertThatThrownBy(() -> coded(Order.class, body, "application/x-reversed"))
                    .isInstanceOf(DecodeException.class)
                    .hasMessageContaining("body")
                    .hasNoCause();
        }
    }

    // --- checks

    @Test
    void payloadThatIsObjectedToIsADecodeFailure() throws Exception {
        PayloadCheck check = payload ->
                payload instanceof Order order && order.id() > 1 ? Optional.of("id is too large") : Optional.empty();
        PayloadDecoder decoder = new PayloadDecoder(Order.class, JSONB, Codecs.NONE, check);
        assertThat(decoder.decode(message(data("{\"id\":1}", "UTF-8"), ""))).isEqualTo(new Order(1, null));
        assertThatThrownBy(() -> decoder.decode(message(data("{\"id\":2}", "UTF-8"), "")))
                .isInstanceOf(DecodeException.class)
                .hasMessage("id is too large");
    }

    // --- JSON

    @Test
    void jsonOfAnyContentTypeReachesTheHandler() throws Exception {
        for (String contentType : List.of(
                "",
                "application/json",
                "Application/JSON; v=2",
                "application/vnd.order+json",
                "text/plain",
                "text/json; charset=utf-8",
                "application/octet-stream",
                "image/png",
                "no content type at all")) {
            assertThat(decode(Order.class, data("{\"id\":1,\"what\":\"pen\"}", "UTF-8"), contentType))
                    .isEqualTo(new Order(1, "pen"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"id\":1} x", "{\"id\":", "plain text", "<order/>", "[1]", "{\"id\":1}{\"id\":2}", "\u0000"})
    void whatIsNoJsonOfTheTypeIsRefused(String text) {
        assertRefused(Order.class, data(text, "UTF-8"), "application/json");
        assertRefused(Order.class, new Message.Value(text), "application/json");
    }

    @Test
    void failureDoesNotQuoteTheValuesOfAnAmqpBody() {
        assertThatThrownBy(() -> decode(byte[].class, Map.of("password", "secret")))
                .isInstanceOf(DecodeException.class)
                .hasMessageNotContaining("secret");
    }

    private static void assertRefused(Type type, Message.Body body, String contentType) {
        assertThatThrownBy(() -> decode(type, body, contentType)).isInstanceOf(DecodeException.class);
    }
}

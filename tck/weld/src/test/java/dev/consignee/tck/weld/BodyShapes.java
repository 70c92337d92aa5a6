package dev.consignee.tck.weld;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.AmqpSequence;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Section;

/** The shapes of bodies, and what each is to a handler: the rows of the table in {@code docs/bodies.md}. */
final class BodyShapes {

    private static final String SERIALIZED = "application/x-java-serialized-object";
    private static final UUID ID = UUID.fromString("3f2504e0-4f89-11d3-9a0c-0305e82c3301");
    private static final Date TIME = new Date(1_770_091_506_789L);

    /** What a handler is given; empty where it is not called, and the delivery is settled as a decode failure. */
    private static final Optional<Object> REFUSED = Optional.empty();

    /**
     * One row.
     *
     * @param body the shape in words
     * @param contentType empty where none is sent
     * @param sections the body's sections; none at all where there are none
     * @param json the payload of a JSON handler, as JSON
     * @param text the payload of a String handler
     * @param bytes the payload of a byte[] handler
     */
    record Shape(
            String body,
            String contentType,
            List<Section<?>> sections,
            Optional<Object> json,
            Optional<Object> text,
            Optional<Object> bytes) {

        @Override
        public String toString() {
            return body + (contentType.isEmpty() ? "" : " as " + contentType);
        }
    }

    private static final class Rows {

        final List<Shape> all = new ArrayList<>();

        void add(
                String body,
                String contentType,
                List<Section<?>> sections,
                Optional<Object> json,
                Optional<Object> text,
                Optional<Object> bytes) {
            all.add(new Shape(body, contentType, sections, json, text, bytes));
        }

        /** One data section of text that is JSON. */
        void json(String body, String contentType, String sent, String charset, String text, String json) {
            byte[] bytes = sent.getBytes(Charset.forName(charset));
            add(body, contentType, data(bytes), is(json), is(text), is(bytes));
        }

        /** One data section of text that is no JSON. */
        void noJson(String body, String contentType, String text) {
            byte[] bytes = utf8(text);
            add(body, contentType, data(bytes), REFUSED, is(text), is(bytes));
        }

        /** One data section that is no text. */
        void noText(String body, String contentType, byte[] bytes) {
            add(body, contentType, data(bytes), REFUSED, REFUSED, is(bytes));
        }

        /** A value of AMQP's own types. */
        void value(String body, Object value, String json, String text) {
            add(body, "", List.of(new AmqpValue<>(value)), is(json), is(text), REFUSED);
        }

        void refused(String body, String contentType, List<Section<?>> sections) {
            add(body, contentType, sections, REFUSED, REFUSED, REFUSED);
        }

        /** Nothing at all, or empty. */
        void nothing(String body, String contentType, List<Section<?>> sections) {
            add(body, contentType, sections, REFUSED, is(""), is(new byte[0]));
        }
    }

    private BodyShapes() {}

    static List<Shape> all() {
        Rows rows = new Rows();
        addContentTypes(rows);
        addContents(rows);
        addCharsets(rows);
        addSerialized(rows);
        addValues(rows);
        addContainers(rows);
        addNothing(rows);
        return rows.all;
    }

    private static void addContentTypes(Rows rows) {
        for (String contentType : List.of(
                "application/json",
                "",
                "APPLICATION/JSON; v=1",
                "application/vnd.order+json",
                "text/plain",
                "text/json; charset=\"UTF-8\"",
                "application/octet-stream",
                "application/xml",
                "no content type at all")) {
            rows.json("data: JSON", contentType, "{\"a\":1}", "UTF-8", "{\"a\":1}", "{\"a\":1}");
        }
        byte[] json = utf8("{\"a\":\"é\"}");
        rows.add(
                "two data sections: halves of JSON",
                "application/json",
                List.of(new Data(utf8("{\"a\"")), new Data(utf8(":1}"))),
                is("{\"a\":1}"),
                is("{\"a\":1}"),
                is(utf8("{\"a\":1}")));
        rows.add(
                "three data sections, one empty, a character split between the others",
                "",
                List.of(
                        new Data(Arrays.copyOf(json, 7)),
                        new Data(new byte[0]),
                        new Data(Arrays.copyOfRange(json, 7, json.length))),
                is("{\"a\":\"é\"}"),
                is("{\"a\":\"é\"}"),
                is(json));
    }

    private static void addContents(Rows rows) {
        rows.json("data: JSON, a number", "application/json", "42", "UTF-8", "42", "42");
        rows.json("data: JSON, an array", "application/json", "[1,2]", "UTF-8", "[1,2]", "[1,2]");
        rows.json(
                "data: JSON with blanks around it",
                "application/json",
                " {\"a\":1}\n",
                "UTF-8",
                " {\"a\":1}\n",
                "{\"a\":1}");
        rows.noJson("data: the JSON null", "application/json", "null");
        rows.noJson("data: JSON, then something else", "application/json", "{\"a\":1} x");
        rows.noJson("data: two JSON values", "application/json", "{\"a\":1}{\"a\":2}");
        rows.noJson("data: half of JSON", "application/json", "{\"a\":");
        rows.noJson("data: JSON nested 201 levels deep", "application/json", "[".repeat(201) + "]".repeat(201));
        rows.noJson("data: text", "text/plain", "hello");
        rows.noJson("data: blanks", "application/json", "  ");
        rows.noText("data: JSON, compressed by gzip", "application/json", gzip("{\"a\":1}"));
    }

    private static void addCharsets(Rows rows) {
        String json = "{\"a\":\"é\"}";
        String marked = "\uFEFF" + json;
        rows.json("data: JSON in UTF-8 with a byte-order mark", "", marked, "UTF-8", json, json);
        rows.json("the same", "application/json; charset=utf-8", marked, "UTF-8", json, json);
        rows.json("data: JSON in UTF-16, big-endian, with a mark", "application/json", marked, "UTF-16BE", json, json);
        rows.json("data: JSON in UTF-16, little-endian, with a mark", "", marked, "UTF-16LE", json, json);
        rows.json("the same", "application/json; charset=utf-16le", marked, "UTF-16LE", json, json);
        rows.json("the same", "application/json; charset=utf-16", marked, "UTF-16LE", json, json);
        rows.json("data: JSON in UTF-32, little-endian, with a mark", "", marked, "UTF-32LE", json, json);
        rows.json("data: JSON in UTF-16, no mark", "application/json; charset=UTF-16", json, "UTF-16BE", json, json);
        rows.json("data: JSON in Latin 1", "text/plain; charset=iso-8859-1", json, "ISO-8859-1", json, json);
        rows.json("the same", "Application/Json;a=b;CharSet=\"ISO-8859-1\"", json, "ISO-8859-1", json, json);
        rows.noText("the same", "application/json", json.getBytes(StandardCharsets.ISO_8859_1));
        rows.noText(
                "data: JSON in UTF-16 with a mark",
                "application/json; charset=utf-8",
                marked.getBytes(StandardCharsets.UTF_16BE));
        rows.noText("data: JSON", "application/json; charset=klingon", utf8("{\"a\":1}"));
        rows.noText("data: malformed UTF-8", "text/plain", new byte[] {'a', (byte) 0xC3, 'b'});
        rows.noText("data: any bytes", "application/octet-stream", new byte[] {0, 1, (byte) 0x80, (byte) 0xFF});
    }

    private static void addSerialized(Rows rows) {
        byte[] object = serialized("a string");
        rows.refused("data: a serialized Java object", SERIALIZED, data(object));
        rows.refused("data: JSON", "Application/X-Java-Serialized-Object; class=x", data(utf8("{\"a\":1}")));
        rows.refused("amqp-value: string, JSON", SERIALIZED, value("{\"a\":1}"));
        rows.noText("data: a serialized Java object", "application/octet-stream", object);
    }

    private static void addValues(Rows rows) {
        rows.add(
                "amqp-value: string, JSON",
                "",
                value("{\"a\":\"é\"}"),
                is("{\"a\":\"é\"}"),
                is("{\"a\":\"é\"}"),
                is(utf8("{\"a\":\"é\"}")));
        rows.add(
                "the same",
                "application/json; charset=klingon",
                value("{\"a\":1}"),
                is("{\"a\":1}"),
                is("{\"a\":1}"),
                is(utf8("{\"a\":1}")));
        rows.add("amqp-value: string, text", "", value("hello"), REFUSED, is("hello"), is(utf8("hello")));
        rows.add(
                "amqp-value: string, JSON after a mark",
                "",
                value("\uFEFF{\"a\":1}"),
                is("{\"a\":1}"),
                is("{\"a\":1}"),
                is(utf8("\uFEFF{\"a\":1}")));
        rows.add(
                "amqp-value: symbol, JSON",
                "",
                value(Symbol.valueOf("{\"a\":1}")),
                is("{\"a\":1}"),
                is("{\"a\":1}"),
                is(utf8("{\"a\":1}")));
        rows.add(
                "amqp-value: binary, JSON",
                "application/json",
                value(new Binary(utf8("{\"a\":1}"))),
                is("{\"a\":1}"),
                is("{\"a\":1}"),
                is(utf8("{\"a\":1}")));
        rows.add(
                "amqp-value: binary, any bytes",
                "",
                value(new Binary(new byte[] {0, (byte) 0xFF})),
                REFUSED,
                REFUSED,
                is(new byte[] {0, (byte) 0xFF}));
        rows.value("amqp-value: int", 42, "42", "42");
        rows.value("amqp-value: ubyte", UnsignedByte.valueOf((byte) 200), "200", "200");
        rows.value("amqp-value: long", Long.MIN_VALUE, "-9223372036854775808", "-9223372036854775808");
        rows.value("amqp-value: ulong", UnsignedLong.valueOf(-1L), "18446744073709551615", "18446744073709551615");
        rows.value("amqp-value: double", 2.5d, "2.5", "2.5");
        rows.refused("amqp-value: double, not a number", "", value(Double.NaN));
        rows.value("amqp-value: boolean", true, "true", "true");
        rows.value("amqp-value: char", 'x', "\"x\"", "x");
        rows.value("amqp-value: uuid", ID, "\"" + ID + "\"", ID.toString());
        rows.value("amqp-value: timestamp", TIME, "\"2026-02-03T04:05:06.789Z\"", "2026-02-03T04:05:06.789Z");
    }

    private static void addContainers(Rows rows) {
        rows.value("amqp-value: map", Map.of("a", 1), "{\"a\":1}", "{\"a\":1}");
        rows.value("the same", Map.of(7, true), "{\"7\":true}", "{\"7\":true}");
        Map<String, Object> everything = new LinkedHashMap<>();
        everything.put("b", new Binary(new byte[] {1, (byte) 0xFF}));
        rows.value("amqp-value: map with a binary", everything, "{\"b\":[1,-1]}", "{\"b\":[1,-1]}");
        rows.value(
                "amqp-value: map with a uuid", Map.of("id", ID), "{\"id\":\"" + ID + "\"}", "{\"id\":\"" + ID + "\"}");
        rows.value(
                "amqp-value: map with a timestamp",
                Map.of("at", TIME),
                "{\"at\":\"2026-02-03T04:05:06.789Z\"}",
                "{\"at\":\"2026-02-03T04:05:06.789Z\"}");
        rows.refused("amqp-value: map with a list for a key", "", value(Map.of(List.of(1), 1)));
        rows.value("amqp-value: list", List.of(1, "a", List.of(true)), "[1,\"a\",[true]]", "[1,\"a\",[true]]");
        rows.refused("amqp-value: list nested 502 levels deep", "", value(nested(502)));
        rows.value("amqp-value: array of int", new int[] {1, 2}, "[1,2]", "[1,2]");
        rows.value("amqp-value: array of string", new String[] {"a", "b"}, "[\"a\",\"b\"]", "[\"a\",\"b\"]");
        rows.add(
                "amqp-sequence",
                "",
                List.of(new AmqpSequence<>(List.of(1, "a"))),
                is("[1,\"a\"]"),
                is("[1,\"a\"]"),
                REFUSED);
        rows.add(
                "two amqp-sequences",
                "application/json",
                List.of(new AmqpSequence<>(List.of(1)), new AmqpSequence<>(List.of(Map.of("a", 2)))),
                is("[1,{\"a\":2}]"),
                is("[1,{\"a\":2}]"),
                REFUSED);
    }

    private static void addNothing(Rows rows) {
        rows.nothing("data, empty", "application/json", data(new byte[0]));
        rows.nothing("amqp-value: string, empty", "", value(""));
        rows.nothing("amqp-value: null", "application/json", value(null));
        rows.nothing("no body section", "", List.of());
        rows.nothing("the same", "application/json", List.of());
    }

    private static List<Object> nested(int depth) {
        List<Object> list = Collections.emptyList();
        for (int i = 1; i < depth; i++) {
            list = List.of(list);
        }
        return list;
    }

    private static List<Section<?>> data(byte[] bytes) {
        return List.of(new Data(bytes));
    }

    private static List<Section<?>> value(Object value) {
        return List.of(new AmqpValue<>(value));
    }

    private static Optional<Object> is(Object payload) {
        return Optional.of(payload);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] serialized(String object) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
            stream.writeObject(object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] gzip(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(bytes)) {
            stream.write(utf8(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}

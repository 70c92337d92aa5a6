package dev.consignee.tck.contract;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Tck;
import dev.consignee.tck.TckApplication;
import dev.consignee.tck.WireMessage;
import dev.consignee.tck.app.Handled;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.Symbol;
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
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What of a message is the same when it comes back as a copy, or ends as a dead letter: all that is not named here. */
class CopyContractTest {

    private static final String RETRY_COUNT = "x-ruststream-retry-count";
    private static final String DUPLICATE_ID = "_AMQ_DUPL_ID";
    private static final UUID ID = UUID.fromString("3f2504e0-4f89-11d3-9a0c-0305e82c3301");
    private static final UnsignedLong GREATEST =
            UnsignedLong.valueOf(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));

    @RegisterExtension
    final Tck tck = new Tck();

    // --- a message that says all there is to say

    private static Section[] everything(Object id, Section... body) {
        List<Section> sections = new ArrayList<>();
        Header header = new Header();
        header.setDurable(true);
        header.setPriority(UnsignedByte.valueOf((byte) 7));
        header.setTtl(UnsignedInteger.valueOf(3_600_000));
        header.setFirstAcquirer(true);
        sections.add(header);
        sections.add(new DeliveryAnnotations(
                new LinkedHashMap<>(Map.of(Symbol.valueOf("x-opt-hop"), UnsignedInteger.valueOf(1)))));
        Map<Symbol, Object> annotations = new LinkedHashMap<>();
        annotations.put(Symbol.valueOf("x-opt-trace"), UnsignedInteger.valueOf(7));
        annotations.put(Symbol.valueOf("x-opt-delivery-time"), 1_000L); // long ago
        annotations.put(Symbol.valueOf("x-opt-delivery-count-of-ours"), "a hint");
        annotations.put(Symbol.valueOf("x-opt-list"), new ArrayList<>(Arrays.asList(1, null, "three")));
        annotations.put(Symbol.valueOf("x-opt-map"), new LinkedHashMap<>(Map.of("key", ID)));
        sections.add(new MessageAnnotations(annotations));
        sections.add(properties(id));
        sections.add(new ApplicationProperties(applicationProperties(id)));
        sections.addAll(List.of(body));
        Map<Object, Object> footer = new LinkedHashMap<>();
        footer.put(Symbol.valueOf("x-opt-checksum"), new Binary(new byte[] {1, 2, 3}));
        sections.add(new Footer(footer));
        return sections.toArray(Section[]::new);
    }

    private static Properties properties(Object id) {
        Properties properties = new Properties();
        properties.setMessageId(id);
        properties.setUserId(new Binary(new byte[] {'b', 'o', 'b'}));
        properties.setTo("somewhere-else");
        properties.setSubject("stock");
        properties.setReplyTo("answers");
        properties.setCorrelationId(id);
        properties.setContentType(Symbol.valueOf("text/plain; charset=utf-8"));
        properties.setContentEncoding(Symbol.valueOf("identity"));
        properties.setAbsoluteExpiryTime(
                Date.from(Instant.now().plus(Duration.ofHours(1)).plusMillis(7)));
        properties.setCreationTime(Date.from(Instant.parse("2026-11-30T12:34:56.789Z")));
        properties.setGroupId("pens");
        properties.setGroupSequence(UnsignedInteger.valueOf(4_000_000_000L));
        properties.setReplyToGroupId("books");
        return properties;
    }

    private static Map<String, Object> applicationProperties(Object id) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("null", null);
        values.put("boolean", true);
        values.put("ubyte", UnsignedByte.valueOf((byte) 255));
        values.put("ushort", UnsignedShort.valueOf((short) 65_535));
        values.put("uint", UnsignedInteger.valueOf(4_294_967_295L));
        values.put("ulong", GREATEST);
        values.put("byte", (byte) -1);
        values.put("short", (short) -2);
        values.put("int", -3);
        values.put("long", Long.MIN_VALUE);
        values.put("float", Float.NaN);
        values.put("double", -0.0);
        values.put("decimal32", new Decimal32(7));
        values.put("decimal64", new Decimal64(7));
        values.put("decimal128", new Decimal128(1, 2));
        values.put("char", 'ä');
        values.put("timestamp", Date.from(Instant.parse("2026-02-03T04:05:06.789Z")));
        values.put("uuid", ID);
        values.put("binary", new Binary(new byte[] {0, -1}));
        values.put("string", "täxt");
        values.put("empty", "");
        values.put("symbol", Symbol.valueOf("sym"));
        // Not allowed there, and passed on all the same.
        values.put("list", new ArrayList<>(Arrays.asList(UnsignedByte.valueOf((byte) 1), "two")));
        values.put("map", new LinkedHashMap<>(Map.of("key", Symbol.valueOf("value"))));
        values.put("x-with-hyphen", 1);
        values.put(DUPLICATE_ID, "once " + id);
        values.put(RETRY_COUNT, UnsignedInteger.valueOf(3));
        return values;
    }

    private static Section[] text(String first, String second) {
        return new Section[] {
            new Data(new Binary(first.getBytes(StandardCharsets.UTF_8))),
            new Data(new Binary(new byte[0])),
            new Data(new Binary(second.getBytes(StandardCharsets.UTF_8)))
        };
    }

    // --- what a test sees

    private List<WireMessage> arrived(String queue) {
        return tck.proxy().events(LinkEvent.Transferred.class).stream()
                .filter(event -> event.receivingFrom(queue))
                .map(LinkEvent.Transferred::message)
                .toList();
    }

    private List<WireMessage> sentTo(String address) {
        return tck.proxy().events(LinkEvent.Transferred.class).stream()
                .filter(event -> event.sendingTo(address))
                .map(LinkEvent.Transferred::message)
                .toList();
    }

    private void awaitCount(String queue, long messages) {
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(queue).messageCount()).isEqualTo(messages));
    }

    /** Copies say what their original said, as it arrived, but for what makes them copies. */
    private static void assertCopy(WireMessage original, WireMessage copy, String retryCount) {
        assertThat(copy.fields().get("message-id")).startsWith("String ID:");
        assertThat(copy.fields().get("message-id"))
                .isNotEqualTo(original.fields().get("message-id"));
        Map<String, String> expected = new TreeMap<>(original.fields());
        expected.put("message-id", copy.fields().get("message-id"));
        expected.put("property." + RETRY_COUNT, "String " + retryCount);
        expected.remove("property." + DUPLICATE_ID);
        expected.keySet().removeIf(field -> field.startsWith("annotation.x-opt-delivery-"));
        assertThat(new TreeMap<>(copy.fields())).isEqualTo(withoutHop(expected));
    }

    private static void assertDeadLetter(WireMessage original, WireMessage deadLetter) {
        assertThat(new TreeMap<>(deadLetter.fields())).isEqualTo(withoutHop(original.fields()));
    }

    /** Without what belongs to the hop by which a message came. */
    private static Map<String, String> withoutHop(Map<String, String> fields) {
        Map<String, String> left = new TreeMap<>(fields);
        left.keySet().removeIf(field -> field.startsWith("delivery-annotation."));
        left.remove("header.first-acquirer");
        left.remove("header.delivery-count");
        return left;
    }

    // --- section by section

    @Test
    @Asserts("attempt-13")
    void brokerItselfChangesNothingButWhatIsNamedHere() throws Exception {
        Section[] sections = everything(ID, text("ac", "k"));
        try (TckApplication application = tck.deployWith(List.of("patient"))) {
            tck.client().sendToQueue("patient", Outbound.sections(sections));
            await().until(() -> application.handled().size() == 1);
            Map<String, String> expected = new TreeMap<>(new WireMessage(List.of(sections)).fields());
            expected.remove("delivery-annotation.x-opt-hop"); // for the hop to the broker
            expected.put("header.delivery-count", "UnsignedInteger 0"); // Artemis fills in
            assertThat(new TreeMap<>(arrived("patient").get(0).fields())).isEqualTo(expected);
            assertThat(application.handled().get(0).script()).isEqualTo("ack");
        }
    }

    @Test
    @Asserts({"attempt-13", "attempt-2", "attempt-7"})
    void copyAndDeadLetterSayWhatTheirOriginalSaid() throws Exception {
        List<Object> ids = List.of("text", ID, GREATEST, new Binary(new byte[] {0, -1}));
        try (TckApplication application = tck.deployWith(List.of("mortal"), "max-attempts", "6")) {
            for (Object id : ids) {
                tck.proxy().clear();
                tck.client().sendToQueue("mortal", Outbound.sections(everything(id, text("retry,", "after:20,retry"))));
                await().until(() -> !sentTo("mortal.dead").isEmpty());
                await().until(() -> arrived("mortal").size() == 3);

                WireMessage original = arrived("mortal").get(0);
                assertThat(original.fields()).containsEntry("property.uint", "UnsignedInteger 4294967295");
                // As it leaves, once at once and once after a while.
                assertCopy(original, sentTo("mortal").get(0), "4");
                assertCopy(original, sentTo("mortal").get(1), "5");
                // As it arrives again.
                assertCopy(original, arrived("mortal").get(1), "4");
                assertCopy(original, arrived("mortal").get(2), "5");
                // The last copy is what has become a dead letter.
                assertDeadLetter(arrived("mortal").get(2), sentTo("mortal.dead").get(0));
            }
            assertThat(application.handled())
                    .extracting(Handled::attempt)
                    .containsExactly(4, 5, 6, 4, 5, 6, 4, 5, 6, 4, 5, 6);
            awaitCount("mortal.dead", ids.size());
            awaitCount("mortal", 0);
        }
    }

    @Test
    @Asserts({"attempt-13", "attempt-7"})
    void deadLetterOfAMessageThatWasNeverCopiedIsTheMessage() throws Exception {
        Section[] sections = everything(ID, text("retry", ""));
        try (TckApplication application = tck.deployWith(List.of("fatal"))) {
            tck.client().sendToQueue("fatal", Outbound.sections(sections));
            awaitCount("fatal.dead", 1);
            WireMessage original = arrived("fatal").get(0);
            assertThat(original.fields())
                    .containsKeys(
                            "annotation.x-opt-delivery-time",
                            "annotation.x-opt-delivery-count-of-ours",
                            "property." + DUPLICATE_ID,
                            "property." + RETRY_COUNT,
                            "footer.x-opt-checksum");
            assertDeadLetter(original, sentTo("fatal.dead").get(0));
            assertDeadLetter(original, tck.broker().messages("fatal.dead").get(0)); // as the next receiver gets it
            assertThat(application.subscription("fatal").deadLetters()).isEqualTo(1);
        }
    }

    /** Bodies of which none is an order. */
    private static List<List<Section>> bodies() {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put("id", "no number");
        map.put(Symbol.valueOf("uuid"), ID);
        map.put(UnsignedLong.valueOf(1), Arrays.asList(null, GREATEST));
        Binary bytes = new Binary(new byte[] {'{', -1});
        return List.of(
                List.of(new AmqpValue("text")),
                List.of(new AmqpValue(bytes)),
                List.of(new AmqpValue(null)),
                List.of(new AmqpValue(map)),
                List.of(new AmqpValue(new ArrayList<>(Arrays.asList("text", null, UnsignedByte.valueOf((byte) 1))))),
                List.of(
                        new AmqpSequence(new ArrayList<>(List.of("text", 1))),
                        new AmqpSequence(new ArrayList<>(List.of(Symbol.valueOf("two"))))),
                List.of(new Data(bytes)),
                List.of(new Data(new Binary(new byte[300_000])))); // in several frames
    }

    @Test
    @Asserts({"attempt-13", "attempt-6", "attempt-7", "failure-2"})
    void bodiesOfEveryKindAreKept() throws Exception {
        try (TckApplication application =
                tck.deployWith(List.of("strict"), "max-attempts", "3", "on-decode-error", "RETRY")) {
            for (List<Section> body : bodies()) {
                tck.proxy().clear();
                List<Section> sections = new ArrayList<>();
                Properties properties = new Properties();
                properties.setContentType(Symbol.valueOf("application/json"));
                sections.add(properties);
                sections.addAll(body);
                tck.client().sendToQueue("strict", Outbound.sections(sections.toArray(Section[]::new)));
                await().alias(body.toString())
                        .until(() -> tck.proxy().dispositionsOf("strict").size() == 3);

                WireMessage original = new WireMessage(sections);
                assertThat(arrived("strict").get(0).fields()).isEqualTo(original.fields());
                assertThat(sentTo("strict")).hasSize(2);
                assertCopy(original, sentTo("strict").get(0), "1");
                assertCopy(original, sentTo("strict").get(1), "2");
                assertDeadLetter(arrived("strict").get(2), sentTo("strict.dead").get(0));
            }
            assertThat(application.handled()).isEmpty();
            assertThat(application.subscription("strict").decodeFailures()).isEqualTo(3L * bodies().size());
            awaitCount("strict.dead", bodies().size());
        }
    }

    // --- duplicates

    @Test
    @Asserts("attempt-13")
    void copiesOfAMessageWithADuplicateDetectionIdReallyArrive() throws Exception {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(DUPLICATE_ID, "the only one");
        Properties named = new Properties();
        named.setCorrelationId("1");
        named.setContentType(Symbol.valueOf("text/plain"));
        Section[] message = {
            named,
            new ApplicationProperties(properties),
            new Data(new Binary("retry,after:20,retry,retry,ack".getBytes(StandardCharsets.UTF_8)))
        };
        try (TckApplication application = tck.deployWith(List.of("capped"))) {
            tck.client().sendToQueue("capped", Outbound.sections(message));
            tck.client().sendToQueue("capped", Outbound.sections(message)); // which the broker accepts and discards
            await().until(() -> application.subscription("capped").copies() == 4);
            await().until(() -> application.subscription("capped").accepted() == 4);
            assertThat(application.handled()).extracting(Handled::attempt).containsExactly(1, 2, 3, 4, 5);
            assertThat(sentTo("capped"))
                    .hasSize(4)
                    .noneMatch(copy -> copy.properties().containsKey(DUPLICATE_ID));
            assertThat(tck.proxy().dispositionsOf("capped").stream().filter(each -> each instanceof Rejected))
                    .hasSize(1);
            awaitCount("capped", 0);
            assertThat(tck.broker().queue("capped").messagesAdded()).isEqualTo(5);
        }
    }
}

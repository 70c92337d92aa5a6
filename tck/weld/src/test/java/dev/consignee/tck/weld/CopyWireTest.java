package dev.consignee.tck.weld;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.Tck;
import dev.consignee.tck.TckApplication;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.SenderOptions;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Decimal128;
import org.apache.qpid.protonj2.types.Decimal32;
import org.apache.qpid.protonj2.types.Decimal64;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Footer;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Between two clients without JMS: what a message still says after it was copied, and as a dead letter. */
class CopyWireTest {

    private static final String RETRY_COUNT = "property x-ruststream-retry-count";
    private static final String DUPLICATE_ID = "property _AMQ_DUPL_ID";
    private static final UUID ID = UUID.fromString("f47ac10b-58cc-4372-a567-0e02b2c3d479");
    private static final Instant LATER = Instant.now().plusSeconds(3600);

    @RegisterExtension
    final Tck tck = new Tck();

    private Client client;
    private Connection connection;

    @BeforeEach
    void connect() throws Exception {
        client = Client.create();
        URI url = URI.create(tck.broker().url());
        ConnectionOptions options = new ConnectionOptions();
        options.saslOptions().addAllowedMechanism("ANONYMOUS");
        connection = client.connect(url.getHost(), url.getPort(), options);
        tck.broker().createQueue("straight");
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private void send(String queue, AdvancedMessage<Object> message) throws Exception {
        SenderOptions options = new SenderOptions();
        options.targetOptions().capabilities("queue");
        try (Sender sender = connection.openSender(queue, options)) {
            sender.send(message, Map.of("x-opt-hop", 1)).awaitSettlement();
        }
    }

    /** All that a queue's next message says. */
    private Map<String, Object> receive(String queue) throws Exception {
        ReceiverOptions options = new ReceiverOptions();
        options.sourceOptions().capabilities("queue");
        try (Receiver receiver = connection.openReceiver(queue, options)) {
            return told(receiver.receive(10, TimeUnit.SECONDS).message().toAdvancedMessage());
        }
    }

    private static AdvancedMessage<Object> everything(String script) throws Exception {
        AdvancedMessage<Object> message = AdvancedMessage.create();
        message.header(new Header().setDurable(true).setPriority((byte) 7).setTimeToLive(600_000));
        Map<Symbol, Object> annotations = new LinkedHashMap<>();
        annotations.put(Symbol.valueOf("x-opt-trace"), UnsignedInteger.valueOf(7));
        annotations.put(Symbol.valueOf("x-opt-delivery-time"), 1L); // long ago
        message.annotations(new MessageAnnotations(annotations));
        Properties properties = new Properties();
        properties.setMessageId(ID);
        properties.setUserId(new Binary(new byte[] {1, 2, 3}));
        properties.setTo("somewhere");
        properties.setSubject("stock");
        properties.setReplyTo("answers");
        properties.setCorrelationId(UnsignedLong.valueOf(BigInteger.TEN.pow(19)));
        properties.setContentType("text/plain");
        properties.setContentEncoding("identity");
        properties.setAbsoluteExpiryTime(LATER.toEpochMilli());
        properties.setCreationTime(Instant.parse("2026-11-30T12:34:56.789Z").toEpochMilli());
        properties.setGroupId("pens");
        properties.setGroupSequence(4_000_000_000L);
        properties.setReplyToGroupId("books");
        message.properties(properties);
        message.applicationProperties(new ApplicationProperties(ofEveryType()));
        byte[] body = script.getBytes(StandardCharsets.UTF_8);
        message.addBodySection(new Data(Arrays.copyOfRange(body, 0, 3)));
        message.addBodySection(new Data(Arrays.copyOfRange(body, 3, body.length)));
        message.footer(
                new Footer(new LinkedHashMap<>(Map.of(Symbol.valueOf("x-opt-sum"), new Binary(new byte[] {9})))));
        return message;
    }

    private static Map<String, Object> ofEveryType() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("null", null);
        values.put("boolean", true);
        values.put("ubyte", UnsignedByte.valueOf((byte) 255));
        values.put("ushort", UnsignedShort.valueOf((short) 65_535));
        values.put("uint", UnsignedInteger.valueOf(4_294_967_295L));
        values.put("ulong", UnsignedLong.valueOf(BigInteger.TEN.pow(19)));
        values.put("byte", (byte) -1);
        values.put("short", (short) -2);
        values.put("int", -3);
        values.put("long", -4L);
        values.put("float", 1.5f);
        values.put("double", 2.5);
        values.put("decimal32", new Decimal32(7));
        values.put("decimal64", new Decimal64(7));
        values.put("decimal128", new Decimal128(1, 2));
        values.put("char", 'ä');
        values.put("timestamp", new Date(1_770_091_506_789L));
        values.put("uuid", ID);
        values.put("binary", new Binary(new byte[] {0, -1}));
        values.put("string", "täxt");
        values.put("symbol", Symbol.valueOf("sym"));
        values.put("list", new ArrayList<>(List.of(1, "two")));
        values.put("map", new LinkedHashMap<>(Map.of("key", UnsignedInteger.valueOf(1))));
        values.put("_AMQ_DUPL_ID", "once");
        values.put("x-ruststream-retry-count", UnsignedLong.valueOf(2));
        return values;
    }

    private static Map<String, Object> told(AdvancedMessage<?> message) throws Exception {
        Map<String, Object> told = new TreeMap<>();
        told.put("durable", message.header().isDurable());
        told.put("priority", message.header().getPriority());
        told.put("ttl", message.header().getTimeToLive());
        told.put("delivery-count", message.header().getDeliveryCount());
        message.annotations().getValue().forEach((name, value) -> told.put("annotation " + name, typed(value)));
        Properties properties = message.properties();
        told.put("message-id", typed(properties.getMessageId()));
        told.put("user-id", properties.getUserId());
        told.put("to", properties.getTo());
        told.put("subject", properties.getSubject());
        told.put("reply-to", properties.getReplyTo());
        told.put("correlation-id", typed(properties.getCorrelationId()));
        told.put("content-type", properties.getContentType());
        told.put("content-encoding", properties.getContentEncoding());
        told.put("absolute-expiry-time", properties.getAbsoluteExpiryTime());
        told.put("creation-time", properties.getCreationTime());
        told.put("group-id", properties.getGroupId());
        told.put("group-sequence", properties.getGroupSequence());
        told.put("reply-to-group-id", properties.getReplyToGroupId());
        message.applicationProperties().getValue().forEach((name, value) -> told.put("property " + name, typed(value)));
        int number = 0;
        for (Section<?> section : message.bodySections()) {
            told.put("body " + number++, new String(((Data) section).getValue(), StandardCharsets.UTF_8));
        }
        message.footer().getValue().forEach((name, value) -> told.put("footer " + name, typed(value)));
        return told;
    }

    private static String typed(Object value) {
        return value == null ? "null" : value.getClass().getSimpleName() + " " + value;
    }

    @Test
    @Asserts({"attempt-7", "attempt-13"})
    void deadLetterSaysWhatTheMessageSaysThatNobodyTouched() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("fatal"))) {
            send("straight", everything("retry"));
            send("fatal", everything("retry"));
            Map<String, Object> untouched = receive("straight");
            assertThat(untouched).hasSizeGreaterThan(40).containsEntry("to", "somewhere");
            assertThat(receive("fatal.dead")).isEqualTo(untouched);
            assertThat(application.handled()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry,retry", "after:20,retry"})
    @Asserts({"attempt-2", "attempt-6", "attempt-13", "settle-6"})
    void copySaysWhatTheMessageSaysButForWhatMakesItACopy(String script) throws Exception {
        try (TckApplication application = tck.deployWith(List.of("mortal"), "max-attempts", "4")) {
            send("straight", everything(script));
            send("mortal", everything(script));
            await().until(() -> tck.broker().queue("mortal.dead").messageCount() == 1);
            Map<String, Object> expected = receive("straight");
            assertThat(expected).containsKeys(DUPLICATE_ID, "annotation x-opt-delivery-time");
            Map<String, Object> copied = receive("mortal.dead"); // which keeps what makes it a copy
            assertThat(copied.get("message-id")).asString().startsWith("String ID:");
            expected.put("message-id", copied.get("message-id"));
            expected.put(RETRY_COUNT, "String 3");
            expected.remove(DUPLICATE_ID);
            expected.remove("annotation x-opt-delivery-time");
            assertThat(copied).isEqualTo(expected);
            assertThat(application.handled()).hasSize(2);
        }
    }
}

package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.consignee.Delivery;
import dev.consignee.MessageId;
import dev.consignee.Publisher;
import dev.consignee.Subscriber;
import dev.consignee.tck.EmbeddedArtemis;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.SenderOptions;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A service and a client without JMS tell each other everything that AMQP has words for, section by section. */
class ExchangeWireTest {

    private static final Instant MOMENT = Instant.parse("2026-11-30T12:34:56.789Z");
    private static final UUID ID = UUID.fromString("f47ac10b-58cc-4372-a567-0e02b2c3d479");
    private static final BigInteger BIG = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private EmbeddedArtemis broker;
    private Client client;
    private Connection connection;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("questions");
        broker.createQueue("answers");
        client = Client.create();
        URI url = URI.create(broker.url());
        ConnectionOptions options = new ConnectionOptions();
        options.saslOptions().addAllowedMechanism("ANONYMOUS");
        connection = client.connect(url.getHost(), url.getPort(), options);
    }

    @AfterEach
    void stop() {
        client.close();
        broker.close();
    }

    private WeldApplication service() {
        return WeldApplication.of(Service.class).url(broker.url()).start();
    }

    private void ask(AdvancedMessage<Object> question) throws Exception {
        SenderOptions options = new SenderOptions();
        options.targetOptions().capabilities("queue");
        try (Sender sender = connection.openSender("questions", options)) {
            sender.send(question).awaitSettlement();
        }
    }

    private AdvancedMessage<Object> answer() throws Exception {
        ReceiverOptions options = new ReceiverOptions();
        options.sourceOptions().capabilities("queue");
        try (Receiver receiver = connection.openReceiver("answers", options)) {
            return receiver.receive(10, TimeUnit.SECONDS).message().toAdvancedMessage();
        }
    }

    private Delivery received(WeldApplication application) {
        Service service = application.bean(Service.class);
        await().until(() -> service.seen().size() == 1);
        return service.seen().get(0);
    }

    private static AdvancedMessage<Object> message() throws Exception {
        AdvancedMessage<Object> message = AdvancedMessage.create();
        message.addBodySection(new Data("\"?\"".getBytes(StandardCharsets.UTF_8)));
        return message;
    }

    @Test
    void everyFieldOfHeaderAndPropertiesReachesTheDelivery() throws Exception {
        AdvancedMessage<Object> question = message();
        question.header(new Header().setDurable(true).setPriority((byte) 7).setTimeToLive(600_000));
        Properties properties = new Properties();
        properties.setMessageId(ID);
        properties.setUserId(new Binary(new byte[] {1, 2, 3}));
        properties.setTo("somewhere");
        properties.setSubject("stock");
        properties.setReplyTo("answers");
        properties.setCorrelationId(UnsignedLong.valueOf(BIG));
        properties.setContentType("application/json");
        properties.setContentEncoding("identity");
        properties.setAbsoluteExpiryTime(Instant.now().plusSeconds(3600).toEpochMilli());
        properties.setCreationTime(MOMENT.toEpochMilli());
        properties.setGroupId("pens");
        properties.setGroupSequence(4_000_000_000L);
        properties.setReplyToGroupId("books");
        question.properties(properties);
        question.annotations(new MessageAnnotations(
                new LinkedHashMap<>(Map.of(Symbol.valueOf("x-opt-trace"), UnsignedInteger.valueOf(7)))));
        try (WeldApplication application = service()) {
            ask(question);

            Delivery delivery = received(application);
            assertThat(delivery.durable()).isTrue();
            assertThat(delivery.priority()).isEqualTo(7);
            assertThat(delivery.timeToLive()).contains(Duration.ofMinutes(10));
            assertThat(delivery.redeliveryCount()).hasValue(1);
            assertThat(delivery.messageId()).contains(MessageId.of(ID));
            assertThat(delivery.userId())
                    .hasValueSatisfying(id -> assertThat(id).containsExactly(1, 2, 3));
            assertThat(delivery.to()).contains("somewhere");
            assertThat(delivery.subject()).contains("stock");
            assertThat(delivery.replyTo()).contains("answers");
            assertThat(delivery.correlationId()).contains(MessageId.of(BIG));
            assertThat(delivery.contentType()).contains("application/json");
            assertThat(delivery.contentEncoding()).contains("identity");
            assertThat(delivery.expiryTime()).contains(Instant.ofEpochMilli(properties.getAbsoluteExpiryTime()));
            assertThat(delivery.creationTime()).contains(MOMENT);
            assertThat(delivery.groupId()).contains("pens");
            assertThat(delivery.groupSequence()).hasValue(4_000_000_000L);
            assertThat(delivery.replyToGroupId()).contains("books");
            assertThat(delivery.annotations()).containsEntry("x-opt-trace", 7L);
        }
    }

    @Test
    void applicationPropertiesOfEverySimpleTypeComeAsTheNearestJavaType() throws Exception {
        Map<String, Object> sent = new LinkedHashMap<>();
        Map<String, Object> expected = new LinkedHashMap<>();
        Stream.of(
                        new Object[] {"string", "text", "text"},
                        new Object[] {"boolean", true, true},
                        new Object[] {"byte", (byte) -1, (byte) -1},
                        new Object[] {"short", (short) -2, (short) -2},
                        new Object[] {"int", -3, -3},
                        new Object[] {"long", -4L, -4L},
                        new Object[] {"float", 1.5f, 1.5f},
                        new Object[] {"double", 2.5d, 2.5d},
                        new Object[] {"char", 'ä', 'ä'},
                        new Object[] {"ubyte", UnsignedByte.valueOf((byte) 255), 255},
                        new Object[] {"ushort", UnsignedShort.valueOf((short) 65_535), 65_535},
                        new Object[] {"uint", UnsignedInteger.valueOf(4_294_967_295L), 4_294_967_295L},
                        new Object[] {"ulong", UnsignedLong.valueOf(BIG), BIG},
                        new Object[] {"uuid", ID, ID},
                        new Object[] {"timestamp", Date.from(MOMENT), MOMENT},
                        new Object[] {"symbol", Symbol.valueOf("sym"), "sym"},
                        new Object[] {"binary", new Binary(new byte[] {9}), new byte[] {9}},
                        new Object[] {"x-with-hyphen", 1, 1})
                .forEach(row -> {
                    sent.put((String) row[0], row[1]);
                    expected.put((String) row[0], row[2]);
                });
        AdvancedMessage<Object> question = message();
        question.applicationProperties(new ApplicationProperties(sent));
        try (WeldApplication application = service()) {
            ask(question);

            Map<String, Object> headers = received(application).headers();
            assertThat(headers.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
            expected.forEach(
                    (name, value) -> assertThat(headers.get(name)).as(name).isEqualTo(value));
        }
    }

    static Stream<Object> idsOfEveryType() {
        return Stream.of("text", ID, UnsignedLong.valueOf(BIG), new Binary(new byte[] {0, -1}));
    }

    @ParameterizedTest
    @MethodSource("idsOfEveryType")
    void answerCarriesTheIdOfTheQuestionWithItsType(Object id) throws Exception {
        AdvancedMessage<Object> question = message();
        Properties properties = new Properties();
        properties.setMessageId(id);
        properties.setReplyTo("answers");
        question.properties(properties);
        try (WeldApplication application = service()) {
            ask(question);
            assertThat(answer().properties().getCorrelationId()).isEqualTo(id);
            assertThat(application.status("answering").accepted()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void everyFieldThatIsPublishedReachesAClientWithoutJms() throws Exception {
        Instant before = Instant.now().minusMillis(1);
        try (WeldApplication application = service()) {
            application
                    .bean(Publisher.class)
                    .toQueue("answers")
                    .correlationId(MessageId.of(new byte[] {4, 5}))
                    .replyTo("questions")
                    .subject("stock")
                    .groupId("pens")
                    .groupSequence(4_294_967_295L)
                    .contentType("application/vnd.warehouse+json")
                    .contentEncoding("identity")
                    .timeToLive(Duration.ofHours(1))
                    .priority(9)
                    .durable(true)
                    .header("string", "text")
                    .header("boolean", false)
                    .header("byte", (byte) 1)
                    .header("short", (short) 2)
                    .header("int", 3)
                    .header("long", 4L)
                    .header("float", 1.5f)
                    .header("double", 2.5d)
                    .header("char", 'ß')
                    .header("uuid", ID)
                    .header("timestamp", MOMENT)
                    .header("binary", new byte[] {7})
                    .header("ulong", BIG)
                    .header("x-with-hyphen", "1")
                    .send(Map.of("sku", "pen"));
        }
        AdvancedMessage<Object> answer = answer();

        Header header = answer.header();
        assertThat(header.isDurable()).isTrue();
        assertThat(header.getPriority()).isEqualTo((byte) 9);
        assertThat(header.getTimeToLive()).isPositive().isLessThanOrEqualTo(3_600_000);
        Properties properties = answer.properties();
        assertThat(properties.getMessageId()).asString().startsWith("ID:");
        assertThat(properties.getTo()).isEqualTo("answers");
        assertThat(properties.getSubject()).isEqualTo("stock");
        assertThat(properties.getReplyTo()).isEqualTo("questions");
        assertThat(properties.getCorrelationId()).isEqualTo(new Binary(new byte[] {4, 5}));
        assertThat(properties.getContentType()).isEqualTo("application/vnd.warehouse+json");
        assertThat(properties.getContentEncoding()).isEqualTo("identity");
        assertThat(Instant.ofEpochMilli(properties.getCreationTime())).isBetween(before, Instant.now());
        assertThat(properties.getGroupId()).isEqualTo("pens");
        assertThat(properties.getGroupSequence()).isEqualTo(4_294_967_295L);
        assertThat(properties.hasReplyToGroupId()).isFalse();
        Map<String, Object> headers =
                new LinkedHashMap<>(answer.applicationProperties().getValue());
        assertThat(headers)
                .containsEntry("string", "text")
                .containsEntry("boolean", false)
                .containsEntry("byte", (byte) 1)
                .containsEntry("short", (short) 2)
                .containsEntry("int", 3)
                .containsEntry("long", 4L)
                .containsEntry("float", 1.5f)
                .containsEntry("double", 2.5d)
                .containsEntry("char", 'ß')
                .containsEntry("uuid", ID)
                .containsEntry("timestamp", MOMENT.toEpochMilli()) // as protonj2 gives timestamps out
                .containsEntry("binary", new Binary(new byte[] {7}))
                .containsEntry("ulong", UnsignedLong.valueOf(BIG))
                .containsEntry("x-with-hyphen", "1")
                .hasSize(14);
        assertThat(bodies(answer)).containsExactly("{\"sku\":\"pen\"}");
    }

    @Test
    void bodiesOfEachKindAreOneDataSectionThatSaysWhatItIs() throws Exception {
        try (WeldApplication application = service()) {
            Publisher publisher = application.bean(Publisher.class);
            publisher.toQueue("answers").send(Map.of("sku", "pen"));
            publisher.toQueue("answers").send("täxt");
            publisher.toQueue("answers").send(new byte[] {'r', 'a', 'w'});
            publisher
                    .toQueue("answers")
                    .contentType("text/plain; charset=ISO-8859-1")
                    .send("ä");
            publisher.toQueue("answers").durable(false).send("not kept");
        }
        assertThat(next()).isEqualTo("application/json true {\"sku\":\"pen\"}");
        assertThat(next()).isEqualTo("text/plain; charset=utf-8 true täxt");
        assertThat(next()).isEqualTo("application/octet-stream true raw");
        AdvancedMessage<Object> latin = answer();
        assertThat(latin.properties().getContentType()).isEqualTo("text/plain; charset=ISO-8859-1");
        assertThat(((Data) latin.bodySections().iterator().next()).getValue()).containsExactly(0xE4);
        assertThat(next()).isEqualTo("text/plain; charset=utf-8 false not kept");
    }

    private String next() throws Exception {
        AdvancedMessage<Object> message = answer();
        boolean durable = message.header() != null && message.header().isDurable();
        return message.properties().getContentType() + " " + durable + " " + String.join("|", bodies(message));
    }

    private static List<String> bodies(AdvancedMessage<Object> message) throws Exception {
        List<String> bodies = new CopyOnWriteArrayList<>();
        for (Section<?> section : message.bodySections()) {
            bodies.add(new String(((Data) section).getValue(), StandardCharsets.UTF_8));
        }
        return bodies;
    }

    /** Answers a question where the question says, and keeps what it was told. */
    @ApplicationScoped
    static class Service {
        private final List<Delivery> seen = new CopyOnWriteArrayList<>();

        @Inject
        Publisher publisher;

        @Subscriber(queue = "questions", name = "answering")
        void answer(String question, Delivery delivery) {
            seen.add(delivery);
            delivery.replyTo()
                    .ifPresent(address -> delivery.messageId()
                            .ifPresent(id ->
                                    publisher.toQueue(address).correlationId(id).send("!")));
        }

        List<Delivery> seen() {
            return seen;
        }
    }
}

package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.consignee.MessageId;
import dev.consignee.declaration.BrokerProfile;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.WireMessage;
import dev.consignee.transport.Address;
import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.Connection;
import dev.consignee.transport.Disposition;
import dev.consignee.transport.Forwarding;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Original;
import dev.consignee.transport.Receiver;
import dev.consignee.transport.ReceiverSpec;
import dev.consignee.transport.Sender;
import dev.consignee.transport.SettlementListener;
import dev.consignee.transport.Transport;
import dev.consignee.transport.TransportException;
import dev.consignee.transport.jms.QpidTransport;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
import org.apache.qpid.proton.amqp.messaging.Section;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages that have arrived, published again through the port: what is the same at the far end, and what is not. */
class ForwardWireTest {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final long LARGEST = 5_000_000;
    private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    private static final Forwarding.Copy COPY = new Forwarding.Copy(MessageId.of("copy"), 3, Optional.empty());
    private static final Forwarding DEAD_LETTER = new Forwarding.DeadLetter();

    private EmbeddedArtemis broker;
    private FrameProxy proxy;
    private AmqpClient client;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("in");
        proxy = FrameProxy.to(broker.port());
        client = new AmqpClient(broker.url());
    }

    @AfterEach
    void stop() {
        client.close();
        proxy.close();
        broker.close();
    }

    private Connection connect(Optional<BrokerProfile> profile) throws TransportException {
        Optional<Duration> timeout = Optional.of(SOON);
        BrokerSpec spec = new BrokerSpec(
                "",
                List.of(URI.create(proxy.url())),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                "tck",
                profile,
                new BrokerSpec.Timeouts(timeout, timeout, timeout, timeout, timeout),
                Map.of());
        return new QpidTransport().connect(spec, URI.create(proxy.url()), Transport.Role.RECEIVING);
    }

    private Connection connect() throws TransportException {
        return connect(Optional.empty());
    }

    private static Receiver receiver(Connection connection) throws TransportException {
        ReceiverSpec spec = new ReceiverSpec(
                new Address(Address.Kind.QUEUE, "in"),
                Optional.empty(),
                false,
                false,
                Optional.empty(),
                10,
                false,
                LARGEST);
        return connection.openReceiver(spec, new Untold());
    }

    private static Sender sender(Connection connection, String queue) throws TransportException {
        return connection.openSender(new Address(Address.Kind.QUEUE, queue));
    }

    private static InboundDelivery next(Receiver receiver) throws Exception {
        InboundDelivery delivery = receiver.receive(SOON);
        assertThat(delivery).as("a delivery").isNotNull();
        return delivery;
    }

    private static void forward(Connection connection, String queue, Original original, Forwarding how)
            throws Exception {
        try (Sender sender = sender(connection, queue)) {
            sender.forward(original, how, SOON).get(SOON.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** What arrived at our receiver, byte for byte; the last of a message that was delivered more than once. */
    private byte[] arrived() {
        List<byte[]> all = proxy.events(LinkEvent.Transferred.class).stream()
                .filter(each -> each.receivingFrom("in"))
                .map(each -> bytes(each.payload()))
                .toList();
        return all.get(all.size() - 1);
    }

    /** What our sender sent to a queue, byte for byte. */
    private byte[] sentTo(String queue) {
        return proxy.events(LinkEvent.Transferred.class).stream()
                .filter(each -> each.sendingTo(queue))
                .map(each -> bytes(each.payload()))
                .findFirst()
                .orElseThrow();
    }

    /** What another client receives of it, byte for byte. */
    private byte[] farEnd(String queue) throws Exception {
        try (AmqpClient other = new AmqpClient(proxy.url())) {
            other.receive(queue, SOON);
        }
        return proxy.events(LinkEvent.Transferred.class).stream()
                .filter(each -> each.receivingFrom(queue))
                .map(each -> bytes(each.payload()))
                .findFirst()
                .orElseThrow();
    }

    private static byte[] bytes(Binary binary) {
        return Arrays.copyOfRange(
                binary.getArray(), binary.getArrayOffset(), binary.getArrayOffset() + binary.getLength());
    }

    // --- everything

    private static final Object[] IDS = {"ID:1", ID, UnsignedLong.valueOf(-1), new Binary(new byte[] {0, (byte) 0xff})};

    private static List<Section> bodyOf(String kind) {
        return switch (kind) {
            case "several data sections" ->
                List.of(
                        new Data(new Binary(new byte[] {1, 2})),
                        new Data(new Binary(new byte[0])),
                        new Data(new Binary(new byte[] {3})));
            case "a value" ->
                List.of(new AmqpValue(
                        List.of(new Decimal128(1, 2), Map.of(UnsignedByte.valueOf((byte) 200), 'ü'), new Symbol[] {
                            Symbol.valueOf("a"), Symbol.valueOf("b")
                        })));
            case "sequences" ->
                List.of(new AmqpSequence(List.of(1, "two", 3L)), new AmqpSequence(List.of(new Date(4), ID)));
            default -> List.of(new AmqpValue("text"));
        };
    }

    static Stream<Named<Outbound>> messages() {
        return Stream.of("several data sections", "a value", "sequences", "text")
                .flatMap(body -> Stream.of(IDS)
                        .map(id -> Named.of(
                                body + ", ids of " + id.getClass().getSimpleName(),
                                Outbound.sections(everything(id, bodyOf(body))))));
    }

    private static Section[] everything(Object id, List<Section> body) {
        Header header = new Header();
        header.setDurable(true);
        header.setPriority(UnsignedByte.valueOf((byte) 7));
        header.setTtl(UnsignedInteger.valueOf(600_000));
        Map<Symbol, Object> annotations = new LinkedHashMap<>();
        annotations.put(Symbol.valueOf("x-opt-list"), List.of(1, new Decimal32(5), "x"));
        annotations.put(Symbol.valueOf("x-opt-delivery-time"), 1L); // long ago
        annotations.put(Symbol.valueOf("x-opt-jms-dest"), (byte) 0);
        Properties properties = new Properties();
        properties.setMessageId(id);
        properties.setUserId(new Binary(new byte[] {'b', 'o', 'b'}));
        properties.setTo("somewhere");
        properties.setSubject("subject");
        properties.setReplyTo("replies");
        properties.setCorrelationId(id);
        properties.setContentType(Symbol.valueOf("application/vnd.test"));
        properties.setContentEncoding(Symbol.valueOf("identity"));
        properties.setAbsoluteExpiryTime(new Date(4_000_000_000_000L));
        properties.setCreationTime(new Date(1_000));
        properties.setGroupId("group");
        properties.setGroupSequence(UnsignedInteger.valueOf(-1));
        properties.setReplyToGroupId("reply group");
        Map<String, Object> application = new LinkedHashMap<>();
        Object[] values = {
            true,
            (byte) -1,
            (short) -2,
            -3,
            -4L,
            UnsignedByte.valueOf((byte) -1),
            UnsignedShort.valueOf((short) -1),
            UnsignedInteger.valueOf(-1),
            UnsignedLong.valueOf(-1),
            Float.NaN,
            -0.0d,
            'ü',
            new Decimal32(1),
            new Decimal64(2),
            new Decimal128(3, 4),
            new Date(-1),
            ID,
            new Binary(new byte[] {1, 2, 3}),
            "text",
            Symbol.valueOf("symbol")
        };
        for (Object value : values) {
            application.put(value.getClass().getSimpleName() + " of a client", value);
        }
        application.put("nothing", null);
        application.put("x-ruststream-retry-count", 2);
        application.put("_AMQ_DUPL_ID", "once");
        application.put("last", 1);
        List<Section> sections = new ArrayList<>(List.of(
                header,
                new DeliveryAnnotations(Map.of(Symbol.valueOf("x-opt-hop"), 1)),
                new MessageAnnotations(annotations),
                properties,
                new ApplicationProperties(application)));
        sections.addAll(body);
        sections.add(new Footer(Map.of(Symbol.valueOf("x-opt-sum"), new Binary(new byte[] {9}))));
        return sections.toArray(Section[]::new);
    }

    private static byte[] encoded(Section... sections) {
        return new WireMessage(List.of(sections)).encode();
    }

    private static int indexOf(byte[] message, int... begin) {
        for (int at = 0; at < message.length; at++) {
            boolean here = at + begin.length <= message.length;
            for (int i = 0; here && i < begin.length; i++) {
                here = message[at + i] == (byte) begin[i];
            }
            if (here) {
                return at;
            }
        }
        throw new AssertionError("no " + Arrays.toString(begin));
    }

    private static byte[] from(byte[] message, int... begin) {
        return Arrays.copyOfRange(message, indexOf(message, begin), message.length);
    }

    private static byte[] upTo(byte[] message, int... begin) {
        return Arrays.copyOf(message, indexOf(message, begin));
    }

    private static final int[] ANNOTATIONS = {0x00, 0x53, 0x72};
    private static final int[] PROPERTIES = {0x00, 0x53, 0x73};
    private static final int[] APPLICATION_PROPERTIES = {0x00, 0x53, 0x74};

    /** Where the body begins: the last entry of the application properties is {@code last}, 1. */
    private static final int[] LAST = {'l', 'a', 's', 't', 0x54, 0x01};

    @ParameterizedTest
    @MethodSource("messages")
    @Asserts("attempt-7")
    void aDeadLetterIsTheSameAtTheFarEndButForTheHopsOwn(Outbound message) throws Exception {
        client.sendToQueue("in", message);
        try (Connection connection = connect();
                Receiver receiver = receiver(connection)) {
            next(receiver).settle(Disposition.MODIFIED_FAILED);
            InboundDelivery redelivered = next(receiver);
            forward(connection, "dead", redelivered.original().orElseThrow(), DEAD_LETTER);
            redelivered.settle(Disposition.ACCEPTED);
        }
        byte[] arrived = arrived();
        byte[] sent = sentTo("dead");
        assertThat(WireMessage.decode(new Binary(arrived)).deliveryCount())
                .as("Artemis counted")
                .isEqualTo(1);
        Header header =
                WireMessage.decode(new Binary(arrived)).section(Header.class).orElseThrow();
        header.setDeliveryCount(null);
        assertThat(upTo(sent, ANNOTATIONS)).as("the header, uncounted").isEqualTo(encoded(header));
        assertThat(from(sent, ANNOTATIONS)).as("byte for byte").isEqualTo(from(arrived, ANNOTATIONS));
        assertThat(farEnd("dead")).as("Artemis adds nothing").isEqualTo(sent);
    }

    @ParameterizedTest
    @MethodSource("messages")
    @Asserts({"attempt-2", "attempt-13"})
    void aCopyIsTheSameAtTheFarEndButForWhatMakesItOne(Outbound message) throws Exception {
        client.sendToQueue("in", message);
        try (Connection connection = connect();
                Receiver receiver = receiver(connection)) {
            InboundDelivery delivery = next(receiver);
            forward(connection, "copies", delivery.original().orElseThrow(), COPY);
            delivery.settle(Disposition.ACCEPTED);
        }
        byte[] arrived = arrived();
        byte[] sent = sentTo("copies");
        WireMessage before = WireMessage.decode(new Binary(arrived));
        MessageAnnotations annotations =
                before.section(MessageAnnotations.class).orElseThrow();
        annotations.getValue().remove(Symbol.valueOf("x-opt-delivery-time"));
        Properties properties = before.section(Properties.class).orElseThrow();
        properties.setMessageId("copy");
        Map<String, Object> application = new LinkedHashMap<>(
                before.section(ApplicationProperties.class).orElseThrow().getValue());
        application.put("x-ruststream-retry-count", "3");
        application.remove("_AMQ_DUPL_ID");

        Header header = before.section(Header.class).orElseThrow();
        assertThat(header.getDeliveryCount()).as("Artemis counts from").isEqualTo(UnsignedInteger.ZERO);
        header.setDeliveryCount(null);
        assertThat(upTo(sent, ANNOTATIONS)).as("the header, uncounted").isEqualTo(encoded(header));
        assertThat(upTo(from(sent, ANNOTATIONS), PROPERTIES)).isEqualTo(encoded(annotations));
        assertThat(encoded(WireMessage.decode(new Binary(sent))
                        .section(Properties.class)
                        .orElseThrow()))
                .isEqualTo(encoded(properties));
        assertThat(WireMessage.decode(new Binary(sent))
                        .section(ApplicationProperties.class)
                        .orElseThrow()
                        .getValue()
                        .keySet())
                .as("in their order")
                .containsExactlyElementsOf(application.keySet());
        assertThat(from(sent, APPLICATION_PROPERTIES))
                .startsWith(encoded(new ApplicationProperties(application)))
                .endsWith(from(arrived, LAST));
        assertThat(farEnd("copies")).as("Artemis adds nothing").isEqualTo(sent);
    }

    @Test
    @Asserts({"attempt-2", "attempt-13"})
    void aCopyOfAMessageThatSaysNothingOfItselfSaysWhatItNeedsTo() throws Exception {
        client.sendToQueue("in", Outbound.sections(new Data(new Binary(new byte[] {1, 2, 3}))));
        try (Connection connection = connect();
                Receiver receiver = receiver(connection)) {
            forward(connection, "copies", next(receiver).original().orElseThrow(), COPY);
        }
        byte[] there = farEnd("copies");
        assertThat(upTo(there, APPLICATION_PROPERTIES))
                .isEqualTo(new byte[] {0x00, 0x53, 0x73, (byte) 0xc0, 7, 1, (byte) 0xa1, 4, 'c', 'o', 'p', 'y'});
        assertThat(from(there, APPLICATION_PROPERTIES))
                .isEqualTo(encoded(
                        new ApplicationProperties(Map.of("x-ruststream-retry-count", "3")),
                        new Data(new Binary(new byte[] {1, 2, 3}))));
    }

    // --- what a broker does with it

    @Test
    @Asserts("attempt-13")
    void theBrokerTakesACopyOfAMessageWithADuplicateDetectionId() throws Exception {
        Outbound message = Outbound.text("once").withProperty("_AMQ_DUPL_ID", "1");
        client.sendToQueue("in", message, message);
        await().untilAsserted(() -> assertThat(broker.queue("in").messageCount())
                .as("Artemis discards the second")
                .isEqualTo(1));
        try (Connection connection = connect();
                Receiver receiver = receiver(connection)) {
            InboundDelivery delivery = next(receiver);
            forward(connection, "in", delivery.original().orElseThrow(), COPY);
            delivery.settle(Disposition.ACCEPTED);
            InboundDelivery copy = next(receiver);
            assertThat(copy.message().applicationProperties())
                    .containsEntry("x-ruststream-retry-count", "3")
                    .doesNotContainKey("_AMQ_DUPL_ID");
        }
    }

    @Test
    @Asserts("delay-5")
    void theBrokerHoldsACopyBackUntilItsDeliveryTime() throws Exception {
        client.sendToQueue("in", Outbound.text("later").withAnnotation("x-opt-delivery-time", 1L));
        Instant due = Instant.now().plusMillis(1_500);
        try (Connection connection = connect();
                Receiver receiver = receiver(connection);
                Sender sender = sender(connection, "in")) {
            InboundDelivery delivery = next(receiver);
            assertThat(sender.offersDelay()).isTrue();
            Forwarding.Copy later = new Forwarding.Copy(MessageId.of(ID), 3, Optional.of(due));
            sender.forward(delivery.original().orElseThrow(), later, SOON).get(SOON.toSeconds(), TimeUnit.SECONDS);
            delivery.settle(Disposition.ACCEPTED);
            assertThat(broker.queue("in").scheduledCount()).isEqualTo(1);
            InboundDelivery copy = next(receiver);
            assertThat(Instant.now()).isAfterOrEqualTo(due.minusMillis(50));
            assertThat(copy.message().annotations()).containsEntry("x-opt-delivery-time", due.toEpochMilli());
            assertThat(copy.message().properties().messageId()).contains(MessageId.of(ID));
            copy.settle(Disposition.ACCEPTED);
        }
    }

    @Test
    void aMessageOfManyFramesIsForwardedWhole() throws Exception {
        byte[] body = new byte[3_000_000];
        new Random(1).nextBytes(body);
        client.sendToQueue("in", Outbound.data(body));
        try (Connection connection = connect();
                Receiver receiver = receiver(connection)) {
            InboundDelivery delivery = next(receiver);
            forward(connection, "copies", delivery.original().orElseThrow(), COPY);
            forward(connection, "dead", delivery.original().orElseThrow(), DEAD_LETTER);
        }
        assertThat(sentTo("dead")).isEqualTo(arrived());
        assertThat(WireMessage.decode(new Binary(farEnd("copies"))).data()).isEqualTo(body);
    }

    @Test
    void anOriginalOutlivesItsConnectionAndIsForwardedAsOftenAsOneLikes() throws Exception {
        client.sendToQueue("in", Outbound.text("kept"));
        Original original;
        try (Connection connection = connect();
                Receiver receiver = receiver(connection)) {
            original = next(receiver).original().orElseThrow();
        }
        try (Connection another = connect();
                Sender sender = sender(another, "copies")) {
            for (int i = 0; i < 100; i++) {
                sender.forward(original, COPY, SOON).get(SOON.toSeconds(), TimeUnit.SECONDS);
            }
        }
        assertThat(broker.messages("copies")).hasSize(100).allSatisfy(message -> {
            assertThat(message.text()).isEqualTo("kept");
            assertThat(message.messageId()).contains("copy");
        });
    }

    @Test
    void theUserIdIsLeftOutForRabbitMq() throws Exception {
        client.sendToQueue("in", Outbound.sections(everything("ID:1", bodyOf("text"))));
        try (Connection connection = connect(Optional.of(BrokerProfile.RABBITMQ));
                Receiver receiver = receiver(connection)) {
            assertThat(connection.profile()).isEqualTo(BrokerProfile.RABBITMQ);
            Original original = next(receiver).original().orElseThrow();
            forward(connection, "copies", original, COPY);
            forward(connection, "dead", original, DEAD_LETTER);
        }
        for (String queue : List.of("copies", "dead")) {
            Properties properties = WireMessage.decode(new Binary(sentTo(queue)))
                    .section(Properties.class)
                    .orElseThrow();
            assertThat(properties.getUserId()).isNull();
            assertThat(properties.getTo()).isEqualTo("somewhere");
        }
    }

    @Test
    void theBrokerIsKnownByWhatItSaysOfItself() throws Exception {
        try (Connection connection = connect()) {
            assertThat(connection.profile()).isEqualTo(BrokerProfile.ARTEMIS);
        }
    }

    // --- what cannot be forwarded

    @Test
    void whatIsNoMessageIsForwardedByteForByteAsADeadLetterAndRefusedAsACopy() throws Exception {
        byte[] garbage = {0x00, 0x53, 0x75, (byte) 0xa0, 0x7f, 'x'};
        client.sendToQueue("in", Outbound.encoded(garbage));
        try (Connection connection = connect();
                Receiver receiver = receiver(connection);
                Sender sender = sender(connection, "copies")) {
            InboundDelivery delivery = next(receiver);
            assertThatThrownBy(delivery::message).isInstanceOf(MalformedMessageException.class);
            Original original = delivery.original().orElseThrow();
            forward(connection, "dead", original, DEAD_LETTER);
            assertThat(sender.forward(original, COPY, SOON))
                    .failsWithin(SOON)
                    .withThrowableThat()
                    .withCauseInstanceOf(TransportException.class)
                    .withMessageContaining("queue 'copies'")
                    .withMessageContaining("cannot be taken apart");
        }
        assertThat(sentTo("dead")).isEqualTo(garbage);
        assertThat(broker.queue("copies").messageCount()).isZero();
    }

    @Test
    void aMessageThatWasTooLargeIsNotKept() throws Exception {
        client.sendToQueue("in", Outbound.data(new byte[(int) LARGEST]));
        try (Connection connection = connect();
                Receiver receiver = receiver(connection)) {
            assertThat(next(receiver).original()).isEmpty();
        }
    }

    @Test
    void aSenderThatIsGoneForwardsNothingAndSaysSo() throws Exception {
        client.sendToQueue("in", Outbound.text("kept"));
        try (Connection connection = connect();
                Receiver receiver = receiver(connection)) {
            Original original = next(receiver).original().orElseThrow();
            Sender sender = sender(connection, "copies");
            sender.close();
            assertThat(sender.forward(original, COPY, SOON))
                    .failsWithin(SOON)
                    .withThrowableThat()
                    .withCauseInstanceOf(TransportException.class);
        }
        assertThat(broker.queue("copies").messageCount()).isZero();
    }

    /** Needs none of what it is told. */
    private static final class Untold implements SettlementListener {
        @Override
        public void written(InboundDelivery delivery, Disposition disposition) {}

        @Override
        public void lost(InboundDelivery delivery, Disposition disposition) {}
    }
}

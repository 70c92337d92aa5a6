package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.consignee.Delivery;
import dev.consignee.MessageId;
import dev.consignee.Subscriber;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.QueueCounters;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.TerminusDurability;
import org.apache.qpid.proton.amqp.messaging.TerminusExpiryPolicy;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Role;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a subscription says of its address when it attaches, and what of a message reaches its handler. */
class AddressWireTest {

    private EmbeddedArtemis broker;
    private FrameProxy proxy;
    private AmqpClient client;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        proxy = FrameProxy.to(broker.port());
        client = new AmqpClient(broker.url());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        proxy.close();
        broker.close();
    }

    private WeldApplication.Builder application(Class<?> bean) {
        return WeldApplication.of(bean, Seen.class).url(proxy.url());
    }

    private Attach attachTo(String address) {
        List<Attach> attached = attachesTo(address);
        assertThat(attached).hasSize(1);
        return attached.get(0);
    }

    private List<Attach> attachesTo(String address) {
        return proxy.frames(frame -> frame.is(Direction.CLIENT_TO_BROKER, Attach.class)).stream()
                .map(frame -> (Attach) frame.performative())
                .filter(attach -> attach.getRole() == Role.RECEIVER
                        && address.equals(source(attach).getAddress()))
                .toList();
    }

    private static Source source(Attach attach) {
        return (Source) attach.getSource();
    }

    private static List<String> capabilities(Attach attach) {
        Symbol[] capabilities = source(attach).getCapabilities();
        return capabilities == null
                ? List.of()
                : Arrays.stream(capabilities).map(Symbol::toString).toList();
    }

    private static List<String> texts(WeldApplication application, String subscriber) {
        return application.bean(Seen.class).payloads(subscriber);
    }

    private static Outbound[] numbered(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Outbound.text("message " + i))
                .toArray(Outbound[]::new);
    }

    // --- kinds of address

    @Test
    void queueHasTheSourceCapabilityQueue() throws Exception {
        try (WeldApplication application = application(OnQueue.class).start().awaitAttached()) {
            assertThat(capabilities(attachTo("orders"))).containsExactly("queue");
            client.sendToQueue("orders", Outbound.text("one"));
            await().until(() -> texts(application, "on-queue").equals(List.of("one")));
            assertThat(application.bean(Seen.class).deliveries("on-queue"))
                    .extracting(Delivery::address)
                    .containsExactly("orders");
        }
    }

    @Test
    void topicHasTheSourceCapabilityTopicAndEachSubscriptionReceivesEveryMessage() throws Exception {
        broker.createTopic("news");
        try (WeldApplication application = application(OnTopic.class).start().awaitAttached()) {
            assertThat(attachesTo("news"))
                    .hasSize(2)
                    .allSatisfy(attach -> assertThat(capabilities(attach)).containsExactly("topic"));
            client.sendToTopic("news", numbered(20));
            for (String subscriber : List.of("first", "second")) {
                await().until(() -> texts(application, subscriber).size() == 20);
                assertThat(texts(application, subscriber)).startsWith("message 0", "message 1");
            }
        }
        await().untilAsserted(() -> assertThat(broker.queuesOf("news"))
                .as("subscriptions that are not durable end with their links")
                .isEmpty());
    }

    @Test
    void verbatimAddressHasNoCapabilityAndReachesAnExistingAnycastQueue() throws Exception {
        broker.createQueue("orders");
        try (WeldApplication application = application(Verbatim.class).start().awaitAttached()) {
            assertThat(source(attachTo("orders")).getCapabilities()).isNullOrEmpty();
            client.sendToQueue("orders", Outbound.text("one"));
            await().until(() -> texts(application, "verbatim").equals(List.of("one")));
        }
    }

    @Test
    void verbatimAddressMayBeAFullyQualifiedQueueName() throws Exception {
        broker.createQueue("orders::orders.eu");
        try (WeldApplication application = application(Verbatim.class)
                .config("consignee.subscriber.verbatim.value", "orders::orders.eu")
                .start()
                .awaitAttached()) {
            assertThat(source(attachTo("orders::orders.eu")).getCapabilities()).isNullOrEmpty();
            client.sendToQueue("orders", Outbound.text("one"));
            await().until(() -> texts(application, "verbatim").equals(List.of("one")));
            await().untilAsserted(() ->
                    assertThat(broker.queue("orders.eu").messagesAdded()).isEqualTo(1));
        }
    }

    @Test
    void expressionInAnAddressIsReplacedByConfiguration() throws Exception {
        try (WeldApplication application =
                application(Expressed.class).config("region", "eu").start().awaitAttached()) {
            client.sendToQueue("orders-eu", Outbound.text("one"));
            await().until(() -> texts(application, "expressed").equals(List.of("one")));
        }
    }

    // --- durable and shared subscriptions

    @Test
    void durableSubscriptionKeepsMessagesWhileTheApplicationIsDown() throws Exception {
        broker.createTopic("news");
        WeldApplication.Builder durable = application(Durable.class).config("consignee.container-id", "reader");
        try (WeldApplication application = durable.start().awaitAttached()) {
            client.sendToTopic("news", Outbound.text("up"));
            await().until(() -> texts(application, "archive").equals(List.of("up")));
            Source source = source(attachTo("news"));
            assertThat(source.getDurable()).isEqualTo(TerminusDurability.UNSETTLED_STATE);
            assertThat(source.getExpiryPolicy()).isEqualTo(TerminusExpiryPolicy.NEVER);
            assertThat(attachTo("news").getName()).isEqualTo("archive");
        }
        assertThat(proxy.events(LinkEvent.Detached.class))
                .as("a link that is closed ends its subscription")
                .filteredOn(each -> each.direction() == Direction.CLIENT_TO_BROKER)
                .noneMatch(LinkEvent.Detached::closed);
        await().untilAsserted(() -> assertThat(broker.queuesOf("news"))
                .extracting(QueueCounters::consumerCount)
                .containsExactly(0));

        client.sendToTopic("news", Outbound.text("down 1"), Outbound.text("down 2"));
        await().untilAsserted(() -> assertThat(broker.queuesOf("news"))
                .extracting(QueueCounters::messageCount)
                .containsExactly(2L));
        try (WeldApplication application = durable.start()) {
            await().until(() -> texts(application, "archive").equals(List.of("down 1", "down 2")));
        }
    }

    @Test
    void receiversOfASharedSubscriptionCompeteAcrossApplications() throws Exception {
        broker.createTopic("news");
        try (WeldApplication one = application(Shared.class).start().awaitAttached();
                WeldApplication two = application(Shared.class).start().awaitAttached()) {
            assertThat(attachesTo("news")).allSatisfy(attach -> {
                assertThat(capabilities(attach)).containsExactlyInAnyOrder("topic", "shared", "global");
                assertThat(source(attach).getDurable()).isIn(null, TerminusDurability.NONE);
            });
            client.sendToTopic("news", numbered(40));
            await().until(() ->
                    texts(one, "shared").size() + texts(two, "shared").size() >= 40);
            assertEachOnce(40, texts(one, "shared"), texts(two, "shared"));
        }
        await().untilAsserted(() -> assertThat(broker.queuesOf("news")).isEmpty());
    }

    @Test
    void sharedDurableSubscriptionIsSharedAndKeepsMessagesWhileNobodyIsThere() throws Exception {
        broker.createTopic("news");
        WeldApplication.Builder durable = application(SharedDurable.class);
        try (WeldApplication one = durable.start().awaitAttached();
                WeldApplication two = application(SharedDurable.class).start().awaitAttached()) {
            assertThat(attachesTo("news")).allSatisfy(attach -> {
                assertThat(capabilities(attach)).containsExactlyInAnyOrder("topic", "shared", "global");
                assertThat(source(attach).getDurable()).isEqualTo(TerminusDurability.UNSETTLED_STATE);
            });
            client.sendToTopic("news", numbered(40));
            await().until(() -> texts(one, "shared-durable").size()
                            + texts(two, "shared-durable").size()
                    >= 40);
            assertEachOnce(40, texts(one, "shared-durable"), texts(two, "shared-durable"));
        }
        client.sendToTopic("news", numbered(3));
        await().untilAsserted(() -> assertThat(broker.queuesOf("news"))
                .extracting(QueueCounters::messageCount)
                .containsExactly(3L));
        try (WeldApplication again = durable.start()) {
            await().until(() -> texts(again, "shared-durable").size() == 3);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Shared.class, SharedDurable.class})
    void sharedSubscriptionIsNotThatOfAContainerId(Class<?> bean) throws Exception {
        broker.createTopic("news");
        String name = bean == Shared.class ? "shared" : "shared-durable";
        try (WeldApplication one = application(bean)
                        .config("consignee.container-id", "replica-1")
                        .start()
                        .awaitAttached();
                WeldApplication two = application(bean)
                        .config("consignee.container-id", "replica-2")
                        .start()
                        .awaitAttached()) {
            client.sendToTopic("news", numbered(40));
            await().until(() -> texts(one, name).size() + texts(two, name).size() >= 40);
            assertEachOnce(40, texts(one, name), texts(two, name));
            await().untilAsserted(() -> assertThat(broker.queuesOf("news")).hasSize(1));
        }
    }

    private static void assertEachOnce(int count, List<String> one, List<String> two) {
        assertThat(one).as("the first application's part").isNotEmpty();
        assertThat(two).as("the second application's part").isNotEmpty();
        assertThat(Stream.concat(one.stream(), two.stream())).hasSize(count).doesNotHaveDuplicates();
    }

    // --- selectors

    @Test
    void selectorIsAFilterOfTheAttachAndTheBrokerKeepsWhatDoesNotMatch() throws Exception {
        try (WeldApplication application = application(Selecting.class).start().awaitAttached()) {
            Map<?, ?> filter = source(attachTo("orders")).getFilter();
            assertThat(filter.values()).hasSize(1);
            DescribedType selector = (DescribedType) filter.values().iterator().next();
            assertThat(selector.getDescribed()).isEqualTo("colour = 'red' AND size > 3");
            client.sendToQueue(
                    "orders",
                    Outbound.text("blue").withProperty("colour", "blue").withProperty("size", 5),
                    Outbound.text("red").withProperty("colour", "red").withProperty("size", 5),
                    Outbound.text("small").withProperty("colour", "red").withProperty("size", 2),
                    Outbound.text("last").withProperty("colour", "red").withProperty("size", 4));
            await().until(() -> texts(application, "selecting").contains("last"));
            assertThat(texts(application, "selecting")).containsExactly("red", "last");
        }
        await().untilAsserted(() -> assertThat(broker.messages("orders"))
                .extracting(each -> each.text())
                .containsExactly("blue", "small"));
    }

    // --- credit

    @Test
    @Asserts("credit-2")
    void creditIsTwoHundredAndFiftySixByDefault() throws Exception {
        try (WeldApplication application = application(OnQueue.class).start().awaitAttached()) {
            assertThat(firstFlow("orders").credit()).isEqualTo(256);
            assertThat(application.status("on-queue").attached()).isEqualTo(1);
        }
    }

    @Test
    @Asserts("credit-1")
    void severalCreditsLiveOnOneConnection() throws Exception {
        int others = broker.connectionCount();
        try (WeldApplication application =
                application(ThreeCredits.class).start().awaitAttached()) {
            await().untilAsserted(() -> assertThat(List.of(
                            firstFlow("three").credit(),
                            firstFlow("five").credit(),
                            firstFlow("seven").credit()))
                    .containsExactly(3L, 5L, 7L));
            assertThat(broker.connectionCount() - others)
                    .as("connections for receiving")
                    .isEqualTo(1);
            for (Map.Entry<String, Integer> each :
                    Map.of("three", 3, "five", 5, "seven", 7).entrySet()) {
                client.sendToQueue(each.getKey(), numbered(100));
                await().until(() -> broker.queue(each.getKey()).messagesAcknowledged() == 100);
                assertThat(proxy.maxUnsettled(each.getKey()).unsettledAndCredit())
                        .isEqualTo(each.getValue().longValue());
                assertThat(texts(application, each.getKey())).hasSize(100);
            }
        }
    }

    private LinkEvent.Flowed firstFlow(String address) {
        return proxy.events(LinkEvent.Flowed.class).stream()
                .filter(each -> each.direction() == Direction.CLIENT_TO_BROKER && each.receivingFrom(address))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no flow on a link from " + address));
    }

    // --- what reaches the handler

    private Delivery delivered(Properties properties, Map<String, Object> applicationProperties) throws Exception {
        try (WeldApplication application = application(OnQueue.class).start()) {
            client.sendToQueue(
                    "orders",
                    Outbound.sections(
                            properties,
                            new ApplicationProperties(applicationProperties),
                            new Data(new Binary(new byte[] {'o', 'k'}))));
            Seen seen = application.bean(Seen.class);
            await().until(() -> seen.deliveries("on-queue").size() == 1);
            assertThat(seen.payloads("on-queue")).containsExactly("ok");
            return seen.deliveries("on-queue").get(0);
        }
    }

    @Test
    void applicationPropertiesOfEveryNameArriveAsTheyAreCalled() throws Exception {
        Map<String, Object> sent = new LinkedHashMap<>();
        sent.put("x-ruststream-retry-count", UnsignedInteger.valueOf(3));
        sent.put("trace-id", "7");
        sent.put("with space", "s");
        sent.put("ünï.çødé/ε", "u");
        sent.put("1st", "digit");
        sent.put("JMSXGroupID", "looks like JMS");
        sent.put("select", "reserved");
        sent.put("", "empty");
        Delivery delivery = delivered(new Properties(), sent);
        assertThat(delivery.headers()).containsOnlyKeys(sent.keySet().toArray(String[]::new));
        assertThat(delivery.headers()).containsEntry("x-ruststream-retry-count", 3L);
        assertThat(delivery.header("trace-id")).contains("7");
        assertThat(delivery.header("Trace-Id")).as("names have a case").isEmpty();
    }

    @Test
    void applicationPropertiesOfEveryAmqpTypeArriveAsPlainJava() throws Exception {
        UUID uuid = UUID.randomUUID();
        Map<String, Object> sent = new LinkedHashMap<>();
        sent.put("boolean", true);
        sent.put("ubyte", UnsignedByte.valueOf((byte) 0xFF));
        sent.put("ushort", UnsignedShort.valueOf((short) 0xFFFF));
        sent.put("uint", UnsignedInteger.valueOf(0xFFFFFFFF));
        sent.put("ulong", UnsignedLong.valueOf(-1L));
        sent.put("byte", (byte) -1);
        sent.put("short", (short) -2);
        sent.put("int", -3);
        sent.put("long", -4L);
        sent.put("float", 1.5f);
        sent.put("double", 2.5);
        sent.put("char", 'ß');
        sent.put("timestamp", new Date(1_700_000_000_123L));
        sent.put("uuid", uuid);
        sent.put("binary", new Binary(new byte[] {1, 2}));
        sent.put("string", "text");
        sent.put("symbol", Symbol.valueOf("sym"));
        Map<String, Object> expected = new LinkedHashMap<>(sent);
        expected.put("ubyte", 255);
        expected.put("ushort", 65_535);
        expected.put("uint", 4_294_967_295L);
        expected.put("ulong", new BigInteger("18446744073709551615"));
        expected.put("timestamp", Instant.ofEpochMilli(1_700_000_000_123L));
        expected.put("binary", new byte[] {1, 2});
        expected.put("symbol", "sym");

        Map<String, Object> headers = delivered(new Properties(), sent).headers();

        assertThat(headers).usingRecursiveComparison().isEqualTo(expected);
        assertThat(headers.keySet()).as("in the order they were sent").containsExactlyElementsOf(sent.keySet());
        assertThat(headers.values())
                .allMatch(value -> value.getClass().getName().startsWith("java.")
                        || value.getClass().isArray());
    }

    @Test
    void propertyWithoutAValueInJavaIsNoHeader() throws Exception {
        Map<String, Object> sent = new LinkedHashMap<>();
        sent.put("nothing", null);
        sent.put("decimal", new Decimal64(1));
        sent.put("something", 1);
        assertThat(delivered(new Properties(), sent).headers()).containsOnly(Map.entry("something", 1));
    }

    @Test
    void messageIdAndCorrelationIdArriveWithTheirAmqpTypes() throws Exception {
        UUID uuid = UUID.randomUUID();
        byte[] binary = {(byte) 0xCA, (byte) 0xFE, 0};
        Map<Object, MessageId> ids = new LinkedHashMap<>();
        ids.put("ID:some-string", MessageId.of("ID:some-string"));
        ids.put(UnsignedLong.valueOf(-1L), MessageId.of(new BigInteger("18446744073709551615")));
        ids.put(uuid, MessageId.of(uuid));
        ids.put(new Binary(binary), MessageId.of(binary));
        try (WeldApplication application = application(OnQueue.class).start()) {
            for (Object id : ids.keySet()) {
                Properties properties = new Properties();
                properties.setMessageId(id);
                properties.setCorrelationId(id);
                client.sendToQueue("orders", Outbound.sections(properties, new Data(new Binary(new byte[] {'o', 'k'
                }))));
            }
            Seen seen = application.bean(Seen.class);
            await().until(() -> seen.deliveries("on-queue").size() == 4);
            assertThat(seen.deliveries("on-queue"))
                    .extracting(each -> each.messageId().orElseThrow())
                    .containsExactlyElementsOf(ids.values());
            assertThat(seen.deliveries("on-queue"))
                    .extracting(each -> each.correlationId().orElseThrow())
                    .containsExactlyElementsOf(ids.values());
        }
    }

    @Test
    void propertiesSectionReachesTheDelivery() throws Exception {
        Properties properties = new Properties();
        properties.setUserId(new Binary(new byte[] {'m', 'e'}));
        properties.setTo("somewhere");
        properties.setReplyTo("answers");
        properties.setContentType(Symbol.valueOf("text/plain; charset=utf-8"));
        properties.setContentEncoding(Symbol.valueOf("identity"));
        properties.setSubject("a subject");
        properties.setGroupId("group 1");
        properties.setGroupSequence(UnsignedInteger.valueOf(0xFFFFFFFF));
        properties.setReplyToGroupId("group 2");
        properties.setCreationTime(new Date(1_700_000_000_123L));
        properties.setAbsoluteExpiryTime(new Date(4_000_000_000_456L));
        Delivery delivery = delivered(properties, Map.of());
        assertThat(delivery.userId().orElseThrow()).isEqualTo(new byte[] {'m', 'e'});
        assertThat(delivery.to()).contains("somewhere");
        assertThat(delivery.replyTo()).contains("answers");
        assertThat(delivery.contentType()).contains("text/plain; charset=utf-8");
        assertThat(delivery.contentEncoding()).contains("identity");
        assertThat(delivery.subject()).contains("a subject");
        assertThat(delivery.groupId()).contains("group 1");
        assertThat(delivery.groupSequence()).hasValue(0xFFFF_FFFFL);
        assertThat(delivery.replyToGroupId()).contains("group 2");
        assertThat(delivery.creationTime()).contains(Instant.ofEpochMilli(1_700_000_000_123L));
        assertThat(delivery.expiryTime()).contains(Instant.ofEpochMilli(4_000_000_000_456L));
        assertThat(delivery.headers()).isEmpty();
    }

    @Test
    void headerAndAnnotationsReachTheDelivery() throws Exception {
        Header header = new Header();
        header.setDurable(true);
        header.setPriority(UnsignedByte.valueOf((byte) 7));
        header.setTtl(UnsignedInteger.valueOf(3_600_000));
        try (WeldApplication application = application(OnQueue.class).start()) {
            client.sendToQueue(
                    "orders",
                    Outbound.sections(
                            header,
                            new MessageAnnotations(Map.of(
                                    Symbol.valueOf("x-opt-trace"),
                                    UnsignedInteger.valueOf(7),
                                    Symbol.valueOf("x-opt-who"),
                                    "me")),
                            new Data(new Binary(new byte[] {'o', 'k'}))));
            Seen seen = application.bean(Seen.class);
            await().until(() -> seen.deliveries("on-queue").size() == 1);
            Delivery delivery = seen.deliveries("on-queue").get(0);
            assertThat(delivery.durable()).isTrue();
            assertThat(delivery.priority()).isEqualTo(7);
            assertThat(delivery.timeToLive()).isPresent();
            assertThat(delivery.annotations()).containsEntry("x-opt-trace", 7L).containsEntry("x-opt-who", "me");
            assertThat(delivery.headers()).isEmpty();
        }
    }

    @Test
    void messageWithoutAnyOfThemHasEmptyOnes() throws Exception {
        try (WeldApplication application = application(OnQueue.class).start()) {
            client.sendToQueue("orders", Outbound.sections(new Data(new Binary(new byte[] {'o', 'k'}))));
            Seen seen = application.bean(Seen.class);
            await().until(() -> seen.deliveries("on-queue").size() == 1);
            Delivery delivery = seen.deliveries("on-queue").get(0);
            assertThat(Stream.of(
                            delivery.messageId(),
                            delivery.correlationId(),
                            delivery.replyTo(),
                            delivery.contentType(),
                            delivery.contentEncoding(),
                            delivery.subject(),
                            delivery.groupId(),
                            delivery.replyToGroupId(),
                            delivery.userId(),
                            delivery.to(),
                            delivery.creationTime(),
                            delivery.expiryTime(),
                            delivery.timeToLive()))
                    .allMatch(each -> each.isEmpty());
            assertThat(delivery.groupSequence()).isEmpty();
            assertThat(delivery.durable()).isFalse();
            assertThat(delivery.priority()).isEqualTo(4);
            assertThat(delivery.headers()).isEmpty();
            assertThat(delivery.redeliveryCount()).isEmpty();
        }
    }

    // --- the application

    /** Remembers what arrived. */
    @ApplicationScoped
    static class Seen {

        private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();

        record Arrival(String subscriber, String payload, Delivery delivery) {}

        void add(String subscriber, String payload, Delivery delivery) {
            arrivals.add(new Arrival(subscriber, payload, delivery));
        }

        List<String> payloads(String subscriber) {
            return by(subscriber).map(Arrival::payload).toList();
        }

        List<Delivery> deliveries(String subscriber) {
            return by(subscriber).map(Arrival::delivery).toList();
        }

        private Stream<Arrival> by(String subscriber) {
            return arrivals.stream().filter(each -> each.subscriber().equals(subscriber));
        }
    }

    /** A queue. */
    @ApplicationScoped
    static class OnQueue {
        @Inject
        Seen seen;

        @Subscriber(queue = "orders")
        void onQueue(String text, Delivery delivery) {
            seen.add("on-queue", text, delivery);
        }
    }

    /** A topic, twice. */
    @ApplicationScoped
    static class OnTopic {
        @Inject
        Seen seen;

        @Subscriber(topic = "news")
        void first(String text, Delivery delivery) {
            seen.add("first", text, delivery);
        }

        @Subscriber(topic = "news")
        void second(String text, Delivery delivery) {
            seen.add("second", text, delivery);
        }
    }

    /** An address as it is. */
    @ApplicationScoped
    static class Verbatim {
        @Inject
        Seen seen;

        @Subscriber("orders")
        void verbatim(String text, Delivery delivery) {
            seen.add("verbatim", text, delivery);
        }
    }

    /** An address with an expression. */
    @ApplicationScoped
    static class Expressed {
        @Inject
        Seen seen;

        @Subscriber(queue = "orders-${region}")
        void expressed(String text, Delivery delivery) {
            seen.add("expressed", text, delivery);
        }
    }

    /** A durable subscription. */
    @ApplicationScoped
    static class Durable {
        @Inject
        Seen seen;

        @Subscriber(topic = "news", durable = "archive")
        void archive(String text, Delivery delivery) {
            seen.add("archive", text, delivery);
        }
    }

    /** A shared subscription. */
    @ApplicationScoped
    static class Shared {
        @Inject
        Seen seen;

        @Subscriber(topic = "news", shared = true)
        void shared(String text, Delivery delivery) {
            seen.add("shared", text, delivery);
        }
    }

    /** A subscription that is both. */
    @ApplicationScoped
    static class SharedDurable {
        @Inject
        Seen seen;

        @Subscriber(topic = "news", durable = "archive", shared = true)
        void sharedDurable(String text, Delivery delivery) {
            seen.add("shared-durable", text, delivery);
        }
    }

    /** Only some messages. */
    @ApplicationScoped
    static class Selecting {
        @Inject
        Seen seen;

        @Subscriber(queue = "orders", selector = "colour = 'red' AND size > 3")
        void selecting(String text, Delivery delivery) {
            seen.add("selecting", text, delivery);
        }
    }

    /** Three links with a credit each. */
    @ApplicationScoped
    static class ThreeCredits {
        @Inject
        Seen seen;

        @Subscriber(queue = "three", credit = 3)
        void three(String text, Delivery delivery) {
            seen.add("three", text, delivery);
        }

        @Subscriber(queue = "five", credit = 5)
        void five(String text, Delivery delivery) {
            seen.add("five", text, delivery);
        }

        @Subscriber(queue = "seven", credit = 7)
        void seven(String text, Delivery delivery) {
            seen.add("seven", text, delivery);
        }
    }
}

package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.consignee.HandlerOutcome;
import dev.consignee.MessageId;
import dev.consignee.PublishException;
import dev.consignee.Publisher;
import dev.consignee.Subscriber;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Direction;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.QueueCounters;
import dev.consignee.tck.WireMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Open;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the publisher puts on the wire, and what it says when the broker does not accept. */
class PublisherWireTest {

    private EmbeddedArtemis broker;
    private FrameProxy proxy;
    private ExecutorService threads;

    @BeforeEach
    void start() {
        broker = EmbeddedArtemis.withDefaults();
        proxy = FrameProxy.to(broker.port());
        threads = Executors.newCachedThreadPool();
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        proxy.close();
        broker.close();
    }

    private WeldApplication.Builder application() {
        return WeldApplication.of(Nothing.class).url(proxy.url());
    }

    private WireMessage only(String queue) {
        return arrived(queue, 1).get(0);
    }

    /** Artemis may accept a message a moment before its queue shows it. */
    private List<WireMessage> arrived(String queue, int count) {
        await().until(() -> broker.queue(queue).messageCount() >= count);
        List<WireMessage> messages = broker.messages(queue);
        assertThat(messages).hasSize(count);
        return messages;
    }

    @Test
    void sendsThatAreChainedToSendsGoOnThoughTheirSendersAreNotYetAttached() throws Exception {
        try (WeldApplication application = application().start()) {
            Publisher publisher = application.bean(Publisher.class);
            Thread here = Thread.currentThread();
            CompletableFuture<Thread> chain = publisher
                    .toQueue("first")
                    .sendAsync("1")
                    .thenCompose(accepted -> publisher.toQueue("second").sendAsync("2"))
                    .thenApply(accepted -> {
                        publisher.toQueue("third").send("3"); // waits, and may
                        return Thread.currentThread();
                    })
                    .toCompletableFuture();
            assertThat(chain.get(20, TimeUnit.SECONDS))
                    .isNotSameAs(here)
                    .satisfies(thread -> assertThat(thread.getName()).isEqualTo("consignee-publishing"));
            assertThat(only("first").text()).isEqualTo("1");
            assertThat(only("second").text()).isEqualTo("2");
            assertThat(only("third").text()).isEqualTo("3");
        }
    }

    @Test
    void threadsThatNeedOneNewSenderOfASilentBrokerShareItsFailure() throws Exception {
        try (WeldApplication application =
                application().config("consignee.request-timeout", "1s").start()) {
            Publisher publisher = application.bean(Publisher.class);
            publisher.toQueue("known").send("connects");
            proxy.blackhole(true);
            Instant begin = Instant.now();
            List<Future<PublishException>> refusals = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                refusals.add(threads.submit(() -> refusalOf(publisher.toQueue("new"))));
            }
            for (Future<PublishException> refusal : refusals) {
                assertThat(refusal.get(30, TimeUnit.SECONDS)).hasMessageContaining("queue 'new'");
            }
            assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(5));
            proxy.blackhole(false);
        }
    }

    private static PublishException refusalOf(Publisher.Draft draft) {
        return refusalOf(draft, "a payload");
    }

    private static PublishException refusalOf(Publisher.Draft draft, Object payload) {
        PublishException refused = catchThrowableOfType(PublishException.class, () -> draft.send(payload));
        assertThat(refused).as("what the send threw").isNotNull();
        return refused;
    }

    private static Duration time(Runnable what) {
        long before = System.nanoTime();
        what.run();
        return Duration.ofNanos(System.nanoTime() - before);
    }

    // --- what goes out

    @Test
    void sendReturnsAfterTheBrokerHasAccepted() {
        try (WeldApplication application = application().start()) {
            application.bean(Publisher.class).toQueue("out").send("one");
            assertThat(proxy.dispositions(Direction.BROKER_TO_CLIENT))
                    .as("told by the broker before the send returned")
                    .singleElement()
                    .satisfies(each -> {
                        assertThat(each.sendingTo("out")).isTrue();
                        assertThat(each.settled()).isTrue();
                        assertThat(each.state()).isInstanceOf(Accepted.class);
                    });
            assertThat(only("out").text()).isEqualTo("one");
        }
        assertThat(proxy.events(LinkEvent.Transferred.class))
                .singleElement()
                .satisfies(each -> assertThat(each.settled()).isFalse());
    }

    @Test
    void messageIsDurableAndSaysWhereItGoesAndWhenItWasMade() {
        Instant before = Instant.now();
        try (WeldApplication application = application().start()) {
            application
                    .bean(Publisher.class)
                    .toQueue("out")
                    .correlationId("order-7")
                    .header("trace", "7")
                    .send("grüße");
        }
        WireMessage message = only("out");
        assertThat(message.sections())
                .extracting(Section::getClass)
                .as("sections, and no annotations of JMS among them")
                .isEqualTo(List.of(Header.class, Properties.class, ApplicationProperties.class, Data.class));
        assertThat(message.durable()).isTrue();
        Properties properties = message.section(Properties.class).orElseThrow();
        assertThat(properties.getTo()).isEqualTo("out");
        assertThat(properties.getCorrelationId()).isEqualTo("order-7");
        assertThat(properties.getMessageId())
                .isInstanceOf(String.class)
                .asString()
                .isNotEmpty();
        assertThat(properties.getCreationTime().toInstant())
                .isBetween(before.minusMillis(1), Instant.now().plusMillis(1));
        assertThat(properties.getReplyTo()).isNull();
        assertThat(properties.getUserId()).isNull();
        assertThat(message.data()).isEqualTo("grüße".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void eachKindOfPayloadIsOneDataSectionWithItsContentType() {
        byte[] bytes = {0, (byte) 0xFF, 7};
        try (WeldApplication application = application().start()) {
            Publisher publisher = application.bean(Publisher.class);
            publisher.toQueue("out").send("grüße");
            publisher.toQueue("out").send(bytes);
            publisher.toQueue("out").send(new Picked("p-1", 3));
            publisher.toQueue("out").send("");
            publisher.toQueue("out").send(new byte[0]);
            publisher.toQueue("out").send(Map.of("list", List.of(1, 2)));
        }
        List<WireMessage> messages = arrived("out", 6);
        assertThat(messages)
                .extracting(each -> each.contentType().orElseThrow())
                .containsExactly(
                        "text/plain; charset=utf-8",
                        "application/octet-stream",
                        "application/json",
                        "text/plain; charset=utf-8",
                        "application/octet-stream",
                        "application/json");
        assertThat(messages)
                .allSatisfy(each -> assertThat(each.sections())
                        .filteredOn(section -> section instanceof Data)
                        .hasSize(1));
        assertThat(messages.get(0).text()).isEqualTo("grüße");
        assertThat(messages.get(1).data()).isEqualTo(bytes);
        assertThat(messages.get(2).text()).isEqualTo("{\"quantity\":3,\"sku\":\"p-1\"}");
        assertThat(messages.get(3).data()).isEmpty();
        assertThat(messages.get(4).data()).isEmpty();
        assertThat(messages.get(5).text()).isEqualTo("{\"list\":[1,2]}");
    }

    @Test
    void headerOfEveryLegalTypeIsAnApplicationPropertyOfTheEqualAmqpType() {
        UUID uuid = UUID.randomUUID();
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("string", "text");
        headers.put("boolean", true);
        headers.put("byte", (byte) -1);
        headers.put("short", (short) -2);
        headers.put("int", -3);
        headers.put("long", Long.MIN_VALUE);
        headers.put("float", 1.5f);
        headers.put("double", 2.5);
        headers.put("char", 'ß');
        headers.put("uuid", uuid);
        headers.put("instant", Instant.ofEpochMilli(1_700_000_000_123L));
        headers.put("bytes", new byte[] {1, 2});
        headers.put("unsigned", new BigInteger("18446744073709551615"));
        headers.put("x-ruststream-retry-count", 3);
        headers.put("with space", "odd name");
        try (WeldApplication application = application().start()) {
            Publisher.Draft draft = application.bean(Publisher.class).toQueue("out");
            headers.forEach(draft::header);
            draft.send("one");
        }
        Map<String, Object> expected = new LinkedHashMap<>(headers);
        expected.put("instant", new Date(1_700_000_000_123L));
        expected.put("unsigned", UnsignedLong.valueOf(-1L));
        expected.put("bytes", new Binary(new byte[] {1, 2}));
        assertThat(only("out").properties()).containsExactlyInAnyOrderEntriesOf(expected);
    }

    @Test
    void headerThatHasNoCounterpartInAmqpIsRefusedWithTheLegalTypes() {
        try (WeldApplication application = application().start()) {
            Publisher.Draft draft = application.bean(Publisher.class).toQueue("out");
            assertThatThrownBy(() -> draft.header("items", List.of(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'items'")
                    .hasMessageContaining("Legal: String, Boolean");
            draft.header("size", 1).send("one");
        }
        assertThat(only("out").properties()).isEqualTo(Map.of("size", 1));
    }

    @Test
    void everyPropertyOfADraftIsOnTheWire() {
        try (WeldApplication application = application().start()) {
            application
                    .bean(Publisher.class)
                    .toQueue("out")
                    .replyTo("answers")
                    .subject("a subject")
                    .groupId("group 1")
                    .groupSequence(0xFFFF_FFFFL)
                    .contentType("application/vnd.picked+json")
                    .contentEncoding("identity")
                    .timeToLive(Duration.ofHours(1))
                    .priority(7)
                    .durable(false)
                    .send(new Picked("p-1", 3));
        }
        WireMessage message = only("out");
        Header header = message.section(Header.class).orElseThrow();
        assertThat(header.getDurable()).isNotEqualTo(Boolean.TRUE);
        assertThat(header.getPriority()).isEqualTo(UnsignedByte.valueOf((byte) 7));
        assertThat(header.getTtl()).isEqualTo(UnsignedInteger.valueOf(3_600_000));
        Properties properties = message.section(Properties.class).orElseThrow();
        assertThat(properties.getReplyTo()).isEqualTo("answers");
        assertThat(properties.getSubject()).isEqualTo("a subject");
        assertThat(properties.getGroupId()).isEqualTo("group 1");
        assertThat(properties.getGroupSequence()).isEqualTo(UnsignedInteger.valueOf(0xFFFFFFFF));
        assertThat((Object) properties.getContentType()).hasToString("application/vnd.picked+json");
        assertThat((Object) properties.getContentEncoding()).hasToString("identity");
    }

    @Test
    void correlationIdGoesOutInTheTypeThatItCameIn() {
        UUID uuid = UUID.randomUUID();
        try (WeldApplication application = application().start()) {
            Publisher publisher = application.bean(Publisher.class);
            for (MessageId id : List.of(
                    MessageId.of("text"), MessageId.of(uuid), MessageId.of(BigInteger.TEN), MessageId.of(new byte[] {
                        1, 2
                    }))) {
                publisher.toQueue("out").correlationId(id).send("one");
            }
        }
        assertThat(arrived("out", 4))
                .extracting(each -> each.correlationId().orElseThrow())
                .containsExactly("text", uuid, UnsignedLong.valueOf(10), new Binary(new byte[] {1, 2}));
    }

    @Test
    void charsetOfTheContentTypeDecidesHowTextIsWritten() {
        try (WeldApplication application = application().start()) {
            application
                    .bean(Publisher.class)
                    .toQueue("out")
                    .contentType("text/plain; charset=iso-8859-1")
                    .send("grüße");
        }
        assertThat(only("out").data()).isEqualTo("grüße".getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void delayedMessageWaitsOnTheBroker() {
        try (WeldApplication application = application().start()) {
            application
                    .bean(Publisher.class)
                    .toQueue("out")
                    .deliveryDelay(Duration.ofSeconds(2))
                    .send("later");
            await().until(() -> broker.queue("out").scheduledCount() == 1);
            await().until(() -> broker.queue("out").scheduledCount() == 0);
            assertThat(only("out").text()).isEqualTo("later");
        }
    }

    @Test
    void asynchronousSendsOfOneThreadAreUnderWayTogetherAndArriveInOrder() {
        try (WeldApplication application = application().start()) {
            Publisher publisher = application.bean(Publisher.class);
            List<CompletableFuture<Void>> sends = IntStream.range(0, 2_000)
                    .mapToObj(i -> publisher.toQueue("out").sendAsync(i).toCompletableFuture())
                    .toList();
            assertThat(CompletableFuture.allOf(sends.toArray(CompletableFuture<?>[]::new)))
                    .succeedsWithin(Duration.ofSeconds(30));
        }
        assertThat(arrived("out", 2_000))
                .extracting(WireMessage::text)
                .isEqualTo(IntStream.range(0, 2_000).mapToObj(String::valueOf).toList());
    }

    @Test
    void messageIdsAreUnique() {
        try (WeldApplication application = application().start()) {
            Publisher publisher = application.bean(Publisher.class);
            IntStream.range(0, 200).forEach(i -> publisher.toQueue("out").send(i));
        }
        assertThat(arrived("out", 200))
                .extracting(each -> each.messageId().orElseThrow())
                .doesNotHaveDuplicates();
    }

    @Test
    void bodyOfManyFramesArrivesWhole() {
        byte[] large = new byte[5_000_000];
        Arrays.fill(large, (byte) 'x');
        large[4_999_999] = 'y';
        try (WeldApplication application = application().start()) {
            application.bean(Publisher.class).toQueue("out").send(large);
        }
        assertThat(only("out").data()).isEqualTo(large);
    }

    @Test
    void targetHasTheCapabilityOfItsKindOfAddress() {
        broker.createTopic("news");
        broker.createQueue("plain");
        try (WeldApplication application = application().start();
                WeldApplication reader = WeldApplication.of(Reader.class)
                        .url(broker.url())
                        .start()
                        .awaitAttached()) {
            Publisher publisher = application.bean(Publisher.class);
            publisher.toQueue("out").send("q");
            publisher.toTopic("news").send("t");
            publisher.to("plain").send("v");
            assertThat(capabilities("out")).containsExactly("queue");
            assertThat(capabilities("news")).containsExactly("topic");
            assertThat(capabilities("plain")).isEmpty();
            await().untilAsserted(() ->
                    assertThat(broker.queue("out").messagesAdded()).isEqualTo(1));
            await().untilAsserted(() ->
                    assertThat(broker.queue("plain").messagesAdded()).isEqualTo(1));
            await().untilAsserted(() -> assertThat(broker.queuesOf("news"))
                    .extracting(QueueCounters::messagesAdded)
                    .containsExactly(1L));
            await().until(() -> reader.status("news").accepted() == 1);
        }
    }

    private List<String> capabilities(String target) {
        List<Target> targets = proxy.frames(frame -> frame.is(Direction.CLIENT_TO_BROKER, Attach.class)).stream()
                .map(frame -> ((Attach) frame.performative()).getTarget())
                .filter(Target.class::isInstance)
                .map(Target.class::cast)
                .filter(each -> target.equals(each.getAddress()))
                .toList();
        assertThat(targets).as("attaches to " + target).hasSize(1);
        Symbol[] capabilities = targets.get(0).getCapabilities();
        return capabilities == null
                ? List.of()
                : Arrays.stream(capabilities).map(Symbol::toString).toList();
    }

    @Test
    void senderOfAnAddressIsAttachedOnceForManyMessages() {
        try (WeldApplication application = application().start()) {
            Publisher publisher = application.bean(Publisher.class);
            IntStream.range(0, 50).forEach(i -> publisher.toQueue("out").send(i));
            assertThat(proxy.frames(frame -> frame.is(Direction.CLIENT_TO_BROKER, Attach.class)))
                    .hasSize(1);
        }
    }

    @Test
    void draftIsSentOnce() {
        try (WeldApplication application = application().start()) {
            Publisher.Draft draft = application.bean(Publisher.class).toQueue("out");
            draft.send("one");
            assertThatThrownBy(() -> draft.send("two"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("once");
        }
        assertThat(only("out").text()).isEqualTo("one");
    }

    // --- connections

    @Test
    void nobodyConnectsWhileNobodyPublishes() {
        try (WeldApplication application = application().start()) {
            Publisher publisher = application.bean(Publisher.class);
            Publisher.Draft draft = publisher.toQueue("out").header("a", 1);
            assertThat(broker.connectionCount()).isZero();
            draft.send("now");
            assertThat(broker.connectionCount()).isEqualTo(1);
        }
        await().until(() -> broker.connectionCount() == 0);
        assertThat(proxy.frames(frame -> frame.is(Direction.CLIENT_TO_BROKER, Open.class)))
                .hasSize(1);
    }

    @Test
    void handlerPublishesWhileTheCreditOfItsSubscriptionIsExhausted() throws Exception {
        try (AmqpClient client = new AmqpClient(broker.url());
                WeldApplication application = WeldApplication.of(Forwarding.class)
                        .url(proxy.url())
                        .start()
                        .awaitAttached()) {
            int others = broker.connectionCount() - 1;
            client.sendToQueue("work", 20, i -> Outbound.text("message " + i));
            await().until(() -> broker.queue("out").messageCount() == 20);
            await().until(() -> application.status("work").accepted() == 20);
            assertThat(broker.connectionCount() - others)
                    .as("one connection to receive and one to publish")
                    .isEqualTo(2);
            assertThat(proxy.maxUnsettled("work").unsettledAndCredit()).isEqualTo(1);
        }
    }

    @Test
    void messagesOfManyThreadsAllArriveOnce() throws Exception {
        int senders = 16;
        int each = 500;
        proxy.recording(false);
        try (WeldApplication application = application().start()) {
            Publisher publisher = application.bean(Publisher.class);
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < senders; thread++) {
                int number = thread;
                running.add(threads.submit(() -> IntStream.range(0, each)
                        .forEach(i -> publisher.toQueue("out").send(number + "/" + i))));
            }
            for (Future<?> one : running) {
                one.get(60, TimeUnit.SECONDS);
            }
            assertThat(broker.connectionCount()).isEqualTo(1);
        }
        List<String> texts =
                arrived("out", senders * each).stream().map(WireMessage::text).toList();
        assertThat(texts).doesNotHaveDuplicates();
        for (int thread = 0; thread < senders; thread++) {
            String prefix = thread + "/";
            assertThat(texts.stream().filter(text -> text.startsWith(prefix)))
                    .as("in the order that one thread sent them")
                    .containsExactlyElementsOf(
                            IntStream.range(0, each).mapToObj(i -> prefix + i).toList());
        }
    }

    // --- refusals

    @Test
    void unknownAddressIsAPublishExceptionWithTheConditionAndTheNextAddressWorks() {
        try (EmbeddedArtemis strict =
                        EmbeddedArtemis.builder().autoCreate(false).start();
                WeldApplication application = application().url(strict.url()).start()) {
            strict.createQueue("there");
            Publisher publisher = application.bean(Publisher.class);
            for (int i = 0; i < 3; i++) {
                PublishException refused = refusalOf(publisher.toQueue("nowhere"));
                assertThat(refused.condition()).contains("amqp:not-found");
                assertThat(refused).hasMessageContaining("queue 'nowhere'");
                publisher.toQueue("there").send("next");
            }
            await().until(() -> strict.queue("there").messageCount() == 3);
            strict.createQueue("nowhere");
            publisher.toQueue("nowhere").send("now there");
            assertThat(strict.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    void fullAddressThatFailsIsAPublishExceptionWithTheConditionAndTheNextMessageWorks() throws Exception {
        try (Limits limits = new Limits(AddressFullMessagePolicy.FAIL);
                WeldApplication application = application().url(limits.url()).start()) {
            Publisher publisher = application.bean(Publisher.class);
            publisher.toQueue("limited").send("attached"); // to a full address Artemis grants no credit at all
            limits.fill("limited");
            PublishException refused = refusalOf(publisher.toQueue("limited"));
            assertThat(refused.condition()).contains("amqp:resource-limit-exceeded");
            publisher.toQueue("other").send("next");
            limits.empty("limited");
            publisher.toQueue("limited").send("room again");
            assertThat(limits.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    void fullAddressThatBlocksIsBoundedByTheSendTimeoutAndTheMessageIsNotSentLater() throws Exception {
        try (Limits limits = new Limits(AddressFullMessagePolicy.BLOCK);
                WeldApplication application = application()
                        .url(limits.url())
                        .config("consignee.send-timeout", "700ms")
                        .start()) {
            Publisher publisher = application.bean(Publisher.class);
            limits.fill("limited");
            Duration took = time(() -> assertThat(refusalOf(publisher.toQueue("limited"), "late"))
                    .hasMessageContaining("not sent")
                    .hasMessageContaining("limited"));
            assertThat(took).isBetween(Duration.ofMillis(700), Duration.ofSeconds(10));
            publisher.toQueue("other").send("next");

            List<String> taken = new ArrayList<>(limits.empty("limited"));
            await().ignoreExceptionsInstanceOf(PublishException.class).until(() -> {
                publisher.toQueue("limited").send("room again");
                return true;
            });
            await().until(() -> {
                taken.addAll(limits.empty("limited"));
                return taken.contains("room again");
            });
            assertThat(taken).doesNotContain("late");
        }
    }

    @Test
    void forbiddenAddressIsAPublishExceptionWithTheCondition() throws Exception {
        try (Limits limits = new Limits(AddressFullMessagePolicy.FAIL);
                WeldApplication application = application().url(limits.url()).start()) {
            Publisher publisher = application.bean(Publisher.class);
            assertThat(refusalOf(publisher.toQueue("forbidden")).condition()).contains("amqp:unauthorized-access");
            publisher.toQueue("other").send("next");
        }
    }

    // --- brokers that go

    @Test
    void brokerThatIsDownIsAPublishExceptionAndOnceItIsBackSendingWorks() {
        broker.stop();
        try (WeldApplication application = application()
                .url("amqp://127.0.0.1:" + broker.port())
                .config("consignee.connect-timeout", "2s")
                .start()) {
            Publisher publisher = application.bean(Publisher.class);
            Duration took = time(() -> refusalOf(publisher.toQueue("out")));
            assertThat(took).isLessThan(Duration.ofSeconds(10));
            broker.start();
            publisher.toQueue("out").send("back");
            assertThat(only("out").text()).isEqualTo("back");
        }
    }

    @Test
    void brokerThatDoesNotAnswerIsBoundedByTheConnectTimeoutForEveryThread() throws Exception {
        proxy.blackhole(true);
        try (WeldApplication application =
                application().config("consignee.connect-timeout", "1s").start()) {
            Publisher publisher = application.bean(Publisher.class);
            Callable<Duration> send = () -> time(() -> refusalOf(publisher.toQueue("out")));
            List<Future<Duration>> running = threads.invokeAll(Collections.nCopies(6, send));
            for (Future<Duration> each : running) {
                assertThat(each.get()).isLessThan(Duration.ofSeconds(4));
            }
            proxy.blackhole(false);
            publisher.toQueue("out").send("now");
        }
    }

    @Test
    void answerThatDoesNotComeIsBoundedByTheSendTimeout() {
        try (WeldApplication application = application()
                .config("consignee.send-timeout", "700ms")
                .config("consignee.close-timeout", "1s")
                .start()) {
            Publisher publisher = application.bean(Publisher.class);
            publisher.toQueue("out").send("attached");
            proxy.blackhole(true);
            Duration took = time(() -> assertThat(refusalOf(publisher.toQueue("out")))
                    .hasMessageContaining("the broker may have the message"));
            assertThat(took).isBetween(Duration.ofMillis(700), Duration.ofSeconds(10));
            proxy.blackhole(false);
            publisher.toQueue("out").send("afterwards");
            await().untilAsserted(() -> assertThat(broker.messages("out"))
                    .extracting(WireMessage::text)
                    .contains("attached", "afterwards"));
        }
    }

    @Test
    void attachesThatAreNotAnsweredDoNotAddUpOverAddresses() throws Exception {
        try (WeldApplication application = application()
                .config("consignee.request-timeout", "1s")
                .config("consignee.send-timeout", "1s")
                .config("consignee.close-timeout", "1s")
                .start()) {
            Publisher publisher = application.bean(Publisher.class);
            publisher.toQueue("out").send("connected");
            proxy.blackhole(true);
            List<Callable<Duration>> sends = IntStream.range(0, 6)
                    .<Callable<Duration>>mapToObj(i -> () -> time(() -> refusalOf(publisher.toQueue("new-" + i))))
                    .toList();
            for (Future<Duration> each : threads.invokeAll(sends)) {
                assertThat(each.get()).isLessThan(Duration.ofSeconds(4));
            }
            proxy.blackhole(false);
        }
    }

    @Test
    void connectionCutBetweenSendsIsReplacedByTheNextOne() {
        try (WeldApplication application = application().start()) {
            Publisher publisher = application.bean(Publisher.class);
            for (int i = 0; i < 5; i++) {
                publisher.toQueue("out").send("message " + i);
                proxy.cut();
                await().ignoreExceptionsInstanceOf(PublishException.class).until(() -> {
                    publisher.toQueue("again").send("after a cut"); // it may not have heard of the cut yet
                    return true;
                });
            }
            assertThat(arrived("out", 5)).extracting(WireMessage::text).doesNotHaveDuplicates();
            assertThat(arrived("again", 5)).extracting(WireMessage::text).containsOnly("after a cut");
            await().until(() -> broker.connectionCount() == 1);
        }
    }

    @Test
    void connectionCutWhileItWaitsForTheOutcomeIsAPublishExceptionAtOnce() throws Exception {
        try (WeldApplication application =
                application().config("consignee.close-timeout", "1s").start()) {
            Publisher publisher = application.bean(Publisher.class);
            publisher.toQueue("out").send("attached");
            proxy.blackhole(true);
            FutureTask<PublishException> refused = new FutureTask<>(() -> refusalOf(publisher.toQueue("out")));
            Thread sending = new Thread(refused, "sending");
            sending.start();
            await().until(() -> sending.getState() == Thread.State.WAITING);
            proxy.refuse(true);
            proxy.cut();
            proxy.blackhole(false);
            assertThat(refused.get(10, TimeUnit.SECONDS)).hasMessageContaining("queue 'out'");
            proxy.refuse(false);
            publisher.toQueue("out").send("afterwards");
            await().untilAsserted(() -> assertThat(broker.messages("out"))
                    .extracting(WireMessage::text)
                    .contains("attached", "afterwards"));
        }
    }

    @Test
    void everySendEndsWhenConnectionsAreCutUnderLoad() throws Exception {
        proxy.recording(false);
        try (WeldApplication application =
                application().config("consignee.send-timeout", "5s").start()) {
            Publisher publisher = application.bean(Publisher.class);
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger accepted = new AtomicInteger();
            Callable<Integer> sending = () -> {
                int sent = 0;
                for (int i = 0; !over.get(); i++) {
                    try {
                        publisher.toQueue("out").send(i);
                        sent++;
                        accepted.incrementAndGet();
                    } catch (PublishException cut) {
                        assertThat(cut).hasMessageContaining("queue 'out'");
                    }
                }
                return sent;
            };
            List<Future<Integer>> running = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                running.add(threads.submit(sending));
            }
            for (int cut = 0; cut < 20; cut++) {
                int before = accepted.get();
                await().until(() -> accepted.get() >= before + 50);
                proxy.cut();
            }
            over.set(true);
            int sent = 0;
            for (Future<Integer> each : running) {
                sent += each.get(10, TimeUnit.SECONDS);
            }
            int known = sent;
            await().untilAsserted(() -> assertThat(broker.queue("out").messageCount())
                    .as("all that were told to be accepted, and some of which nobody could know")
                    .isBetween((long) known, known + 8L * 20));
        }
    }

    @Test
    void sendsThatAreUnderWayWhenTheApplicationStopsEnd() throws Exception {
        WeldApplication application = application().start();
        Publisher publisher = application.bean(Publisher.class);
        publisher.toQueue("out").send("attached");
        proxy.blackhole(true);
        List<CompletableFuture<Void>> sends = IntStream.range(0, 100)
                .mapToObj(i -> publisher.toQueue("out").sendAsync(i).toCompletableFuture())
                .toList();
        proxy.refuse(true);
        proxy.cut();
        application.close();
        proxy.blackhole(false);
        for (CompletableFuture<Void> each : sends) {
            assertThat(each)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withCauseInstanceOf(PublishException.class);
        }
    }

    @Test
    void connectionClosedByTheBrokerIsReplacedByTheNextSend() {
        try (WeldApplication application = application().start()) {
            Publisher publisher = application.bean(Publisher.class);
            publisher.toQueue("out").send("before");
            broker.closeConnections();
            await().ignoreExceptionsInstanceOf(PublishException.class).until(() -> {
                publisher.toQueue("out").send("after");
                return true;
            });
            assertThat(arrived("out", 2)).extracting(WireMessage::text).containsExactly("before", "after");
        }
    }

    // --- the application

    /** A payload. */
    public record Picked(String sku, int quantity) {}

    /** No subscriber. */
    @ApplicationScoped
    static class Nothing {}

    /** Receives from a topic. */
    @ApplicationScoped
    static class Reader {
        @Subscriber(topic = "news")
        void news(String text) {}
    }

    /** Publishes what it gets, with a credit of one. */
    @ApplicationScoped
    static class Forwarding {
        @Inject
        Publisher publisher;

        @Subscriber(queue = "work", credit = 1)
        HandlerOutcome work(String text) {
            publisher.toQueue("out").send(text);
            return HandlerOutcome.ack();
        }
    }

    /** A broker whose address {@code limited} holds little, and where nobody may send to {@code forbidden}. */
    private static final class Limits implements AutoCloseable, ActiveMQSecurityManager {

        private static final String ACCEPTOR = "amqp";
        private static final int ROOM = 20_000;

        private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();

        Limits(AddressFullMessagePolicy whenFull) throws Exception {
            broker.setConfiguration(new ConfigurationImpl()
                    .setPersistenceEnabled(false)
                    .setJMXManagementEnabled(false)
                    .setSecurityEnabled(true)
                    .setMaxDiskUsage(-1)
                    .setGlobalMaxSize(-1)
                    .addAddressSetting(
                            "limited", settings().setMaxSizeBytes(ROOM).setAddressFullMessagePolicy(whenFull))
                    .addAddressSetting("#", settings())
                    .putSecurityRoles("#", Set.of(role(true)))
                    .putSecurityRoles("forbidden", Set.of(role(false)))
                    .addAcceptorConfiguration(ACCEPTOR, "tcp://127.0.0.1:0?protocols=AMQP"));
            broker.setSecurityManager(this);
            broker.start();
            broker.getActiveMQServer()
                    .createQueue(QueueConfiguration.of("limited").setRoutingType(RoutingType.ANYCAST));
        }

        private static AddressSettings settings() {
            return new AddressSettings()
                    .setDefaultAddressRoutingType(RoutingType.ANYCAST)
                    .setDefaultQueueRoutingType(RoutingType.ANYCAST);
        }

        private static Role role(boolean send) {
            return new Role("all", send, true, true, true, true, true, true, true, true, true, true, true);
        }

        String url() {
            NettyAcceptor acceptor = (NettyAcceptor)
                    broker.getActiveMQServer().getRemotingService().getAcceptor(ACCEPTOR);
            return "amqp://127.0.0.1:" + acceptor.getActualPort();
        }

        int connectionCount() {
            return broker.getActiveMQServer().getConnectionCount();
        }

        void fill(String address) throws Exception {
            try (AmqpClient client = new AmqpClient(url())) {
                client.sendToQueue(address, Outbound.text("x".repeat(2 * ROOM)));
            }
        }

        /** Takes what is there, and what comes while it does. */
        List<String> empty(String address) throws Exception {
            try (AmqpClient client = new AmqpClient(url())) {
                return client.receiveAll(address, Duration.ofMillis(300)).stream()
                        .map(WireMessage::text)
                        .toList();
            }
        }

        @Override
        public boolean validateUser(String user, String password) {
            return true;
        }

        @Override
        public boolean validateUserAndRole(String user, String password, Set<Role> roles, CheckType check) {
            return roles.stream().anyMatch(check::hasRole);
        }

        @Override
        public void close() {
            try {
                broker.stop();
            } catch (Exception e) {
                throw new IllegalStateException("Artemis did not stop", e);
            }
        }
    }
}

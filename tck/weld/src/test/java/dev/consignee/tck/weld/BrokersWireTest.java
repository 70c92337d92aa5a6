package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.consignee.PublishException;
import dev.consignee.Publisher;
import dev.consignee.Subscriber;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.WireMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.transport.Open;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which broker an application talks to, as whom, and what the connection says of itself. */
class BrokersWireTest {

    private static final String USER = "keeper";
    private static final String PASSWORD = "s3cr@t:pass/word";
    private static final String ENCODED = "s3cr%40t%3Apass%2Fword";

    private EmbeddedArtemis broker;
    private EmbeddedArtemis other;
    private FrameProxy proxy;

    @BeforeEach
    void start() {
        broker = EmbeddedArtemis.withDefaults();
        proxy = FrameProxy.to(broker.port());
    }

    @AfterEach
    void stop() {
        proxy.close();
        broker.close();
        if (other != null) {
            other.close();
        }
    }

    private WeldApplication.Builder worker() {
        return WeldApplication.of(Worker.class, Seen.class).url(proxy.url());
    }

    private WeldApplication.Builder publishing() {
        return WeldApplication.of(Nothing.class).url(proxy.url());
    }

    private List<Open> opens() {
        return proxy.frames(frame -> frame.is(Direction.CLIENT_TO_BROKER, Open.class)).stream()
                .map(frame -> (Open) frame.performative())
                .toList();
    }

    private static void send(EmbeddedArtemis to, String queue, String text) throws Exception {
        try (AmqpClient client = new AmqpClient(to.url())) {
            client.sendToQueue(queue, Outbound.text(text));
        }
    }

    // --- several brokers

    @Test
    void namedBrokerIsConsumedFromBesideTheUnnamedOne() throws Exception {
        other = EmbeddedArtemis.withDefaults();
        try (WeldApplication application = WeldApplication.of(Both.class, Seen.class)
                .url(broker.url())
                .config("consignee.broker.eu.url", other.url())
                .start()
                .awaitAttached()) {
            send(broker, "work", "home");
            send(other, "work", "abroad");
            await().until(() -> application.status("at-home").accepted() == 1);
            await().until(() -> application.status("in-eu").accepted() == 1);
            assertThat(application.bean(Seen.class).texts()).containsExactlyInAnyOrder("home", "abroad");
            assertThat(application.status("in-eu").broker()).isEqualTo("eu");
            assertThat(broker.connectionCount()).isEqualTo(1);
            assertThat(other.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    void publisherOfANamedBrokerSendsThereAndNowhereElse() {
        other = EmbeddedArtemis.withDefaults();
        try (WeldApplication application =
                publishing().config("consignee.broker.eu.url", other.url()).start()) {
            Publisher publisher = application.bean(Publisher.class);
            publisher.broker("eu").toQueue("out").send("abroad");
            assertThat(broker.connectionCount()).as("nothing was sent at home").isZero();
            publisher.toQueue("out").send("home 1");
            publisher.broker("eu").broker("").toQueue("out").send("home 2");
            await().untilAsserted(() -> assertThat(other.messages("out"))
                    .extracting(WireMessage::text)
                    .containsExactly("abroad"));
            await().untilAsserted(() -> assertThat(broker.messages("out"))
                    .extracting(WireMessage::text)
                    .containsExactly("home 1", "home 2"));
        }
    }

    @Test
    void unknownBrokerOfThePublisherIsAnIllegalArgumentThatListsTheKnown() {
        try (WeldApplication application = publishing()
                .config("consignee.broker.eu.url", "amqp://127.0.0.1:1")
                .config("consignee.broker.us.url", "amqp://127.0.0.1:1")
                .start()) {
            Publisher publisher = application.bean(Publisher.class);
            assertThatThrownBy(() -> publisher.broker("asia"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'asia'")
                    .hasMessageContaining("'eu', 'us', the unnamed one")
                    .hasMessageContaining("consignee.broker.asia.url");
        }
    }

    @Test
    void brokerThatIsDownDoesNotKeepSubscriptionsOfAnotherFromWorking() throws Exception {
        other = EmbeddedArtemis.withDefaults();
        other.stop();
        try (WeldApplication application = WeldApplication.of(Both.class, Seen.class)
                .url(broker.url())
                .config("consignee.broker.eu.url", "amqp://127.0.0.1:" + other.port())
                .start()) {
            send(broker, "work", "home");
            await().until(() -> application.status("at-home").accepted() == 1);
            assertThat(application.status("in-eu").state()).isEqualTo(SubscriptionState.CONNECTING);
            other.start();
            send(other, "work", "abroad");
            await().until(() -> application.status("in-eu").accepted() == 1);
        }
    }

    // --- failover

    @Test
    @Asserts("life-3")
    void failoverAttachesToTheHostThatLivesAndGoesToTheOtherWhenItIsGone() throws Exception {
        other = EmbeddedArtemis.withDefaults();
        other.stop();
        String url = "failover:(amqp://127.0.0.1:" + other.port() + "," + broker.url() + ")";
        try (WeldApplication application =
                WeldApplication.of(Worker.class, Seen.class).url(url).start().awaitAttached()) {
            send(broker, "work", "first");
            await().until(() -> application.status("work").accepted() == 1);

            broker.stop();
            await().until(() -> application.status("work").state() == SubscriptionState.CONNECTING);
            other.start();
            send(other, "work", "second");
            await().until(() -> application.status("work").accepted() == 2);

            other.stop();
            broker.start();
            send(broker, "work", "third");
            await().until(() -> application.status("work").accepted() == 3);
            assertThat(application.bean(Seen.class).texts()).containsExactly("first", "second", "third");
        }
    }

    @Test
    void publisherGoesToTheHostThatLives() {
        other = EmbeddedArtemis.withDefaults();
        other.stop();
        try (WeldApplication application = WeldApplication.of(Nothing.class)
                .url("failover:(amqp://127.0.0.1:" + other.port() + "," + broker.url() + ")")
                .start()) {
            Publisher publisher = application.bean(Publisher.class);
            publisher.toQueue("out").send("one");
            broker.stop();
            other.start();
            await().ignoreExceptionsInstanceOf(PublishException.class).until(() -> {
                publisher.toQueue("out").send("two"); // it may not have heard of the end yet
                return true;
            });
            await().untilAsserted(() -> assertThat(other.messages("out"))
                    .extracting(WireMessage::text)
                    .containsExactly("two"));
        }
    }

    // --- credentials

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://" + USER + ":" + ENCODED + "@HOST",
                "failover:(amqp://" + USER + ":" + ENCODED + "@HOST,amqp://" + USER + ":" + ENCODED + "@HOST)",
                "amqp://HOST?jms.username=" + USER + "&jms.password=" + ENCODED
            })
    void userInfoOfTheUrlIsUsedAndNeverLogged(String url) throws Exception {
        other = EmbeddedArtemis.builder().user(USER, PASSWORD).start();
        try (LogCapture log = LogCapture.ofEverything();
                WeldApplication application = WeldApplication.of(Worker.class, Seen.class)
                        .url(url.replace("HOST", "127.0.0.1:" + other.port()))
                        .start()
                        .awaitAttached()) {
            application.bean(Publisher.class).toQueue("work").send("ack");
            await().until(() -> application.status("work").accepted() == 1);
            other.closeConnections();
            await().until(() -> application.status("work").attached() == 2);
            other.stop();
            await().until(() -> application.status("work").state() == SubscriptionState.CONNECTING);
            assertThatThrownBy(() ->
                            application.bean(Publisher.class).toQueue("work").send("ack"))
                    .isInstanceOf(PublishException.class)
                    .satisfies(BrokersWireTest::assertWithoutCredentials);
            await().until(() -> !log.events("CONS0301").isEmpty());
            assertThat(log.lines()).hasSizeGreaterThan(5).allSatisfy(BrokersWireTest::assertWithoutCredentials);
        }
    }

    @Test
    void wrongCredentialsAreToldWithoutThem() throws Exception {
        other = EmbeddedArtemis.builder().user(USER, "another").start();
        try (LogCapture log = LogCapture.ofEverything();
                WeldApplication application = WeldApplication.of(Worker.class, Seen.class)
                        .url(other.url().replace("amqp://", "amqp://" + USER + ":" + ENCODED + "@"))
                        .start()) {
            await().until(() -> !log.events("CONS0301").isEmpty());
            assertThatThrownBy(() ->
                            application.bean(Publisher.class).toQueue("work").send("ack"))
                    .isInstanceOf(PublishException.class)
                    .satisfies(BrokersWireTest::assertWithoutCredentials);
            assertThat(log.lines()).allSatisfy(BrokersWireTest::assertWithoutCredentials);
            assertThat(application.status("work").attached()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://" + USER + ":" + ENCODED + "@127.0.0.1:99999",
                "amqp://" + USER + ":" + PASSWORD + "@127.0.0.1",
                "amqp:" + USER + ":" + ENCODED + "@127.0.0.1",
                "http://" + USER + ":" + ENCODED + "@127.0.0.1",
                "failover:amqp://" + USER + ":" + ENCODED + "@127.0.0.1",
                "failover:(amqp://" + USER + ":" + ENCODED + "@127.0.0.1,amqp://" + USER + ":x@127.0.0.1)",
                "amqp://127.0.0.1:99999?jms.username=" + USER + "&jms.password=" + ENCODED
            })
    void reportOfAWrongUrlDoesNotShowTheCredentialsInIt(String url) {
        try (LogCapture log = LogCapture.ofEverything()) {
            assertThatThrownBy(() -> worker().url(url).start().close())
                    .hasMessageContaining("CONS0154")
                    .hasMessageContaining("consignee.url")
                    .satisfies(BrokersWireTest::assertWithoutCredentials);
            assertThat(log.lines()).allSatisfy(BrokersWireTest::assertWithoutCredentials);
        }
    }

    private static void assertWithoutCredentials(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            assertWithoutCredentials(String.valueOf(each));
        }
    }

    private static void assertWithoutCredentials(String text) {
        assertThat(text).doesNotContain(PASSWORD, ENCODED, "s3cr", "pass/word").doesNotContain(USER);
    }

    @Test
    void userNameAndPasswordHaveKeysToo() throws Exception {
        other = EmbeddedArtemis.builder().user(USER, PASSWORD).start();
        try (WeldApplication application = WeldApplication.of(Worker.class, Seen.class)
                .url(other.url())
                .config("consignee.username", USER)
                .config("consignee.password", PASSWORD)
                .start()
                .awaitAttached()) {
            application.bean(Publisher.class).toQueue("work").send("ack");
            await().until(() -> application.status("work").accepted() == 1);
        }
    }

    @Test
    void saslMechanismsLimitWhatIsUsed() throws Exception {
        other = EmbeddedArtemis.builder().user(USER, PASSWORD).start();
        WeldApplication.Builder builder = WeldApplication.of(Worker.class, Seen.class)
                .url(other.url())
                .config("consignee.username", USER)
                .config("consignee.password", PASSWORD);
        try (LogCapture log = LogCapture.ofEverything();
                WeldApplication application =
                        builder.config("consignee.sasl-mechanisms", "ANONYMOUS").start()) {
            await().until(() -> !log.events("CONS0301").isEmpty());
            assertThat(application.status("work").attached()).isZero();
        }
        try (WeldApplication application = builder.config("consignee.sasl-mechanisms", "ANONYMOUS, PLAIN")
                .start()
                .awaitAttached()) {
            assertThat(application.status("work").attached()).isEqualTo(1);
        }
    }

    // --- what the connection says of itself

    @Test
    void containerIdIsThatOfTheOpenFrameAndThePublishersHasASuffix() {
        try (WeldApplication application =
                worker().config("consignee.container-id", "shop-1").start().awaitAttached()) {
            application.bean(Publisher.class).toQueue("out").send("one");
            assertThat(opens()).extracting(Open::getContainerId).containsExactly("shop-1", "shop-1-publisher");
        }
    }

    @Test
    void randomContainerIdBeginsWithTheApplicationAndIsAnotherEachTime() {
        try (WeldApplication application = worker().start().awaitAttached()) {
            application.bean(Publisher.class).toQueue("out").send("one");
            proxy.cut();
            await().until(() -> application.status("work").attached() == 2);
        }
        assertThat(opens())
                .extracting(Open::getContainerId)
                .hasSize(3)
                .doesNotHaveDuplicates()
                .allMatch(id -> id.startsWith("consignee-"));
    }

    @Test
    void idleTimeoutIsAdvertised() {
        try (WeldApplication application =
                worker().config("consignee.idle-timeout", "40s").start().awaitAttached()) {
            assertThat(application.status("work").attached()).isEqualTo(1);
            assertThat(opens())
                    .extracting(Open::getIdleTimeOut)
                    .as("half of it, so that a late heartbeat is in time")
                    .containsExactly(UnsignedInteger.valueOf(20_000));
        }
    }

    @Test
    void optionOfQpidIsPassedThroughAndGoesBeforeOurs() {
        try (WeldApplication application = worker().config("consignee.idle-timeout", "40s")
                .config("consignee.qpid.amqp.idleTimeout", "30000")
                .start()
                .awaitAttached()) {
            assertThat(application.status("work").attached()).isEqualTo(1);
            assertThat(opens()).extracting(Open::getIdleTimeOut).containsExactly(UnsignedInteger.valueOf(15_000));
        }
    }

    @Test
    void optionOfTheUrlReachesQpid() {
        try (WeldApplication application =
                worker().url(proxy.url() + "?amqp.vhost=shop").start().awaitAttached()) {
            assertThat(application.status("work").attached()).isEqualTo(1);
            assertThat(opens()).extracting(Open::getHostname).containsExactly("shop");
        }
    }

    @Test
    @Asserts("life-3")
    void silentConnectionIsLostAfterTheIdleTimeoutAndReplaced() throws Exception {
        try (WeldApplication application = worker().config("consignee.idle-timeout", "1s")
                .config("consignee.close-timeout", "1s")
                .config("consignee.connect-timeout", "1s")
                .start()
                .awaitAttached()) {
            proxy.blackhole(true);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> application.status("work").state() == SubscriptionState.CONNECTING);
            proxy.blackhole(false);
            send(broker, "work", "ack");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> application.status("work").accepted() == 1);
        }
    }

    // --- the application

    /** No subscriber. */
    @ApplicationScoped
    static class Nothing {}

    /** Remembers what arrived. */
    @ApplicationScoped
    static class Seen {
        private final List<String> texts = new CopyOnWriteArrayList<>();

        void add(String text) {
            texts.add(text);
        }

        List<String> texts() {
            return texts;
        }
    }

    /** One queue. */
    @ApplicationScoped
    static class Worker {
        @Inject
        Seen seen;

        @Subscriber(queue = "work")
        void work(String text) {
            seen.add(text);
        }
    }

    /** One queue on each of two brokers. */
    @ApplicationScoped
    static class Both {
        @Inject
        Seen seen;

        @Subscriber(queue = "work")
        void atHome(String text) {
            seen.add(text);
        }

        @Subscriber(queue = "work", broker = "eu")
        void inEu(String text) {
            seen.add(text);
        }
    }
}

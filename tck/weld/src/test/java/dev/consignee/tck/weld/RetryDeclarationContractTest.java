package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.consignee.HandlerOutcome;
import dev.consignee.OnDecodeError;
import dev.consignee.Settle;
import dev.consignee.Subscriber;
import dev.consignee.diagnostics.Diagnostics;
import dev.consignee.tck.Asserts;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stops a deployment of what is said about retries and dead letters, and what does not. */
class RetryDeclarationContractTest {

    private final FreshThreads threads = new FreshThreads();
    private ServerSocketChannel broker; // listens, to be connected to by nobody

    @BeforeEach
    void listen() throws IOException {
        broker = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        broker.configureBlocking(false);
    }

    @AfterEach
    void stopListening() throws IOException {
        broker.close();
    }

    private String url() throws IOException {
        return "amqp://127.0.0.1:" + ((InetSocketAddress) broker.getLocalAddress()).getPort();
    }

    private WeldApplication.Builder application(Class<?>... beans) throws IOException {
        return WeldApplication.of(beans).url(url());
    }

    /** The report of a deployment that has to fail without having connected or begun a thread. */
    private String report(WeldApplication.Builder application) throws IOException {
        Throwable thrown = catchThrowable(() -> application.start().close());
        assertThat(thrown).isInstanceOf(DeploymentException.class);
        assertThat(broker.accept()).as("a connection").isNull();
        assertThat(threads.names()).isEmpty();
        return thrown.getMessage();
    }

    /** The deployment has neither a problem nor a warning; it connects to nothing. */
    private static void assertThatItDeploys(WeldApplication.Builder application) {
        application.config("consignee.enabled", "false"); // checked all the same, and nothing to stop
        try (LogCapture log = LogCapture.ofConsignee();
                WeldApplication running = application.start()) {
            assertThat(running.bean(Diagnostics.class).subscriptions()).isNotEmpty();
            assertThat(log.messages("CONS0504")).isEmpty();
        }
    }

    @Test
    @Asserts("failure-8")
    void deadLettersWithoutAnAddressDoNotDeploy() throws Exception {
        assertThat(report(application(Undertaker.class)))
                .contains(
                        "Consignee found a problem:",
                        "CONS0133",
                        "subscriber 'bury'",
                        "Undertaker.bury(String)",
                        "@Subscriber(onDecodeError = DEAD_LETTER)",
                        "consignee.subscriber.bury.dead-letter",
                        "consignee.defaults.dead-letter");
    }

    @ParameterizedTest
    @Asserts("failure-8")
    @ValueSource(strings = {"consignee.subscriber.pick.on-decode-error", "consignee.defaults.on-decode-error"})
    void deadLettersWithoutAnAddressDoNotDeployWhereverTheyAreConfigured(String key) throws Exception {
        assertThat(report(application(Picker.class).config(key, "dead-letter")))
                .contains("CONS0133", "subscriber 'pick'", key + "=dead-letter from");
    }

    @Test
    @Asserts("failure-8")
    void deadLettersWithoutAnAddressDoNotDeployAtMostOnceEither() throws Exception {
        assertThat(report(application(Undertaker.class).config("consignee.defaults.settle", "at-most-once")))
                .contains("CONS0133", "subscriber 'bury'");
    }

    @ParameterizedTest
    @Asserts("failure-8")
    @ValueSource(strings = {"consignee.subscriber.bury.dead-letter", "consignee.defaults.dead-letter"})
    void deadLettersWithAConfiguredAddressDeploy(String key) throws Exception {
        assertThatItDeploys(application(Undertaker.class).config(key, "topic:dead"));
    }

    @ParameterizedTest
    @Asserts("delay-9")
    @ValueSource(strings = {"", "in-process"}) // the default, and written
    void delayInTheProcessDoesNotDeployWithBrokerJ(String delayedRetry) throws Exception {
        WeldApplication.Builder application = application(Picker.class)
                .config("consignee.profile", "broker-j")
                .config("consignee.subscriber.pick.delayed-retry", delayedRetry);

        assertThat(report(application))
                .contains(
                        "Consignee found a problem:",
                        "CONS0135",
                        "subscriber 'pick'",
                        "Picker.pick(String)",
                        "consignee.profile is 'broker-j'",
                        "delayed-retry 'hold' or 'broker'",
                        "consignee.subscriber.pick.delayed-retry");
    }

    @ParameterizedTest
    @Asserts("delay-9")
    @CsvSource({
        "consignee.defaults.delayed-retry, hold",
        "consignee.subscriber.pick.delayed-retry, broker",
        "consignee.subscriber.pick.settle, at-most-once"
    })
    void delayThatRejectsNothingDeploysWithBrokerJ(String key, String value) throws Exception {
        assertThatItDeploys(application(Picker.class)
                .config("consignee.profile", "Broker_J")
                .config(key, value));
    }

    @Test
    @Asserts("delay-9")
    void profileOfAnotherBrokerIsNoConcern() throws Exception {
        assertThatItDeploys(application(Picker.class, Copier.class)
                .config("consignee.broker.eu.url", url())
                .config("consignee.broker.eu.profile", "broker-j")
                .config("consignee.profile", "artemis"));
    }

    @Test
    @Asserts("life-1")
    void wrongProfileStandsInTheReport() throws Exception {
        assertThat(report(application(Picker.class).config("consignee.profile", "brokerj")))
                .contains("CONS0156", "consignee.profile=brokerj", "artemis, classic, broker-j, rabbitmq, service-bus");
    }

    @Test
    @Asserts("life-1")
    void allThatIsWrongAboutRetriesStandsInOneReport() throws Exception {
        assertThat(report(application(Wrong.class)))
                .contains(
                        "Consignee found 5 problems:",
                        "CONS0104: max-attempts of subscriber 'never' is '0'",
                        "1 to 1000000",
                        "CONS0103: dead-letter of subscriber 'nowhere' is 'topic:'",
                        "CONS0134: dead letters of subscriber 'circle' would go to queue 'here'",
                        "@Subscriber(queue = \"here\"); @Subscriber(deadLetter = \"here\")",
                        "CONS0132: backoff of subscriber 'backwards' is '5m..1s'",
                        "such as 1s..5m",
                        "CONS0134: dead letters of subscriber 'verbatim' would go to queue 'there'");
    }

    @Test
    @Asserts("life-1")
    void consumerOfTheDefaultDeadLetterAddressDeploys() throws Exception {
        assertThatItDeploys(application(Picker.class, Gravedigger.class)
                .config("consignee.defaults.dead-letter", "shipments.dead")
                .config("consignee.defaults.on-decode-error", "dead-letter")
                .config("consignee.defaults.max-attempts", "3"));
    }

    @Test
    @Asserts("life-1")
    void everythingAboutRetriesMayBeSaidAtOnce() throws Exception {
        assertThatItDeploys(application(Complete.class)
                .config("consignee.subscriber.pick.delayed-retry", "hold")
                .config("consignee.subscriber.pick.on-stop", "discard")
                .config("consignee.subscriber.pick.max-waiting-copies", "5")
                .config("consignee.defaults.attempt-source", "broker")
                .config("dead", "topic:lost")
                .environment("CONSIGNEE_SUBSCRIBER_PICK_MAX_ATTEMPTS", "7"));
    }

    /** Says nothing of retries. */
    @ApplicationScoped
    static class Picker {

        @Subscriber(queue = "shipments")
        HandlerOutcome pick(String payload) {
            return HandlerOutcome.retry();
        }
    }

    /** The same with another broker. */
    @ApplicationScoped
    static class Copier {

        @Subscriber(queue = "shipments", broker = "eu", settle = Settle.AT_MOST_ONCE)
        void copy(String payload) {}
    }

    /** Wants dead letters and does not say where. */
    @ApplicationScoped
    static class Undertaker {

        @Subscriber(queue = "shipments", onDecodeError = OnDecodeError.DEAD_LETTER)
        void bury(String payload) {}
    }

    /** Consumes what others give up. */
    @ApplicationScoped
    static class Gravedigger {

        @Subscriber(queue = "shipments.dead")
        void dig(String payload) {}
    }

    /** Five mistakes. */
    @ApplicationScoped
    static class Wrong {

        @Subscriber(queue = "here", maxAttempts = 0)
        void never(String payload) {}

        @Subscriber(queue = "here", deadLetter = "topic:")
        void nowhere(String payload) {}

        @Subscriber(queue = "here", deadLetter = "here")
        void circle(String payload) {}

        @Subscriber(queue = "here", backoff = "5m..1s")
        void backwards(String payload) {}

        @Subscriber(value = "there", deadLetter = "there")
        void verbatim(String payload) {}
    }

    /** Says all there is. */
    @ApplicationScoped
    static class Complete {

        @Subscriber(
                queue = "shipments",
                maxAttempts = 5,
                deadLetter = "${dead}",
                backoff = "1s..5m",
                dropOn = {IllegalArgumentException.class, IOException.class},
                onDecodeError = OnDecodeError.DEAD_LETTER)
        HandlerOutcome pick(String payload) {
            return HandlerOutcome.ack();
        }
    }
}

package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.consignee.Subscriber;
import dev.consignee.diagnostics.Diagnostics;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.diagnostics.SubscriptionStatus;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.app.Call;
import dev.consignee.tck.app.Scripted;
import dev.consignee.tck.app.Worker;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.ConversationScoped;
import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.inject.Typed;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stops a deployment, and what is no more than a warning. */
class LifeDeclarationContractTest {

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

    private WeldApplication.Builder application(Class<?>... beans) throws IOException {
        return WeldApplication.of(beans)
                .url("amqp://127.0.0.1:" + ((InetSocketAddress) broker.getLocalAddress()).getPort());
    }

    /** The report of a deployment that has to fail. */
    private static String report(WeldApplication.Builder application) {
        Throwable thrown = catchThrowable(() -> application.start().close());
        assertThat(thrown).isInstanceOf(DeploymentException.class);
        return thrown.getMessage();
    }

    /** The lines of one problem in a report. */
    private static String problem(String report, String id) {
        int start = report.indexOf(id + ":");
        assertThat(start).as("%s in%n%s", id, report).isNotNegative();
        return report.substring(start).lines().limit(3).reduce("", (lines, line) -> lines + line.strip() + "\n");
    }

    private void assertThatNothingHappened() throws IOException {
        assertThat(broker.accept()).as("a connection").isNull();
        assertThat(threads.names()).isEmpty();
    }

    @Test
    @Asserts("life-1")
    void allWrongDeclarationsStandInOneReportAndNothingHasConnected() throws Exception {
        String report = report(application(Wrong.class, Worker.class, Scripted.class, Call.class)
                .config("consignee.subscriber.spoilt.credits", "5"));

        assertThat(report).contains("Consignee found 4 problems:");
        assertThat(problem(report, "CONS0104"))
                .contains("'no-credit'", "Wrong.noCredit(String)", "credit = 0", "1 to 32767");
        assertThat(problem(report, "CONS0102"))
                .contains(
                        "'two-addresses'",
                        "Wrong.twoAddresses(String)",
                        "queue 'here'",
                        "topic 'there'",
                        "exactly one of queue, topic and value");
        assertThat(problem(report, "CONS0119"))
                .contains("'text'", "Wrong.text(String)", "String", "HandlerOutcome", "void");
        assertThat(problem(report, "CONS0150"))
                .contains(
                        "'spoilt'",
                        "Wrong.spoilt(String)",
                        "'credits'",
                        "did you mean 'credit'?",
                        "consignee.subscriber.spoilt.credits",
                        WeldApplication.CONFIG_SOURCE,
                        "credit, ");
        assertThatNothingHappened();
    }

    @Test
    @Asserts("life-1")
    void twoSubscribersOfOneNameDoNotDeploy() throws Exception {
        String report = report(application(Worker.class, Namesake.class, Scripted.class, Call.class));

        assertThat(problem(report, "CONS0112"))
                .contains(
                        "'work'", "Worker.work(String, Delivery)", "Namesake.namesake(String)", Worker.class.getName());
        assertThat(report).as("grouped by the class of the second").contains(Namesake.class.getName());
        assertThatNothingHappened();
    }

    @Test
    @Asserts({"life-1", "life-6"})
    void sessionAndConversationScopeDoNotDeploy() throws Exception {
        String report = report(application(OfASession.class, OfAConversation.class));

        assertThat(report).contains("Consignee found 2 problems:", "OfASession.greet(", "OfAConversation.talk(");
        assertThat(problem(report, "CONS0123")).contains("onversation");
        assertThatNothingHappened();
    }

    @Test
    @Asserts({"life-1", "life-6"})
    void privateAndStaticHandlersDoNotDeploy() throws Exception {
        String report = report(application(Unreachable.class));

        assertThat(report).contains("Consignee found 2 problems:");
        assertThat(problem(report, "CONS0120")).contains("Unreachable.ofNobody(String)");
        assertThat(problem(report, "CONS0121")).contains("Unreachable.hidden(String)");
        assertThatNothingHappened();
    }

    @Test
    @Asserts({"life-1", "life-6"})
    void beanThatNobodyCanCallByItsClassIsAProblemOfItsOwn() throws Exception {
        String report = report(application(Disguised.class, Sealed.class));

        assertThat(report).contains("Consignee found 2 problems:").doesNotContain("\tat ");
        assertThat(report).contains("Disguised.disguised(String)", "Sealed.closed(String)");
        assertThat(problem(report, "CONS0125")).contains("@Typed", "final");
        assertThatNothingHappened();
    }

    @Test
    @Asserts("life-1")
    void configurationOfNobodyIsAWarning() throws Exception {
        try (LogCapture log = LogCapture.ofConsignee();
                WeldApplication application = application(Worker.class, Scripted.class, Call.class)
                        .config("consignee.subscriber.elsewhere.credit", "7")
                        .config("consignee.subscriber.elsewhere.nonsense", "7")
                        .config("consignee.defaults.credits", "7")
                        .config("consignee.shutdown-timeouts", "7s")
                        .start()) {
            assertThat(application.bean(Diagnostics.class).subscriptions()).hasSize(1);
            assertThat(log.events("CONS0504"))
                    .extracting(ILoggingEvent::getLevel)
                    .containsOnly(Level.WARN);
            assertThat(log.messages("CONS0504"))
                    .hasSize(3)
                    .anyMatch(line -> line.contains("CONS0151: there is no subscriber 'elsewhere'"))
                    .anyMatch(line -> line.contains("'consignee.defaults.credits' is no key")
                            && line.contains("did you mean 'consignee.defaults.credit'?"))
                    .anyMatch(line -> line.contains("'consignee.shutdown-timeouts' is no key")
                            && line.contains("did you mean 'consignee.shutdown-timeout'?"));
        }
    }

    @Test
    @Asserts("life-1")
    void rightDeclarationsGiveNoWarning() throws Exception {
        try (LogCapture log = LogCapture.ofConsignee();
                WeldApplication application = application(Worker.class, Scripted.class, Call.class)
                        .config("consignee.subscriber.work.credit", "7")
                        .config("consignee.defaults.on-exception", "drop")
                        .environment("CONSIGNEE_SUBSCRIBER_WORK_ON_DECODE_ERROR", "retry")
                        .environment("CONSIGNEE_CLOSE_TIMEOUT", "1s")
                        .start()) {
            assertThat(application.bean(Diagnostics.class).subscriptions()).hasSize(1);
            assertThat(log.messages("CONS0504")).isEmpty();
        }
    }

    @Test
    @Asserts("life-1")
    void disabledSubscriberIsDeclaredAndConnectsToNothing() throws Exception {
        try (LogCapture log = LogCapture.ofConsignee();
                WeldApplication application = application(Worker.class, Scripted.class, Call.class)
                        .config("consignee.subscriber.work.enabled", "false")
                        .start()) {
            assertDisabled(application, log);
        }
    }

    @Test
    @Asserts("life-1")
    void disabledApplicationDeclaresItsSubscribersAndConnectsToNothing() throws Exception {
        try (LogCapture log = LogCapture.ofConsignee();
                WeldApplication application = application(Worker.class, Scripted.class, Call.class)
                        .config("consignee.enabled", "false")
                        .start()) {
            assertDisabled(application, log);
        }
    }

    private void assertDisabled(WeldApplication application, LogCapture log) throws IOException {
        assertThat(application.bean(Diagnostics.class).subscriptions())
                .extracting(SubscriptionStatus::name, SubscriptionStatus::state)
                .containsExactly(Assertions.tuple("work", SubscriptionState.DISABLED));
        assertThat(log.messages("CONS0503")).hasSize(1);
        assertThatNothingHappened();
    }

    @Test
    @Asserts("life-1")
    void wrongDeclarationOfADisabledSubscriberIsToldAllTheSame() throws Exception {
        String report = report(application(Worker.class, Scripted.class, Call.class)
                .config("consignee.enabled", "false")
                .config("consignee.subscriber.work.credit", "40000"));

        assertThat(problem(report, "CONS0104"))
                .contains("consignee.subscriber.work.credit=40000", WeldApplication.CONFIG_SOURCE, "1 to 32767");
    }

    @Test
    @Asserts("life-1")
    void wrongBrokerIsToldWithItsPasswordLeftOut() {
        String report = report(WeldApplication.of(Worker.class, Scripted.class, Call.class)
                .url("amqp://carl:hunter2@:nowhere")
                .config("consignee.idle-timeout", "soon"));

        assertThat(problem(report, "CONS0154")).contains("consignee.url", WeldApplication.CONFIG_SOURCE);
        assertThat(problem(report, "CONS0156")).contains("consignee.idle-timeout=soon", "a duration of 1ms to 24d");
        assertThat(report).doesNotContain("hunter2").doesNotContain("carl");
    }

    /** Three mistakes, and a handler to be configured wrongly. */
    @ApplicationScoped
    static class Wrong {

        @Subscriber(queue = "here", credit = 0)
        void noCredit(String payload) {}

        @Subscriber(queue = "here", topic = "there")
        void twoAddresses(String payload) {}

        @Subscriber(queue = "here")
        String text(String payload) {
            return payload;
        }

        @Subscriber(queue = "here")
        void spoilt(String payload) {}
    }

    /** Has the worker's name for its subscriber. */
    @ApplicationScoped
    static class Namesake {

        @Subscriber(queue = "other", name = "work")
        void namesake(String payload) {}
    }

    /** Of a scope that a delivery is not in. */
    @SessionScoped
    static class OfASession implements Serializable {

        @Subscriber(queue = "here")
        void greet(String payload) {}
    }

    /** Of the other one. */
    @ConversationScoped
    static class OfAConversation implements Serializable {

        @Subscriber(queue = "here")
        void talk(String payload) {}
    }

    /** Handlers that no reference reaches. */
    @ApplicationScoped
    static class Unreachable {

        @Subscriber(queue = "here")
        static void ofNobody(String payload) {}

        @Subscriber(queue = "here")
        private void hidden(String payload) {}
    }

    /** Is not among its own bean's types. */
    @ApplicationScoped
    @Typed(Serializable.class)
    static class Disguised implements Serializable {

        @Subscriber(queue = "here")
        void disguised(String payload) {}
    }

    /** Can have no client proxy. */
    @ApplicationScoped
    static final class Sealed {

        @Subscriber(queue = "here")
        void closed(String payload) {}
    }

    /** What the report is grouped by. */
    @Test
    @Asserts("life-1")
    void reportIsGroupedByBean() throws Exception {
        String report = report(application(Wrong.class, Unreachable.class));
        List<String> groups = report.lines()
                .filter(line -> line.equals(Wrong.class.getName()) || line.equals(Unreachable.class.getName()))
                .toList();

        assertThat(groups).containsExactly(Unreachable.class.getName(), Wrong.class.getName());
    }
}

package dev.consignee.tck.weld;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.diagnostics.SubscriptionStatus;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Story;
import dev.consignee.tck.Tck;
import dev.consignee.tck.app.Call;
import dev.consignee.tck.app.Retrying;
import dev.consignee.tck.app.Scripted;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What logs and counters tell of deliveries that arrive settled, also after the stop. */
class OnceLogContractTest {

    private static final String QUEUE = "once";

    @RegisterExtension
    final Tck tck = new Tck();

    private LogCapture log;

    @BeforeEach
    void capture() {
        log = LogCapture.ofConsignee();
    }

    @AfterEach
    void release() {
        log.close();
    }

    private WeldApplication once(String... keysAndValues) {
        WeldApplication.Builder builder = WeldApplication.of(Retrying.class, Call.class, Scripted.class)
                .url(tck.proxy().url());
        Tck.switchedOff().forEach(builder::config);
        builder.config("consignee.subscriber.once.enabled", "true");
        builder.config("consignee.subscriber.glance.enabled", "true");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.config(keysAndValues[i], keysAndValues[i + 1]);
        }
        return builder.start().awaitAttached();
    }

    private void send(int count, String script) throws Exception {
        tck.client().sendToQueue(QUEUE, count, i -> Outbound.text(script).withCorrelationId(script + i));
    }

    private long delivered() {
        return Collections.frequency(Story.of(QUEUE, tck.proxy().events()), "delivered");
    }

    @Test
    @Asserts("once-2")
    void manyUnsupportedOutcomesMakeOneWarningThatNamesTheSubscription() throws Exception {
        try (WeldApplication application = once()) {
            send(100, "ack");
            send(100, "drop");
            tck.client().sendToQueue("glance", 10, i -> Outbound.text("ack"));
            await().until(() -> application.status(QUEUE).unsupported() == 200);
            await().until(() -> application.status("glance").deliveries() == 10);
        }
        assertThat(log.events("CONS0318")).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage()).contains("'once'", "UNSUPPORTED");
        });
    }

    @Test
    @Asserts({"once-3", "once-4", "attempt-8"})
    void spentMessagesMakeOneWarningThatNamesTheSubscription() throws Exception {
        try (WeldApplication application = once("consignee.subscriber.once.max-attempts", "1")) {
            send(10, "retry");
            send(10, "after:1");
            await().until(() -> application.bean(Scripted.class).handled().size() == 20);
        }
        assertThat(log.events("CONS0317")).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage()).contains("'once'").doesNotContain("rejected");
        });
    }

    @Test
    @Asserts("failure-8")
    void failuresAreLoggedWithTheSubscription() throws Exception {
        try (WeldApplication application = once()) {
            send(10, "throw");
            tck.client().sendToQueue(QUEUE, Outbound.serialized("no payload"));
            await().until(() -> application.status(QUEUE).decodeFailures() == 1);
            assertThat(application.status(QUEUE).handlerFailures()).isEqualTo(10);
            assertThat(application.status(QUEUE).unsupported()).isZero();
        }
        assertThat(log.messages("CONS0307")).singleElement().asString().contains("'once'");
        assertThat(log.messages("CONS0308")).singleElement().asString().contains("'once'");
        assertThat(log.messages("CONS0318")).isEmpty();
    }

    @Test
    @Asserts("once-6")
    void whatIsNotHandledWithinTheShutdownTimeoutIsCountedAndLogged() throws Exception {
        try (WeldApplication application =
                once("consignee.subscriber.once.credit", "10", "consignee.shutdown-timeout", "300ms")) {
            send(15, "hold");
            await().until(() -> application.bean(Scripted.class).held() == 1 && delivered() == 10);
            application.stopSubscriptions();

            await().until(() ->
                    application.status(QUEUE).state() == SubscriptionState.STOPPED); // its link is slow to end
            SubscriptionStatus status = application.status(QUEUE);
            assertThat(status.unhandled()).isEqualTo(9);
            assertThat(application.bean(Scripted.class).handled()).hasSize(1);
        }
        assertThat(log.events("CONS0322")).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.ERROR);
            assertThat(event.getFormattedMessage()).contains("'once'", "9 deliveries");
        });
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messageCount()).isEqualTo(5));
    }

    @Test
    @Asserts({"once-6", "once-4"})
    void copyOfAHandlerThatEndsAfterTheShutdownTimeoutIsCountedAndLoggedAsLost() throws Exception {
        try (WeldApplication application = once("consignee.shutdown-timeout", "300ms")) {
            send(1, "hold:after:1");
            await().until(() -> application.bean(Scripted.class).held() == 1);
            application.stopSubscriptions();

            await().untilAsserted(() ->
                    assertThat(application.status(QUEUE).lostCopies()).isEqualTo(1));
            assertThat(application.status(QUEUE).waitingCopies()).isZero();
        }
        assertThat(log.messages("CONS0320")).singleElement().asString().contains("'once'");
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messageCount()).isZero());
    }
}

package dev.consignee.tck.weld;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
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
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Copies that wait, as logs and counters tell of them, also after the stop; and how many threads they cost. */
class DelayStopContractTest {

    private static final String QUEUE = "patient";
    private static final String NEVER = "after:3600000"; // within an hour, which no test lasts
    private static final Pattern NEXT_TRY = Pattern.compile("\\(try (\\d+), the next in (\\d+) ms");

    @RegisterExtension
    final Tck tck = new Tck();

    private final FreshThreads threads = new FreshThreads();
    private LogCapture log;

    @BeforeEach
    void capture() {
        log = LogCapture.ofConsignee();
    }

    @AfterEach
    void release() {
        log.close();
    }

    private WeldApplication.Builder patient() {
        WeldApplication.Builder builder = WeldApplication.of(Retrying.class, Call.class, Scripted.class)
                .url(tck.proxy().url());
        Tck.switchedOff().forEach(builder::config);
        return builder.config("consignee.subscriber.patient.enabled", "true");
    }

    private void send(int count, String script) throws Exception {
        tck.client().sendToQueue(QUEUE, count, i -> Outbound.text(script).withCorrelationId("m" + i));
    }

    private static SubscriptionStatus awaitWaiting(WeldApplication application, int copies) {
        return await().until(() -> application.status(QUEUE), status -> status.waitingCopies() == copies);
    }

    /** The threads of the application, without those of its connections. */
    private List<String> ours() {
        return threads.names().stream()
                .filter(name -> name.startsWith("consignee-"))
                .toList();
    }

    private long published() {
        return Collections.frequency(Story.of(QUEUE, tck.proxy().events()), "published");
    }

    @Test
    @Asserts("delay-4")
    void discardedCopiesAreCountedAndLoggedOnce() throws Exception {
        try (WeldApplication application = patient()
                .config("consignee.subscriber.patient.on-stop", "discard")
                .start()
                .awaitAttached()) {
            send(5, NEVER);
            awaitWaiting(application, 5);
            application.stopSubscriptions();

            SubscriptionStatus status = application.status(QUEUE);
            assertThat(status.state()).isEqualTo(SubscriptionState.STOPPED);
            assertThat(status.lostCopies()).isEqualTo(5);
            assertThat(status.waitingCopies()).isZero();
            assertThat(status.copies()).isZero();
        }
        assertThat(published()).isZero();
        assertThat(log.messages("CONS0321")).singleElement().asString().contains("'patient'");
        assertThat(log.messages("CONS0320")).isEmpty();
    }

    @Test
    @Asserts({"delay-4", "delay-6"})
    void copiesThatCannotBePublishedInTimeAreCountedAndLogged() throws Exception {
        try (WeldApplication application =
                patient().config("consignee.shutdown-timeout", "500ms").start().awaitAttached()) {
            send(30, NEVER);
            awaitWaiting(application, 30);
            tck.proxy().refuse(true);
            tck.proxy().cut();
            application.stopSubscriptions();

            assertThat(application.status(QUEUE).lostCopies()).isEqualTo(30);
            assertThat(application.status(QUEUE).waitingCopies()).isZero();
            await().until(() -> ours().isEmpty());
        }
        assertThat(log.events("CONS0320")).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.ERROR);
            assertThat(event.getFormattedMessage()).contains("'patient'", "30 copies");
        });
        assertThat(published()).isZero();
    }

    @Test
    @Asserts({"delay-4", "delay-8"})
    void tenThousandCopiesWaitWithoutAThreadEachAndArePublishedAtTheStop() throws Exception {
        tck.proxy().recording(false);
        send(10_010, NEVER);
        try (WeldApplication application = patient().start().awaitAttached()) {
            awaitWaiting(application, 10_000);
            assertThat(ours())
                    .as("threads for ten thousand copies")
                    .containsExactlyInAnyOrder("consignee-patient", "consignee-timer");
            await().until(() -> !log.messages("CONS0319").isEmpty());
            assertThat(application.status(QUEUE).deliveries())
                    .as("the default of max-waiting-copies")
                    .isEqualTo(10_000);
            application.stopSubscriptions();

            assertThat(application.status(QUEUE).copies()).isEqualTo(10_000);
            assertThat(application.status(QUEUE).lostCopies()).isZero();
        }
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messageCount()).isEqualTo(10_010));
        await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(10_000));
        assertThat(log.messages("CONS0319")).singleElement().asString().contains("'patient'");
        assertThat(log.messages("CONS0320")).isEmpty();
    }

    @Test
    @Asserts("delay-6")
    void copyThatIsDueIsTriedAgainWithBackOff() throws Exception {
        try (WeldApplication application = patient().start().awaitAttached()) {
            tck.proxy().refuse(true); // its link lives on, the connection for copies is not there yet
            send(1, "after:1,ack");
            await().until(() -> log.events("CONS0315").size() >= 5);
            assertThat(application.status(QUEUE).waitingCopies()).isEqualTo(1);
            tck.proxy().refuse(false);
            await().until(() -> application.status(QUEUE).accepted() == 1);
            assertThat(application.status(QUEUE).copies()).isEqualTo(1);
        }
        List<ILoggingEvent> tries = log.events("CONS0315");
        for (int i = 0; i + 1 < tries.size(); i++) {
            Matcher text = NEXT_TRY.matcher(tries.get(i).getFormattedMessage());
            assertThat(text.find()).as(tries.get(i).getFormattedMessage()).isTrue();
            assertThat(Integer.parseInt(text.group(1))).isEqualTo(i + 1);
            long wait = Long.parseLong(text.group(2));
            assertThat(wait)
                    .isBetween(Math.min(16L << i, 160L), 240L); // 20 ms, doubled up to 200, give or take a fifth
            assertThat(tries.get(i + 1).getTimeStamp() - tries.get(i).getTimeStamp())
                    .as("a wait before try " + (i + 2))
                    .isGreaterThanOrEqualTo(wait - 1);
        }
    }

    @Test
    @Asserts("delay-5")
    void delayThatTheBrokerDoesNotOfferIsAnErrorThatSaysSo() throws Exception {
        tck.proxy().withhold("DELAYED_DELIVERY");
        send(1, "after:1,ack");
        try (WeldApplication application = patient()
                .config("consignee.subscriber.patient.delayed-retry", "broker")
                .start()) {
            await().until(() -> log.events("CONS0314").size() >= 2);
            assertThat(log.events("CONS0314"))
                    .extracting(ILoggingEvent::getLevel)
                    .containsOnly(Level.ERROR);
            assertThat(log.messages("CONS0314").get(0))
                    .contains("'patient'", "delayed-retry is 'broker'", "does not offer delayed delivery");
            assertThat(application.status(QUEUE).state()).isEqualTo(SubscriptionState.CONNECTING);
            assertThat(application.status(QUEUE).attached()).isZero();
            assertThat(tck.broker().queue(QUEUE).consumerCount()).isZero();

            tck.proxy().withhold("");
            tck.proxy().cut();
            await().until(() -> application.status(QUEUE).accepted() == 2);
        }
    }
}

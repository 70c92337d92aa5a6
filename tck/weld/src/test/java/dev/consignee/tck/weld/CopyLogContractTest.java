package dev.consignee.tck.weld;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.EmbeddedArtemis.WhenFull;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Tck;
import dev.consignee.tck.TckApplication;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is logged of copies, dead letters, and messages that have had their attempts. */
class CopyLogContractTest {

    @RegisterExtension
    final Tck tck = new Tck();

    private static void assertOneWarning(LogCapture log, String id, String... parts) {
        assertThat(log.events(id))
                .singleElement()
                .extracting(ILoggingEvent::getLevel)
                .isEqualTo(Level.WARN);
        assertThat(log.messages(id).get(0)).contains(parts);
    }

    @Test
    @Asserts("attempt-8")
    void messagesThatHaveHadTheirAttemptsAreToldInOneWarningThatNamesTheSubscription() throws Exception {
        try (LogCapture log = LogCapture.ofConsignee();
                TckApplication application = tck.deployWith(
                        List.of("capped", "mortal", "patient"),
                        "max-attempts",
                        "2",
                        "consignee.subscriber.patient.max-attempts",
                        "1",
                        "consignee.subscriber.mortal.max-attempts",
                        "1")) {
            tck.client().sendToQueue("capped", 3, i -> Outbound.text("retry"));
            await().until(() -> application.subscription("capped").rejected() == 3);
            assertOneWarning(log, "CONS0317", "subscription 'capped'", "rejected");

            tck.client().sendToQueue("patient", Outbound.text("retry"));
            await().until(() -> application.subscription("patient").rejected() == 1);
            assertThat(log.messages("CONS0317")).as("each names its own").hasSize(2);
            assertThat(log.messages("CONS0317").get(1)).contains("subscription 'patient'");

            tck.client().sendToQueue("mortal", Outbound.text("retry"));
            await().until(() -> application.subscription("mortal").deadLetters() == 1);
            assertThat(log.messages("CONS0317")).as("none for a dead letter").hasSize(2);
        }
    }

    @Test
    @Asserts("attempt-3")
    void retryCountThatIsNoneIsToldOnceAndByItsTypeAlone() throws Exception {
        try (LogCapture log = LogCapture.ofConsignee();
                TckApplication application = tck.deployWith(List.of("patient"))) {
            for (Object count : List.of("seven", -1, 7.5, true)) {
                tck.client()
                        .sendToQueue("patient", Outbound.text("ack").withProperty("x-ruststream-retry-count", count));
            }
            for (Object count : List.of("7", 0, 7L)) {
                tck.client()
                        .sendToQueue("patient", Outbound.text("ack").withProperty("x-ruststream-retry-count", count));
            }
            await().until(() -> application.subscription("patient").accepted() == 7);
            assertOneWarning(
                    log, "CONS0323", "subscription 'patient'", "x-ruststream-retry-count", "String", "counts as zero");
            assertThat(log.messages("CONS0323").get(0)).doesNotContain("seven");
        }
    }

    @Test
    @Asserts("attempt-11")
    void brokerThatTakesNoDeadLettersIsToldOnceWithItsReason() throws Exception {
        try (LogCapture log = LogCapture.ofConsignee();
                TckApplication application =
                        tck.deployWith(List.of("mortal"), "max-attempts", "1", "consignee.send-timeout", "100ms")) {
            tck.broker().limit("mortal.dead", 1, WhenFull.FAIL);
            tck.client().sendToQueue("mortal.dead", Outbound.text("in the way"));
            tck.client().sendToQueue("mortal", 5, i -> Outbound.text("retry"));
            await().until(() -> application.handled().size() == 5);
            await().until(() -> !log.messages("CONS0316").isEmpty());
            tck.broker().limit("mortal.dead", 100, WhenFull.FAIL);
            await().until(() -> application.subscription("mortal").deadLetters() == 5);
            assertOneWarning(
                    log, "CONS0316", "subscription 'mortal'", "queue 'mortal.dead'", "full", "resource-limit-exceeded");
        }
    }
}

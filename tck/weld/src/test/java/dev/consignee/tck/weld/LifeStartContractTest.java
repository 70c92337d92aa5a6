package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.consignee.Subscriber;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.app.Call;
import dev.consignee.tck.app.Scripted;
import dev.consignee.tck.app.Worker;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A broker that is not there, or not for us, when the application starts. */
class LifeStartContractTest {

    private static final Duration PROMPT = Duration.ofSeconds(8);
    private static final Pattern STEP = Pattern.compile("try (\\d+), the next in (\\d+) ms");

    /** One line of the log about a try to connect. */
    private record Step(int number, Duration next, Instant at) {}

    private static List<Step> steps(LogCapture log) {
        return log.events("CONS0301").stream().map(LifeStartContractTest::step).toList();
    }

    private static Step step(ILoggingEvent event) {
        Matcher matcher = STEP.matcher(event.getFormattedMessage());
        assertThat(matcher.find()).as(event.getFormattedMessage()).isTrue();
        return new Step(
                Integer.parseInt(matcher.group(1)),
                Duration.ofMillis(Long.parseLong(matcher.group(2))),
                event.getInstant());
    }

    /** A broker that is stopped, so that its port refuses. */
    private static EmbeddedArtemis down() {
        EmbeddedArtemis broker = EmbeddedArtemis.withDefaults();
        broker.stop();
        return broker;
    }

    @Test
    @Asserts("life-2")
    void applicationStartsWithoutABrokerAndConsumesOnceThereIsOne() throws Exception {
        try (EmbeddedArtemis broker = down()) {
            Instant before = Instant.now();
            try (WeldApplication application = WeldApplication.of(Worker.class, Scripted.class, Call.class)
                    .url(broker.url())
                    .start()) {
                assertThat(Duration.between(before, Instant.now())).isLessThan(PROMPT);
                await().until(() -> application.status("work").state() == SubscriptionState.CONNECTING);
                assertThat(application.status("work").attached()).isZero();

                broker.start();
                application.awaitAttached();
                assertThat(application.status("work").attached()).isEqualTo(1);
                try (AmqpClient client = new AmqpClient(broker.url())) {
                    client.sendToQueue("work", Outbound.text("ack"));
                }
                await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
            }
        }
    }

    @Test
    @Asserts("life-2")
    void startDoesNotWaitForABrokerThatDoesNotAnswer() throws Exception {
        try (EmbeddedArtemis broker = EmbeddedArtemis.withDefaults();
                FrameProxy proxy = FrameProxy.to(broker.port())) {
            proxy.blackhole(true);
            Instant before = Instant.now();
            try (WeldApplication application = WeldApplication.of(Worker.class, Scripted.class, Call.class)
                    .url(proxy.url())
                    .start()) {
                assertThat(Duration.between(before, Instant.now())).isLessThan(PROMPT);
                await().until(() -> proxy.connectionCount() == 1);
                assertThat(application.status("work").state()).isEqualTo(SubscriptionState.CONNECTING);

                proxy.blackhole(false);
                application.awaitAttached();
            }
        }
    }

    @Test
    @Asserts("life-2")
    void connectionThatIsNotAnsweredInTimeIsTriedAgain() throws Exception {
        try (EmbeddedArtemis broker = EmbeddedArtemis.withDefaults();
                FrameProxy proxy = FrameProxy.to(broker.port());
                LogCapture log = LogCapture.ofConsignee()) {
            proxy.blackhole(true);
            try (WeldApplication application = WeldApplication.of(Worker.class, Scripted.class, Call.class)
                    .url(proxy.url())
                    .config("consignee.connect-timeout", "300ms")
                    .start()) {
                await().until(() -> steps(log).size() >= 2);

                proxy.blackhole(false);
                application.awaitAttached();
                await().untilAsserted(() -> assertThat(proxy.connectionCount())
                        .as("connections left")
                        .isEqualTo(1));
            }
        }
    }

    @Test
    @Asserts("life-2")
    void eachStepOfTheBackOffIsLoggedOnceAndKept() {
        try (EmbeddedArtemis broker = down();
                LogCapture log = LogCapture.ofConsignee();
                WeldApplication application =
                        WeldApplication.of(Two.class).url(broker.url()).start()) {
            await().until(() -> steps(log).size() >= 8);
            List<Step> steps = steps(log).subList(0, 8);

            assertThat(steps).extracting(Step::number).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
            for (int i = 0; i < steps.size(); i++) {
                double expected = Math.min(20 * Math.pow(2, i), 200);
                assertThat(steps.get(i).next().toMillis())
                        .as("delay %d", i + 1)
                        .isBetween((long) (expected * 0.8) - 1, Math.min(200, (long) (expected * 1.2) + 1));
            }
            for (int i = 1; i < steps.size(); i++) {
                assertThat(Duration.between(steps.get(i - 1).at(), steps.get(i).at())
                                .toMillis())
                        .as("from try %d to the next", i)
                        .isGreaterThanOrEqualTo(steps.get(i - 1).next().toMillis() - 2);
            }
            assertThat(application.status("one").state()).isEqualTo(SubscriptionState.CONNECTING);
            assertThat(application.status("two").state()).isEqualTo(SubscriptionState.CONNECTING);
        }
    }

    @Test
    @Asserts("life-2")
    void wrongCredentialsAreTriedAgainUntilTheyAreRight() throws Exception {
        try (EmbeddedArtemis stranger =
                        EmbeddedArtemis.builder().user("carl", "another").start();
                EmbeddedArtemis broker =
                        EmbeddedArtemis.builder().user("carl", "swordfish-9").start();
                FrameProxy proxy = FrameProxy.to(stranger.port());
                LogCapture log = LogCapture.ofEverything();
                WeldApplication application = WeldApplication.of(Worker.class, Scripted.class, Call.class)
                        .url(proxy.url())
                        .config("consignee.username", "carl")
                        .config("consignee.password", "swordfish-9")
                        .start()) {
            await().until(() -> steps(log).size() >= 3);
            assertThat(application.status("work").state()).isEqualTo(SubscriptionState.CONNECTING);
            assertThat(log.messages("CONS0301")).allMatch(line -> line.contains("the unnamed broker"));

            proxy.retarget(broker.port());
            application.awaitAttached();
            try (AmqpClient client = new AmqpClient(broker.url(), "carl", "swordfish-9")) {
                client.sendToQueue("work", Outbound.text("ack"));
            }
            await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
            application.stopSubscriptions();

            assertThat(log.lines()).hasSizeGreaterThan(20).noneMatch(line -> line.contains("swordfish-9"));
        }
    }

    @Test
    @Asserts("life-2")
    void credentialsInTheUrlAreUsedAndNeverLogged() throws Exception {
        try (EmbeddedArtemis broker =
                        EmbeddedArtemis.builder().user("carl", "sword fish").start();
                LogCapture log = LogCapture.ofEverything()) {
            broker.stop();
            try (WeldApplication application = WeldApplication.of(Worker.class, Scripted.class, Call.class)
                    .url("amqp://carl:sword%20fish@127.0.0.1:" + broker.port())
                    .start()) {
                await().until(() -> steps(log).size() >= 2);
                broker.start();
                application.awaitAttached();
                application.stopSubscriptions();
            }
            assertThat(log.lines())
                    .hasSizeGreaterThan(20)
                    .noneMatch(line -> line.contains("sword fish"))
                    .noneMatch(line -> line.contains("sword%20fish"))
                    .noneMatch(line -> line.contains("sword+fish"));
        }
    }

    /** Two subscribers that share a connection. */
    @ApplicationScoped
    static class Two {

        @Subscriber(queue = "one")
        void one(String payload) {}

        @Subscriber(queue = "two")
        void two(String payload) {}
    }
}

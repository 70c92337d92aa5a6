package dev.consignee.tck.weld;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.ChildJvm;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Story;
import dev.consignee.tck.Tck;
import dev.consignee.tck.app.Call;
import dev.consignee.tck.app.Handled;
import dev.consignee.tck.app.Retrying;
import dev.consignee.tck.app.Scripted;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker for which {@code rejected} is not the end of a message, found out at run time. */
class DelayBrokerJContractTest {

    private static ChildJvm broker;
    private static int port;

    private FrameProxy proxy;

    @BeforeAll
    static void startBroker() {
        broker = ChildJvm.start("broker-j", BrokerJ.class.getName(), Map.of()).await(line -> line.startsWith("READY "));
        port = broker.lines().stream()
                .filter(line -> line.startsWith("READY "))
                .mapToInt(line -> Integer.parseInt(line.substring("READY ".length())))
                .findFirst()
                .orElseThrow();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void open() {
        proxy = FrameProxy.to(port);
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    private WeldApplication patient(String queue, String key, String value) {
        WeldApplication.Builder builder =
                WeldApplication.of(Retrying.class, Call.class, Scripted.class).url(proxy.url());
        Tck.switchedOff().forEach(builder::config);
        return builder.config("consignee.subscriber.patient.enabled", "true")
                .config("consignee.subscriber.patient.queue", queue)
                .config("consignee.subscriber.patient." + key, value)
                .start();
    }

    @Test
    @Asserts("delay-9")
    void delayInTheProcessIsRefusedWhereRejectedMessagesAreDeliveredAgain() throws Exception {
        try (LogCapture log = LogCapture.ofConsignee();
                WeldApplication application = patient("refused", "delayed-retry", "in-process")) {
            await().until(() -> log.events("CONS0314").size() >= 2);
            assertThat(log.events("CONS0314").get(0).getLevel()).isEqualTo(Level.ERROR);
            assertThat(log.messages("CONS0314").get(0)).contains("'patient'", "Broker-J", "hold", "broker");
            assertThat(application.status("patient").state()).isEqualTo(SubscriptionState.CONNECTING);
            assertThat(Story.of("refused", proxy.events())).isEmpty();
        }
    }

    @Test
    @Asserts({"delay-9", "delay-7"})
    void heldRetryWorksThere() throws Exception {
        try (WeldApplication application = patient("held", "delayed-retry", "hold");
                AmqpClient client = new AmqpClient("amqp://127.0.0.1:" + port)) {
            application.awaitAttached();
            client.sendToQueue(
                    "held",
                    Outbound.text("after:200,ack").withCorrelationId("1").notDurable());
            await().until(() -> application.status("patient").accepted() == 1);
            assertThat(Story.of("held", proxy.events()))
                    .containsExactly("delivered", "modified", "delivered", "accepted");
            assertThat(application.bean(Scripted.class).handled())
                    .extracting(Handled::attempt)
                    .containsExactly(1, 2);
        }
    }

    @Test
    @Asserts("delay-9")
    void atMostOnceNothingIsRejectedSoThatTheDelayInTheProcessWorks() throws Exception {
        try (WeldApplication application = patient("settled", "settle", "at-most-once");
                AmqpClient client = new AmqpClient("amqp://127.0.0.1:" + port)) {
            application.awaitAttached();
            client.sendToQueue(
                    "settled",
                    Outbound.text("after:50,ack").withCorrelationId("1").notDurable());
            await().until(() -> application.bean(Scripted.class).handled().size() == 2);
            await().until(() -> application.status("patient").copies() == 1);
        }
    }
}

package dev.consignee.tck.weld;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.ChildJvm;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Story;
import dev.consignee.tck.Tck;
import dev.consignee.tck.WireMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a message that is to come back later, when the process that should see to it is killed. */
class DelayCrashContractTest {

    private static final String QUEUE = "patient";

    @RegisterExtension
    final Tck tck = new Tck();

    private ChildJvm child(String delayedRetry) {
        Map<String, String> properties = new HashMap<>(Tck.switchedOff());
        properties.put("consignee.url", tck.proxy().url());
        properties.put("consignee.shutdown-timeout", "20s");
        properties.put("consignee.subscriber.patient.enabled", "true");
        properties.put("consignee.subscriber.patient.delayed-retry", delayedRetry);
        return ChildJvm.start(delayedRetry, ChildMain.class.getName(), properties)
                .await("READY"::equals);
    }

    private void send(String script) throws Exception {
        tck.client().sendToQueue(QUEUE, Outbound.text(script).withCorrelationId("1"));
    }

    private List<String> story() {
        return Story.of(QUEUE, tck.proxy().events());
    }

    private void kill(ChildJvm child) {
        child.kill();
        await().until(() -> tck.broker().queue(QUEUE).consumerCount() == 0);
        await().until(() -> tck.proxy().connectionCount() == 0);
    }

    @Test
    @Asserts("delay-3")
    void copyThatWaitsInTheProcessIsLostWithIt() throws Exception {
        try (ChildJvm child = child("in-process")) {
            send("after:3600000");
            await().until(() -> tck.broker().deadLetters() == 1);
            kill(child);
        }
        assertThat(story()).containsExactly("delivered", "rejected");
        assertThat(tck.broker().queue(QUEUE).messageCount()).isZero();
        assertThat(tck.broker().messages("DLQ"))
                .as("what is left is the rejected original")
                .extracting(WireMessage::text)
                .containsExactly("after:3600000");
    }

    @Test
    @Asserts("delay-5")
    void copyThatWaitsWithTheBrokerOutlivesTheProcess() throws Exception {
        try (ChildJvm first = child("broker")) {
            send("after:2500,ack");
            await().until(() -> tck.broker().queue(QUEUE).scheduledCount() == 1
                    && tck.broker().queue(QUEUE).messagesAcknowledged() == 1);
            kill(first);
        }
        assertThat(story()).containsExactly("delivered", "published", "confirmed", "accepted");
        assertThat(tck.broker().deadLetters()).isZero();

        try (ChildJvm second = child("broker")) {
            second.await("HANDLED after:2500,ack 2"::equals);
            assertThat(tck.broker().deadLetters()).isZero();
        }
    }

    @Test
    @Asserts("delay-7")
    void deliveryThatIsHeldComesBackWhenTheProcessIsGone() throws Exception {
        try (ChildJvm child = child("hold")) {
            send("after:3600000");
            child.await("HANDLED after:3600000 1"::equals);
            kill(child);
        }
        assertThat(story()).containsExactly("delivered");
        await().until(() -> tck.broker().queue(QUEUE).messageCount() == 1);
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).deliveringCount()).isZero());
        assertThat(tck.broker().deadLetters()).isZero();
    }
}

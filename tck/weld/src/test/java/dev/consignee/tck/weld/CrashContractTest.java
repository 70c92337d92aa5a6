package dev.consignee.tck.weld;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.ChildJvm;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Tck;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of deliveries when the whole process goes: killed, and asked to end. */
class CrashContractTest {

    @RegisterExtension
    final Tck tck = new Tck();

    private ChildJvm child(String name) {
        Map<String, String> properties = new HashMap<>(Tck.switchedOff());
        properties.put("consignee.url", tck.proxy().url());
        properties.put("consignee.shutdown-timeout", "20s");
        return ChildJvm.start(name, ChildMain.class.getName(), properties);
    }

    @Test
    @Asserts("settle-7")
    void killedProcessSettlesNothingAndItsDeliveriesComeBack() throws Exception {
        tck.client().sendToQueue("work", 5, i -> Outbound.text("hold," + i + "-ack"));
        try (ChildJvm first = child("first").await("READY"::equals)) {
            first.await(line -> line.startsWith("HANDLED hold,"));
            await().until(() -> tck.broker().unsettled("work") == 5);
            first.kill();
            assertThat(first.isAlive()).isFalse();
        }
        await().until(() -> tck.broker().unsettled("work") == 0);
        assertThat(tck.proxy().dispositionsOf("work")).isEmpty();
        await().untilAsserted(() ->
                assertThat(tck.broker().queue("work").messageCount()).isEqualTo(5));

        try (ChildJvm second = child("second").await("READY"::equals)) {
            second.tell("let go");
            await().until(() -> tck.broker().queue("work").messageCount() == 0);
            assertThat(tck.proxy().dispositionsOf("work")).hasSize(5);
        }
    }

    @Test
    @Asserts("life-4")
    void processThatIsAskedToEndLetsItsHandlerFinishAndSettle() throws Exception {
        tck.client().sendToQueue("work", Outbound.text("hold"), Outbound.text("second"));
        try (ChildJvm child = child("child").await("READY"::equals)) {
            child.await("HANDLED hold 1"::equals);
            Thread letGo = new Thread(() -> {
                // Once its credit is withdrawn, the stop has begun, and the second message is back on the queue.
                await().until(() -> tck.broker().unsettled("work") == 1);
                child.tell("let go");
            });
            letGo.start();
            assertThat(child.stop())
                    .as("exit value of a JVM that SIGTERM ended")
                    .isEqualTo(143);
            letGo.join();
            assertThat(child.lines()).noneMatch(line -> line.contains("CONS0311"));
        }
        await().until(() -> tck.broker().queue("work").messageCount() == 1);
        await().untilAsserted(() ->
                assertThat(tck.broker().queue("work").messagesAcknowledged()).isEqualTo(1));
    }
}

package dev.consignee.tck.weld;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.ChildJvm;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Story;
import dev.consignee.tck.Tck;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of deliveries that arrived settled when the process is killed: nothing. */
class OnceCrashContractTest {

    @RegisterExtension
    final Tck tck = new Tck();

    @Test
    @Asserts({"once-5", "once-1"})
    void killedProcessLosesWhatArrivedAndNothingElse() throws Exception {
        Map<String, String> properties = new HashMap<>(Tck.switchedOff());
        properties.put("consignee.url", tck.proxy().url());
        properties.put("consignee.subscriber.once.enabled", "true");
        properties.put("consignee.subscriber.once.credit", "3");
        tck.client().sendToQueue("once", 5, i -> Outbound.text("hold," + i + "-ack"));
        try (ChildJvm child =
                ChildJvm.start("once", ChildMain.class.getName(), properties).await("READY"::equals)) {
            child.await(line -> line.startsWith("HANDLED hold,"));
            await().until(() -> Story.of("once", tck.proxy().events()).size() == 3);
            child.kill();
        }
        await().until(() -> tck.broker().queue("once").consumerCount() == 0);
        assertThat(Story.of("once", tck.proxy().events())).containsExactly("delivered", "delivered", "delivered");
        await().untilAsserted(() ->
                assertThat(tck.broker().queue("once").messageCount()).isEqualTo(2));
        assertThat(tck.broker().messages("once"))
                .extracting(each -> each.text())
                .containsExactlyElementsOf(
                        Stream.of(3, 4).map(i -> "hold," + i + "-ack").toList());
        assertThat(tck.broker().deadLetters()).isZero();
        assertThat(tck.broker().unsettled("once")).isZero();
    }
}

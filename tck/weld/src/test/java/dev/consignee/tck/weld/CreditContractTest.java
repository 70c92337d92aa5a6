package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import java.time.Duration;
import java.util.List;
import org.jboss.weld.exceptions.DeploymentException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many deliveries the broker may have handed over that are not settled. */
class CreditContractTest {

    private EmbeddedArtemis broker;
    private FrameProxy proxy;
    private AmqpClient client;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("work");
        proxy = FrameProxy.to(broker.port());
        client = new AmqpClient(broker.url());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        proxy.close();
        broker.close();
    }

    private WeldApplication worker(int credit) {
        return WeldApplication.of(Worker.class, Scripted.class)
                .url(proxy.url())
                .config("consignee.subscriber.work.credit", String.valueOf(credit))
                .start();
    }

    /** The broker counts what it has handed over, and it is as much as the credit, no more. */
    private void awaitAllCreditUsed(int credit) {
        await().atMost(Duration.ofSeconds(20)).until(() -> broker.unsettled("work") == credit);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 256})
    @Asserts({"credit-1", "credit-4"})
    void handlerThatNeverReturnsHoldsTheBrokerAtTheCreditAlsoAfterTheConnectionWasCut(int credit) throws Exception {
        client.sendToQueue("work", credit * 2 + 10, i -> Outbound.text("hold"));
        try (WeldApplication application = worker(credit)) {
            Scripted scripted = application.bean(Scripted.class);
            await().until(() -> scripted.held() == 1);
            awaitAllCreditUsed(credit);
            assertThat(broker.maxUnsettled("work")).isEqualTo(credit);

            proxy.cut();
            await().until(() -> broker.unsettled("work") == 0);
            broker.resetMaxUnsettled("work");
            // The old link's delivery has kept the handler; now a delivery of the new link keeps it.
            scripted.letOneGo();
            await().until(() -> scripted.held() == 2);
            awaitAllCreditUsed(credit);
            assertThat(broker.maxUnsettled("work")).isEqualTo(credit);

            scripted.letGo();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> broker.queue("work").messageCount() == 0);
            assertThat(application.status("work").linkLost()).isEqualTo(1);
            assertThat(proxy.maxUnsettled("work").unsettledAndCredit()).isEqualTo(credit);
            assertThat(proxy.maxUnsettled("work").unsettled()).isEqualTo(credit);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 256})
    @Asserts("credit-1")
    void creditAndUnsettledNeverExceedTheCreditUnderLoad(int credit) throws Exception {
        int messages = credit == 1 ? 500 : 3000;
        String[] scripts = {"ack", "retry,ack", "throw,ack", "drop"};
        client.sendToQueue("work", messages, i -> Outbound.text(scripts[i % scripts.length]));
        try (WeldApplication application = worker(credit)) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> broker.queue("work").messageCount() == 0);
            assertThat(proxy.maxUnsettled("work").unsettledAndCredit()).isLessThanOrEqualTo(credit);
            await().until(() -> application.status("work").accepted() == messages * 3L / 4);
            assertThat(application.status("work").rejected()).isEqualTo(messages / 4);
        }
    }

    @Test
    @Asserts("credit-2")
    void defaultCreditIs256() {
        try (WeldApplication application = WeldApplication.of(Worker.class, Scripted.class)
                .url(proxy.url())
                .start()) {
            application.awaitAttached();
            await().until(() -> !flows().isEmpty());
            assertThat(flows()).extracting(LinkEvent.Flowed::credit).containsExactly(256L);
        }
    }

    @Test
    @Asserts("credit-3")
    void creditIsGrantedInStepsUpToTheFullCredit() throws Exception {
        client.sendToQueue("work", 2000, i -> Outbound.text("ack"));
        try (WeldApplication application = worker(100)) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> application.status("work").accepted() == 2000);
            await().until(() -> broker.queue("work").messageCount() == 0);
            List<LinkEvent.Flowed> flows = flows();
            assertThat(flows.size()).as("flows for 2000 messages").isBetween(10, 70);
            assertThat(flows)
                    .allSatisfy(flow -> assertThat(flow.unsettled() + flow.outstanding())
                            .as("a grant goes up to the full credit")
                            .isEqualTo(100));
        }
    }

    @Test
    @Asserts("credit-4")
    void whatIsNotGrantedStaysOnTheQueueForOtherReplicas() throws Exception {
        client.sendToQueue("work", 30, i -> Outbound.text("hold"));
        try (WeldApplication slow = worker(10)) {
            await().until(() -> slow.bean(Scripted.class).held() == 1);
            awaitAllCreditUsed(10);
            try (WeldApplication replica = worker(10)) {
                replica.bean(Scripted.class).letGo();
                await().until(() -> replica.status("work").accepted() == 20);
                slow.bean(Scripted.class).letGo();
                await().until(() -> slow.status("work").accepted() == 10);
            }
        }
        assertThat(broker.queue("work").messageCount()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 32768})
    @Asserts("credit-5")
    void creditThatIsNoneDoesNotDeploy(int credit) {
        assertThatThrownBy(() -> worker(credit).close())
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("CONS0104")
                .hasMessageContaining("consignee.subscriber.work.credit=" + credit)
                .hasMessageContaining("1 to 32767");
    }

    private List<LinkEvent.Flowed> flows() {
        return proxy.events(LinkEvent.Flowed.class).stream()
                .filter(each -> each.receivingFrom("work"))
                .filter(each -> !each.drain())
                .filter(each -> each.direction() == Direction.CLIENT_TO_BROKER)
                .toList();
    }
}

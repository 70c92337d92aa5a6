package dev.consignee.tck.contract;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Tck;
import dev.consignee.tck.TckApplication;
import dev.consignee.tck.TckTarget.DeploymentRefused;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many deliveries the broker may have handed over that are not settled. */
class CreditContractTest {

    @RegisterExtension
    final Tck tck = new Tck();

    private TckApplication worker(int credit) {
        return tck.deploy("consignee.subscriber.work.credit", String.valueOf(credit));
    }

    /** The broker counts what it has handed over, and it is as much as the credit, no more. */
    private void awaitAllCreditUsed(int credit) {
        await().until(() -> tck.broker().unsettled("work") == credit);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 256})
    @Asserts({"credit-1", "credit-4"})
    void handlerThatNeverReturnsHoldsTheBrokerAtTheCreditAlsoAfterTheConnectionWasCut(int credit) throws Exception {
        tck.client().sendToQueue("work", credit * 2 + 10, i -> Outbound.text("hold"));
        try (TckApplication application = worker(credit)) {
            await().until(() -> application.held() == 1);
            awaitAllCreditUsed(credit);
            assertThat(tck.broker().maxUnsettled("work")).isEqualTo(credit);

            tck.proxy().cut();
            await().until(() -> tck.broker().unsettled("work") == 0);
            tck.broker().resetMaxUnsettled("work");
            // The old link's delivery has kept the handler; now a delivery of the new link keeps it.
            application.letOneGo();
            await().until(() -> application.held() == 2);
            awaitAllCreditUsed(credit);
            assertThat(tck.broker().maxUnsettled("work")).isEqualTo(credit);

            application.letGo();
            await().until(() -> tck.broker().queue("work").messageCount() == 0);
            assertThat(application.subscription("work").linkLost()).isEqualTo(1);
            assertThat(tck.proxy().maxUnsettled("work").unsettledAndCredit()).isEqualTo(credit);
            assertThat(tck.proxy().maxUnsettled("work").unsettled()).isEqualTo(credit);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 256})
    @Asserts("credit-1")
    void creditAndUnsettledNeverExceedTheCreditUnderLoad(int credit) throws Exception {
        int messages = credit == 1 ? 500 : 3000;
        String[] scripts = {"ack", "retry,ack", "throw,ack", "drop"};
        tck.client().sendToQueue("work", messages, i -> Outbound.text(scripts[i % scripts.length]));
        try (TckApplication application = worker(credit)) {
            await().until(() -> tck.broker().queue("work").messageCount() == 0);
            assertThat(tck.proxy().maxUnsettled("work").unsettledAndCredit()).isLessThanOrEqualTo(credit);
            await().until(() -> application.subscription("work").accepted() == messages * 3L / 4);
            assertThat(application.subscription("work").rejected()).isEqualTo(messages / 4);
        }
    }

    @Test
    @Asserts("credit-2")
    void defaultCreditIs256() {
        try (TckApplication application = tck.deploy()) {
            await().until(() -> application.subscription("work").state().equals("ATTACHED"));
            await().until(() -> !flows().isEmpty());
            assertThat(flows()).extracting(LinkEvent.Flowed::credit).containsExactly(256L);
        }
    }

    @Test
    @Asserts("credit-3")
    void creditIsGrantedInStepsUpToTheFullCredit() throws Exception {
        tck.client().sendToQueue("work", 2000, i -> Outbound.text("ack"));
        try (TckApplication application = worker(100)) {
            await().until(() -> application.subscription("work").accepted() == 2000);
            await().until(() -> tck.broker().queue("work").messageCount() == 0);
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
        tck.client().sendToQueue("work", 30, i -> Outbound.text("hold"));
        try (TckApplication slow = worker(10)) {
            await().until(() -> slow.held() == 1);
            awaitAllCreditUsed(10);
            try (TckApplication replica = worker(10)) {
                replica.letGo();
                await().until(() -> replica.subscription("work").accepted() == 20);
                slow.letGo();
                await().until(() -> slow.subscription("work").accepted() == 10);
            }
        }
        await().untilAsserted(() ->
                assertThat(tck.broker().queue("work").messageCount()).isZero());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 32768})
    @Asserts("credit-5")
    void creditThatIsNoneDoesNotDeploy(int credit) {
        assertThatThrownBy(() -> worker(credit).close())
                .isInstanceOf(DeploymentRefused.class)
                .hasMessageContaining("CONS0104")
                .hasMessageContaining("consignee.subscriber.work.credit=" + credit)
                .hasMessageContaining("1 to 32767");
    }

    private List<LinkEvent.Flowed> flows() {
        return tck.proxy().events(LinkEvent.Flowed.class).stream()
                .filter(each -> each.receivingFrom("work"))
                .filter(each -> !each.drain())
                .filter(each -> each.direction() == Direction.CLIENT_TO_BROKER)
                .toList();
    }
}

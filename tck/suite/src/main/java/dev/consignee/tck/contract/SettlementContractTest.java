package dev.consignee.tck.contract;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Tck;
import dev.consignee.tck.TckApplication;
import dev.consignee.tck.WireMessage;
import java.util.List;
import java.util.OptionalInt;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What each outcome is on the wire, and what becomes of a delivery without one. */
class SettlementContractTest {

    @RegisterExtension
    final Tck tck = new Tck();

    private DeliveryState onlyDisposition() {
        await().until(() -> tck.proxy().dispositionsOf("work").size(), size -> size >= 1);
        assertThat(tck.proxy().dispositionsOf("work")).hasSize(1);
        return tck.proxy().dispositionsOf("work").get(0);
    }

    @Test
    @Asserts("settle-1")
    void transfersAreUnsettledAndTheDispositionSettlesThem() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("work", Outbound.text("ack"));
            onlyDisposition();
            await().until(() -> application.subscription("work").accepted() == 1);
            assertThat(tck.proxy().dispositions(Direction.CLIENT_TO_BROKER)).allMatch(each -> each.settled());
            assertThat(tck.proxy().events(LinkEvent.Transferred.class))
                    .filteredOn(each -> each.receivingFrom("work"))
                    .hasSize(1)
                    .noneMatch(each -> each.settled());
        }
    }

    @Test
    @Asserts({"settle-2", "settle-3"})
    void ackIsAcceptedOnceAndTheMessageLeavesTheQueue() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("work", Outbound.text("ack"));
            assertThat(onlyDisposition()).isInstanceOf(Accepted.class);
            await().until(() -> tck.broker().queue("work").messageCount() == 0);
            await().untilAsserted(() -> assertThat(tck.broker().queue("work").messagesAcknowledged())
                    .isEqualTo(1));
            assertThat(application.subscription("work").accepted()).isEqualTo(1);
        }
        assertThat(tck.proxy().dispositionsOf("work")).as("after the stop").hasSize(1);
    }

    @Test
    @Asserts("settle-2")
    void deliveryStaysUnsettledWhileItsHandlerRuns() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("work", Outbound.text("hold"));
            await().until(() -> application.held() == 1);
            assertThat(tck.proxy().dispositionsOf("work")).isEmpty();
            await().untilAsserted(
                            () -> assertThat(tck.broker().unsettled("work")).isEqualTo(1));
            application.letGo();
            assertThat(onlyDisposition()).isInstanceOf(Accepted.class);
        }
    }

    @Test
    @Asserts("settle-4")
    void retryIsModifiedWithDeliveryFailedAndHere() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("work", Outbound.text("retry,ack"));
            await().until(() -> tck.proxy().dispositionsOf("work").size() == 2);
            assertThat(tck.proxy().dispositionsOf("work").get(0)).isInstanceOfSatisfying(Modified.class, modified -> {
                assertThat(modified.getDeliveryFailed()).isTrue();
                assertThat(modified.getUndeliverableHere()).isNotEqualTo(true);
            });
            assertThat(tck.proxy().dispositionsOf("work").get(1)).isInstanceOf(Accepted.class);
            assertThat(application.handled()).extracting(each -> each.attempt()).containsExactly(1, 2);
        }
    }

    @Test
    @Asserts("settle-4")
    void brokerCountsEachRetryUntilItGivesUp() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("work", Outbound.text("retry"));
            await().until(() -> tck.broker().deadLetters() == 1);
            assertThat(application.handled()).hasSize(10);
            assertThat(tck.proxy().dispositionsOf("work")).hasSize(10).allMatch(each -> each instanceof Modified);
        }
    }

    @Test
    @Asserts("settle-5")
    void dropIsRejectedAndTheBrokerDecides() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("work", Outbound.text("drop"));
            assertThat(onlyDisposition()).isInstanceOf(Rejected.class);
            await().until(() -> tck.broker().deadLetters() == 1);
            await().untilAsserted(() ->
                    assertThat(tck.broker().queue("work").messageCount()).isZero());
            assertThat(application.subscription("work").rejected()).isEqualTo(1);
            List<WireMessage> dead = tck.broker().messages("DLQ");
            assertThat(dead).hasSize(1);
            assertThat(dead.get(0).text()).isEqualTo("drop");
        }
    }

    @Test
    @Asserts("settle-7")
    void withoutAnOutcomeNothingIsSentAndTheMessageComesBack() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("work", Outbound.text("hold,ack"));
            await().until(() -> application.held() == 1);
            tck.proxy().cut();
            assertThat(tck.proxy().dispositionsOf("work")).isEmpty();
            await().until(() -> tck.broker().queue("work").deliveringCount() == 0);
            await().untilAsserted(() ->
                    assertThat(tck.broker().queue("work").messageCount()).isEqualTo(1));
            application.letGo();
            await().until(() -> tck.broker().queue("work").messageCount() == 0);
            assertThat(application.handled()).hasSize(2);
        }
    }

    @Test
    @Asserts({"settle-8", "settle-2"})
    void outcomeOfALostLinkIsCountedToldAndSettlesNothingOfTheNextLink() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("work", Outbound.text("hold,ack"));
            await().until(() -> application.held() == 1);
            tck.proxy().cut();
            await().until(() -> tck.broker().queue("work").deliveringCount() == 0);
            application.letGo();

            await().until(() -> application.subscription("work").linkLost() == 1);
            await().until(() -> application.failures().equals(List.of("work LINK_LOST")));
            await().until(() -> tck.broker().queue("work").messageCount() == 0);
            assertThat(tck.proxy().dispositionsOf("work"))
                    .as("only the second delivery was settled, on its own link")
                    .hasSize(1);
            assertThat(application.subscription("work").accepted()).isEqualTo(1);
        }
    }

    @Test
    @Asserts("attempt-1")
    void redeliveryCountIsTheBrokersCountPlusOneAndEmptyWithoutOne() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("work", Outbound.text("retry,ack").notDurable());
            await().until(() -> application.handled().size() == 2);
            assertThat(application.handled())
                    .extracting(each -> each.redeliveryCount())
                    .containsExactly(OptionalInt.empty(), OptionalInt.of(2));
            assertThat(application.handled()).extracting(each -> each.attempt()).containsExactly(1, 2);
        }
    }

    @Test
    @Asserts("attempt-1")
    void redeliveryCountOfADurableMessageIsOneAtFirst() throws Exception {
        try (TckApplication application = tck.deploy()) {
            tck.client().sendToQueue("work", Outbound.text("ack"));
            await().until(() -> application.handled().size() == 1);
            assertThat(application.handled().get(0).redeliveryCount()).hasValue(1);
        }
    }
}

package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.consignee.AckError;
import dev.consignee.SettlementFailed;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.WireMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each outcome is on the wire, and what becomes of a delivery without one. */
class SettlementContractTest {

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

    private WeldApplication worker() {
        return WeldApplication.of(Worker.class, Scripted.class, Failures.class)
                .url(proxy.url())
                .start();
    }

    private DeliveryState onlyDisposition() {
        await().until(() -> proxy.dispositionsOf("work").size(), size -> size >= 1);
        assertThat(proxy.dispositionsOf("work")).hasSize(1);
        return proxy.dispositionsOf("work").get(0);
    }

    @Test
    @Asserts("settle-1")
    void transfersAreUnsettledAndTheDispositionSettlesThem() throws Exception {
        try (WeldApplication application = worker()) {
            client.sendToQueue("work", Outbound.text("ack"));
            onlyDisposition();
            await().until(() -> application.status("work").accepted() == 1);
            assertThat(proxy.dispositions(Direction.CLIENT_TO_BROKER)).allMatch(each -> each.settled());
            assertThat(proxy.events(LinkEvent.Transferred.class))
                    .filteredOn(each -> each.receivingFrom("work"))
                    .hasSize(1)
                    .noneMatch(each -> each.settled());
        }
    }

    @Test
    @Asserts({"settle-2", "settle-3"})
    void ackIsAcceptedOnceAndTheMessageLeavesTheQueue() throws Exception {
        try (WeldApplication application = worker()) {
            client.sendToQueue("work", Outbound.text("ack"));
            assertThat(onlyDisposition()).isInstanceOf(Accepted.class);
            await().until(() -> broker.queue("work").messageCount() == 0);
            assertThat(broker.queue("work").messagesAcknowledged()).isEqualTo(1);
            assertThat(application.status("work").accepted()).isEqualTo(1);
        }
        assertThat(proxy.dispositionsOf("work")).as("after the stop").hasSize(1);
    }

    @Test
    @Asserts("settle-2")
    void deliveryStaysUnsettledWhileItsHandlerRuns() throws Exception {
        try (WeldApplication application = worker()) {
            client.sendToQueue("work", Outbound.text("hold"));
            Scripted scripted = application.bean(Scripted.class);
            await().until(() -> scripted.held() == 1);
            assertThat(proxy.dispositionsOf("work")).isEmpty();
            assertThat(broker.unsettled("work")).isEqualTo(1);
            scripted.letGo();
            assertThat(onlyDisposition()).isInstanceOf(Accepted.class);
        }
    }

    @Test
    @Asserts("settle-4")
    void retryIsModifiedWithDeliveryFailedAndHere() throws Exception {
        try (WeldApplication application = worker()) {
            client.sendToQueue("work", Outbound.text("retry,ack"));
            await().until(() -> proxy.dispositionsOf("work").size() == 2);
            assertThat(proxy.dispositionsOf("work").get(0)).isInstanceOfSatisfying(Modified.class, modified -> {
                assertThat(modified.getDeliveryFailed()).isTrue();
                assertThat(modified.getUndeliverableHere()).isNotEqualTo(Boolean.TRUE);
            });
            assertThat(proxy.dispositionsOf("work").get(1)).isInstanceOf(Accepted.class);
            assertThat(application.bean(Scripted.class).handled())
                    .extracting(each -> each.delivery().attempt())
                    .containsExactly(1, 2);
        }
    }

    @Test
    @Asserts("settle-4")
    void brokerCountsEachRetryUntilItGivesUp() throws Exception {
        try (WeldApplication application = worker()) {
            client.sendToQueue("work", Outbound.text("retry"));
            await().until(() -> broker.deadLetters() == 1);
            assertThat(application.bean(Scripted.class).handled()).hasSize(10);
            assertThat(proxy.dispositionsOf("work")).hasSize(10).allMatch(each -> each instanceof Modified);
        }
    }

    @Test
    @Asserts("settle-5")
    void dropIsRejectedAndTheBrokerDecides() throws Exception {
        try (WeldApplication application = worker()) {
            client.sendToQueue("work", Outbound.text("drop"));
            assertThat(onlyDisposition()).isInstanceOf(Rejected.class);
            await().until(() -> broker.deadLetters() == 1);
            assertThat(broker.queue("work").messageCount()).isZero();
            assertThat(application.status("work").rejected()).isEqualTo(1);
            List<WireMessage> dead = broker.messages("DLQ");
            assertThat(dead).hasSize(1);
            assertThat(dead.get(0).text()).isEqualTo("drop");
        }
    }

    @Test
    @Asserts("settle-7")
    void withoutAnOutcomeNothingIsSentAndTheMessageComesBack() throws Exception {
        try (WeldApplication application = worker()) {
            client.sendToQueue("work", Outbound.text("hold,ack"));
            Scripted scripted = application.bean(Scripted.class);
            await().until(() -> scripted.held() == 1);
            proxy.cut();
            assertThat(proxy.dispositionsOf("work")).isEmpty();
            await().until(() -> broker.queue("work").deliveringCount() == 0);
            assertThat(broker.queue("work").messageCount()).isEqualTo(1);
            scripted.letGo();
            await().until(() -> broker.queue("work").messageCount() == 0);
            assertThat(scripted.handled()).hasSize(2);
        }
    }

    @Test
    @Asserts({"settle-8", "settle-2"})
    void outcomeOfALostLinkIsCountedToldAndSettlesNothingOfTheNextLink() throws Exception {
        try (WeldApplication application = worker()) {
            client.sendToQueue("work", Outbound.text("hold,ack"));
            Scripted scripted = application.bean(Scripted.class);
            await().until(() -> scripted.held() == 1);
            proxy.cut();
            await().until(() -> broker.queue("work").deliveringCount() == 0);
            scripted.letGo();

            await().until(() -> application.status("work").linkLost() == 1);
            await().untilAsserted(
                            () -> assertThat(application.bean(Failures.class).seen())
                                    .extracting(SettlementFailed::subscription, SettlementFailed::error)
                                    .containsExactly(tuple("work", AckError.LINK_LOST)));
            await().until(() -> broker.queue("work").messageCount() == 0);
            assertThat(proxy.dispositionsOf("work"))
                    .as("only the second delivery was settled, on its own link")
                    .hasSize(1);
            assertThat(application.status("work").accepted()).isEqualTo(1);
        }
    }

    @Test
    @Asserts("attempt-1")
    void redeliveryCountIsTheBrokersCountPlusOneAndEmptyWithoutOne() throws Exception {
        try (WeldApplication application = worker()) {
            client.sendToQueue("work", Outbound.text("retry,ack").notDurable());
            Scripted scripted = application.bean(Scripted.class);
            await().until(() -> scripted.handled().size() == 2);
            assertThat(scripted.handled())
                    .extracting(each -> each.delivery().redeliveryCount())
                    .containsExactly(OptionalInt.empty(), OptionalInt.of(2));
            assertThat(scripted.handled())
                    .extracting(each -> each.delivery().attempt())
                    .containsExactly(1, 2);
        }
    }

    @Test
    @Asserts("attempt-1")
    void redeliveryCountOfADurableMessageIsOneAtFirst() throws Exception {
        try (WeldApplication application = worker()) {
            client.sendToQueue("work", Outbound.text("ack"));
            Scripted scripted = application.bean(Scripted.class);
            await().until(() -> scripted.handled().size() == 1);
            assertThat(scripted.handled().get(0).delivery().redeliveryCount()).hasValue(1);
        }
    }

    /** Observes what could not be settled. */
    @ApplicationScoped
    static class Failures {
        private final List<SettlementFailed> seen = new CopyOnWriteArrayList<>();

        List<SettlementFailed> seen() {
            return seen;
        }

        void failed(@Observes SettlementFailed event) {
            seen.add(event);
        }
    }
}

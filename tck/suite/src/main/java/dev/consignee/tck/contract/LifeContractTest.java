package dev.consignee.tck.contract;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Tck;
import dev.consignee.tck.TckApplication;
import dev.consignee.tck.TckTarget.DeploymentRefused;
import dev.consignee.tck.WireMessage;
import dev.consignee.tck.app.Handled;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** From deployment to undeployment, on any container. */
class LifeContractTest {

    @RegisterExtension
    final Tck tck = new Tck();

    private static void awaitState(TckApplication application, String subscription, String state) {
        await().until(() -> application.subscription(subscription).state().equals(state));
    }

    @Test
    @Asserts("life-1")
    void everythingThatIsWrongComesInOneReport() {
        assertThatThrownBy(() -> tck.deploy(
                        "consignee.subscriber.work.credit",
                        "0",
                        "consignee.subscriber.work.credits",
                        "5",
                        "consignee.subscriber.orders.queue",
                        "a",
                        "consignee.subscriber.orders.topic",
                        "b",
                        "consignee.subscriber.visits.on-exception",
                        "PANIC"))
                .isInstanceOf(DeploymentRefused.class)
                .hasMessageContainingAll(
                        "CONS0104", "CONS0150", "CONS0102", "CONS0105", "Worker.work", "Orders.orders", "visits")
                .hasMessageContainingAll("1 to 32767", "consignee.subscriber.work.credit=0", "RETRY, DROP, ACK, STOP");
        assertThat(tck.proxy().connectionCount()).as("nothing was connected").isZero();
    }

    @Test
    @Asserts("life-1")
    void configurationForSubscribersThatAreNotThereDoesNotStopDeployment() {
        TckApplication application =
                tck.deploy("consignee.subscriber.elsewhere.credit", "5", "consignee.unheard", "of");
        awaitState(application, "work", "ATTACHED");
    }

    @Test
    @Asserts("life-2")
    void applicationStartsWithoutItsBrokerAndConsumesOnceThatIsThere() throws Exception {
        tck.client().sendToQueue("work", Outbound.text("ack"));
        tck.proxy().refuse(true);
        TckApplication application = tck.deploy();
        awaitState(application, "work", "CONNECTING");
        assertThat(application.subscription("work").deliveries()).isZero();

        tck.proxy().refuse(false);
        await().until(() -> application.subscription("work").accepted() == 1);
        assertThat(application.subscription("work").state()).isEqualTo("ATTACHED");
    }

    @Test
    @Asserts("life-3")
    void lostConnectionIsEstablishedAgainAndWhatWasUnsettledComesBack() throws Exception {
        TckApplication application = tck.deploy();
        tck.client().sendToQueue("work", Outbound.text("hold,ack"), Outbound.text("second"));
        await().until(() -> application.held() == 1);

        tck.proxy().cut();
        awaitState(application, "work", "CONNECTING");
        application.letGo();

        await().until(() -> tck.broker().queue("work").messageCount() == 0);
        awaitState(application, "work", "ATTACHED");
        assertThat(application.subscription("work").attached()).isEqualTo(2);
        assertThat(application.handled()).extracting(Handled::script).contains("second");
    }

    @Test
    @Asserts("life-3")
    void brokerThatWasRestartedIsConnectedToAgain() throws Exception {
        TckApplication application = tck.deploy();
        awaitState(application, "work", "ATTACHED");
        tck.broker().stop();
        awaitState(application, "work", "CONNECTING");
        tck.broker().start();
        tck.broker().createQueue("work");
        awaitState(application, "work", "ATTACHED");
    }

    @Test
    @Asserts("life-4")
    void undeploymentLetsARunningHandlerSettleAndGivesTheOthersBackUncounted() throws Exception {
        tck.client().sendToQueue("work", Outbound.text("hold"));
        TckApplication application = tck.deploy("consignee.subscriber.work.credit", "50");
        await().until(() -> application.held() == 1);
        tck.client().sendToQueue("work", 100, i -> Outbound.text("untouched"));
        await().until(() -> tck.broker().unsettled("work") == 50);

        CompletableFuture<Void> undeployed = CompletableFuture.runAsync(application::close);
        await().until(() -> tck.broker().unsettled("work") == 1);
        application.letGo();
        await().until(undeployed::isDone);

        await().until(() -> tck.broker().queue("work").messagesAcknowledged() == 1);
        await().untilAsserted(() ->
                assertThat(tck.broker().queue("work").consumerCount()).isZero());
        List<WireMessage> left = tck.broker().messages("work");
        assertThat(left)
                .hasSize(100)
                .allSatisfy(message -> assertThat(message.deliveryCount())
                        .as("deliveries that count")
                        .isZero());
    }

    @Test
    @Asserts("life-5")
    void eachCallHasARequestOfItsOwnAndTheApplicationsClassLoader() throws Exception {
        TckApplication application = tck.deploy();
        tck.client().sendToQueue("work", Outbound.text("ack"), Outbound.text("throw,ack"), Outbound.text("drop"));
        await().until(() -> application.callsOver().size() == 4);

        assertThat(application.handled())
                .hasSize(4)
                .allMatch(Handled::ownClasses)
                .extracting(Handled::request)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(application.callsOver());
    }

    @Test
    @Asserts("life-6")
    void dependentBeanLivesForOneCallAndAnInheritedMethodIsItsHandler() throws Exception {
        TckApplication application = tck.deploy();
        tck.client().sendToQueue("visits", Outbound.text("ack"), Outbound.text("throw,ack"));
        await().until(() -> application.visitors().equals(List.of(3, 0)));
        tck.client().sendToQueue("visits", Outbound.text("hold"));
        await().until(() -> application.held() == 1);
        assertThat(application.visitors()).as("made, and still there").containsExactly(4, 1);

        application.letGo();
        await().until(() -> tck.broker().queue("visits").messageCount() == 0);
        await().until(() -> application.visitors().equals(List.of(4, 0)));
    }
}

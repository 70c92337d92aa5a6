package dev.consignee.tck.contract;

import static dev.consignee.tck.Tck.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.Frame;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.LinkEvent.Transferred;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Story;
import dev.consignee.tck.Tck;
import dev.consignee.tck.TckApplication;
import dev.consignee.tck.WireMessage;
import dev.consignee.tck.app.Handled;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.transport.Close;
import org.apache.qpid.proton.amqp.transport.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that come back after a while: who keeps them meanwhile, and what it takes to lose one. */
class DelayContractTest {

    private static final String QUEUE = "patient";
    private static final String RETRY_COUNT = "x-ruststream-retry-count";
    private static final String DELIVERY_TIME = "x-opt-delivery-time";
    private static final String NEVER = "after:3600000"; // within an hour, which no test lasts

    @RegisterExtension
    final Tck tck = new Tck();

    private TckApplication patient(String... keysAndValues) {
        return tck.deployWith(List.of(QUEUE), keysAndValues);
    }

    private static Outbound message(String script, String id) {
        return Outbound.text(script).withCorrelationId(id);
    }

    private void send(String script) throws Exception {
        tck.client().sendToQueue(QUEUE, message(script, "1"));
    }

    private List<String> story() {
        return Story.of(QUEUE, tck.proxy().events());
    }

    private long told(String word) {
        return Collections.frequency(story(), word);
    }

    private List<WireMessage> published(String address) {
        return tck.proxy().events(Transferred.class).stream()
                .filter(each -> each.sendingTo(address))
                .map(Transferred::message)
                .toList();
    }

    private static Instant deliveryTime(WireMessage copy) {
        return Instant.ofEpochMilli((Long) requireNonNull(copy.annotations().get(DELIVERY_TIME)));
    }

    private static List<Integer> attempts(TckApplication application, String subscription) {
        return application.handled().stream()
                .filter(each -> each.subscription().equals(subscription))
                .map(Handled::attempt)
                .toList();
    }

    private static void awaitWaiting(TckApplication application, int copies) {
        await().until(() -> application.subscription(QUEUE).waitingCopies() == copies);
    }

    private void awaitQueue(long messages) {
        await().until(() -> tck.broker().queue(QUEUE).messageCount() == messages);
    }

    private void awaitDeadLetters(long messages) {
        await().until(() -> tck.broker().deadLetters() == messages);
    }

    // --- in the process

    @Test
    @Asserts({"delay-1", "settle-6", "attempt-2"})
    void retryAfterIsRejectedAndComesBackAsACopyNoEarlierThanItsDelay() throws Exception {
        TckApplication application = patient();
        send("hold:after:700,ack");
        await().until(() -> application.held() == 1);
        assertThat(story()).containsExactly("delivered");

        long before = System.nanoTime();
        application.letGo();
        await().pollInterval(Duration.ofMillis(2)).until(() -> told("published") == 1);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(700));

        await().until(() -> application.subscription(QUEUE).accepted() == 1);
        assertThat(story()).containsSubsequence("delivered", "rejected", "published", "delivered", "accepted");
        assertThat(story()).containsOnlyOnce("rejected", "published", "confirmed", "accepted");
        assertThat(published(QUEUE)).singleElement().satisfies(copy -> {
            assertThat(copy.text()).isEqualTo("hold:after:700,ack");
            assertThat(copy.properties()).containsEntry(RETRY_COUNT, "1");
            assertThat(copy.annotations()).doesNotContainKey(DELIVERY_TIME);
        });
        assertThat(attempts(application, QUEUE)).containsExactly(1, 2);
        awaitQueue(0);
        awaitDeadLetters(1);
        TckApplication.Subscription counted = application.subscription(QUEUE);
        assertThat(counted.copies()).isEqualTo(1);
        assertThat(counted.rejected()).isEqualTo(1);
        assertThat(counted.waitingCopies()).isZero();
    }

    @Test
    @Asserts({"delay-1", "settle-6"})
    void eachHopLeavesItsRejectedOriginalToTheBroker() throws Exception {
        TckApplication application = patient();
        send("after:30,after:1,after:30,ack");
        await().until(() -> application.subscription(QUEUE).accepted() == 1);

        assertThat(attempts(application, QUEUE)).containsExactly(1, 2, 3, 4);
        assertThat(published(QUEUE))
                .extracting(copy -> copy.properties().get(RETRY_COUNT))
                .containsExactly("1", "2", "3");
        assertThat(published(QUEUE)).extracting(WireMessage::messageId).doesNotHaveDuplicates();
        awaitQueue(0);
        awaitDeadLetters(3);
        assertThat(tck.broker().messages("DLQ"))
                .extracting(dead -> String.valueOf(dead.properties().get(RETRY_COUNT)))
                .containsExactly("null", "1", "2");
    }

    @Test
    @Asserts({"delay-1", "settle-6", "settle-8"})
    void withoutARejectionThereIsNoCopySinceTheMessageComesBack() throws Exception {
        TckApplication application = patient();
        send("hold:after:30,ack");
        await().until(() -> application.held() == 1);
        tck.proxy().cut();
        await().until(() -> tck.broker().unsettled(QUEUE) == 0);
        application.letGo();

        await().until(() -> application.subscription(QUEUE).linkLost() == 1);
        await().until(() -> application.failures().equals(List.of("patient LINK_LOST")));
        await().until(() -> application.subscription(QUEUE).accepted() == 1);
        assertThat(application.subscription(QUEUE).waitingCopies()).isZero();
        // A copy of the first one, if there were any, would be due before one of this.
        tck.client().sendToQueue(QUEUE, message("after:60,ack", "2"));
        await().until(() -> application.subscription(QUEUE).accepted() == 2);

        assertThat(published(QUEUE)).extracting(WireMessage::text).containsExactly("after:60,ack");
        assertThat(told("rejected")).isEqualTo(1);
        awaitQueue(0);
        awaitDeadLetters(1);
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messagesAcknowledged()).isEqualTo(2));
    }

    @Test
    @Asserts("delay-2")
    void copyOnAQueueCompetesForItsReceivers() throws Exception {
        int messages = 60;
        TckApplication first = patient("credit", "4");
        TckApplication second = patient("credit", "4");
        // Each application takes the steps by itself: the second time that it sees a message is the last.
        tck.client().sendToQueue(QUEUE, messages, i -> message("after:20,ack", "m" + i));
        await().until(() -> first.subscription(QUEUE).accepted()
                        + second.subscription(QUEUE).accepted()
                == messages);

        List<Handled> all = Stream.concat(first.handled().stream(), second.handled().stream())
                .toList();
        assertThat(all)
                .extracting(each -> each.message() + " " + each.attempt())
                .as("each copy has one receiver")
                .doesNotHaveDuplicates()
                .hasSize(messages + (int) told("published"));
        assertThat(first.handled()).as("copies").anyMatch(each -> each.attempt() > 1);
        assertThat(second.handled()).as("copies").anyMatch(each -> each.attempt() > 1);
        awaitQueue(0);
    }

    @Test
    @Asserts("delay-2")
    void copyOnATopicReachesEverySubscription() throws Exception {
        TckApplication application = tck.deployWith(List.of("news-a", "news-b"));
        tck.client().sendToTopic("news", message("after:50,ack", "1"));
        await().until(() -> application.subscription("news-a").accepted() == 1);
        await().until(() -> application.subscription("news-b").accepted() == 2);

        assertThat(attempts(application, "news-a")).containsExactly(1, 2);
        assertThat(attempts(application, "news-b")).containsExactly(1, 2);
        assertThat(published("news")).hasSize(1);
    }

    // --- at a stop

    @Test
    @Asserts("delay-4")
    void gracefulStopPublishesWaitingCopiesBeforeTheConnectionCloses() throws Exception {
        TckApplication application = patient();
        tck.client().sendToQueue(QUEUE, 20, i -> message(NEVER, "m" + i));
        awaitWaiting(application, 20);
        assertThat(told("published")).isZero();
        application.close();

        List<WireMessage> early = tck.broker().messages(QUEUE);
        assertThat(early)
                .extracting(copy -> copy.correlationId().orElseThrow() + " "
                        + copy.properties().get(RETRY_COUNT))
                .containsExactlyInAnyOrderElementsOf(Stream.iterate(0, i -> i + 1)
                        .limit(20)
                        .map(i -> "m" + i + " 1")
                        .toList());
        assertThat(early).extracting(WireMessage::deliveryCount).containsOnly(0);
        assertThat(told("confirmed")).isEqualTo(20);
        awaitDeadLetters(20);
        int connection = tck.proxy().events(Transferred.class).stream()
                .filter(each -> each.sendingTo(QUEUE))
                .findFirst()
                .orElseThrow()
                .link()
                .connection();
        List<Frame> frames = tck.proxy().frames(frame -> frame.connection() == connection);
        assertThat(frames)
                .as("closed in an orderly way, after everything else")
                .last()
                .matches(frame -> frame.performative() instanceof Close);
    }

    @Test
    @Asserts("delay-4")
    void handlerThatRetriesWhileItsApplicationStopsLosesNothing() throws Exception {
        TckApplication application = patient();
        send("hold:" + NEVER);
        await().until(() -> application.held() == 1);
        Thread stopping = new Thread(application::close);
        stopping.start();
        await().until(() -> application.subscription(QUEUE).state().equals("STOPPING"));
        application.letGo();
        stopping.join();

        assertThat(story()).containsExactly("delivered", "rejected", "published", "confirmed");
        awaitQueue(1);
        awaitDeadLetters(1);
    }

    @Test
    @Asserts("delay-4")
    void stopDiscardsWaitingCopiesWhereThatIsConfigured() throws Exception {
        TckApplication application = patient("on-stop", "discard");
        tck.client().sendToQueue(QUEUE, 3, i -> message(NEVER, "m" + i));
        awaitWaiting(application, 3);
        application.close();

        assertThat(told("published")).isZero();
        awaitDeadLetters(3);
        awaitQueue(0);
    }

    @Test
    @Asserts({"delay-4", "failure-1"})
    void subscriptionThatItsPolicyStopsPublishesItsWaitingCopies() throws Exception {
        TckApplication application = patient("on-exception", "STOP");
        tck.client().sendToQueue(QUEUE, message(NEVER, "1"), message(NEVER, "2"), message("throw", "3"));
        await().until(() -> application.subscription(QUEUE).state().equals("STOPPED_BY_POLICY"));

        awaitQueue(3);
        await().untilAsserted(() -> assertThat(tck.broker().messages(QUEUE))
                .extracting(each -> each.correlationId().orElseThrow())
                .containsExactlyInAnyOrder("1", "2", "3"));
        await().until(() -> application.subscription(QUEUE).copies() == 2);
        assertThat(application.subscription(QUEUE).state()).isEqualTo("STOPPED_BY_POLICY");
    }

    // --- with the broker

    @Test
    @Asserts("delay-5")
    void copyIsWithTheBrokerAndConfirmedBeforeItsOriginalIsAccepted() throws Exception {
        TckApplication application = patient("delayed-retry", "broker");
        send("hold:after:1000,ack");
        await().until(() -> application.held() == 1);

        Instant before = Instant.now();
        application.letGo();
        await().until(() -> told("accepted") == 1);
        Instant after = Instant.now();
        assertThat(story()).containsExactly("delivered", "published", "confirmed", "accepted");
        Instant due = deliveryTime(published(QUEUE).get(0));
        assertThat(due).isBetween(before.plusMillis(999), after.plusMillis(1000)); // the wire has milliseconds
        assertThat(application.subscription(QUEUE).waitingCopies()).isZero();
        assertThat(tck.broker().queue(QUEUE).scheduledCount()).isEqualTo(1);

        await().until(() -> application.subscription(QUEUE).accepted() == 2);
        assertThat(Instant.now()).isAfterOrEqualTo(due);
        assertThat(attempts(application, QUEUE)).containsExactly(1, 2);
        assertThat(application.subscription(QUEUE).copies()).isEqualTo(1);
        awaitQueue(0);
        assertThat(tck.broker().deadLetters()).isZero();
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messagesAcknowledged()).isEqualTo(2));
    }

    @Test
    @Asserts({"delay-5", "attempt-13"})
    void eachCopyOfACopyHasATimeOfItsOwn() throws Exception {
        TckApplication application = patient("delayed-retry", "broker");
        send("after:100,after:200,ack");
        await().until(() -> application.subscription(QUEUE).accepted() == 3);

        assertThat(attempts(application, QUEUE)).containsExactly(1, 2, 3);
        List<WireMessage> copies = published(QUEUE);
        assertThat(copies)
                .extracting(copy -> copy.properties().get(RETRY_COUNT))
                .containsExactly("1", "2");
        List<Instant> times =
                copies.stream().map(DelayContractTest::deliveryTime).toList();
        assertThat(times.get(1)).isAfterOrEqualTo(times.get(0).plusMillis(199));
        awaitQueue(0);
        assertThat(tck.broker().deadLetters()).isZero();
    }

    @Test
    @Asserts("delay-5")
    void stopHasNothingToPublishOfWhatTheBrokerKeeps() throws Exception {
        TckApplication application = patient("delayed-retry", "broker");
        tck.client().sendToQueue(QUEUE, 5, i -> message(NEVER, "m" + i));
        await().until(() -> application.subscription(QUEUE).accepted() == 5);
        application.close();

        assertThat(told("published")).isEqualTo(5);
        await().until(() -> tck.broker().queue(QUEUE).scheduledCount() == 5);
        awaitQueue(5);
        assertThat(tck.broker().deadLetters()).isZero();
    }

    @Test
    @Asserts("delay-5")
    void subscriptionReceivesNothingWhereNoDelayIsOfferedUntilItIs() throws Exception {
        tck.proxy().withhold("DELAYED_DELIVERY");
        send("after:1,ack");
        TckApplication application = tck.deploy(
                "consignee.subscriber.patient.enabled", "true", "consignee.subscriber.patient.delayed-retry", "broker");
        await().until(() -> tck.proxy().events(LinkEvent.Attached.class).stream()
                .anyMatch(each -> each.sendingTo(QUEUE) && each.direction() == Direction.BROKER_TO_CLIENT));
        await().until(() -> application.subscription("work").state().equals("ATTACHED"));
        assertThat(application.subscription(QUEUE).state()).isEqualTo("CONNECTING");
        assertThat(tck.proxy().events(LinkEvent.Attached.class)).noneMatch(each -> each.receivingFrom(QUEUE));

        tck.proxy().withhold("");
        tck.proxy().cut();
        await().until(() -> application.subscription(QUEUE).accepted() == 2);
        assertThat(attachesOf(QUEUE))
                .as("the sender first")
                .startsWith(Role.SENDER)
                .endsWith(Role.RECEIVER);
    }

    private List<Role> attachesOf(String address) {
        return tck.proxy().events(LinkEvent.Attached.class).stream()
                .filter(each -> each.direction() == Direction.CLIENT_TO_BROKER)
                .filter(each -> each.link().address().equals(address))
                .map(each -> each.link().clientReceives() ? Role.RECEIVER : Role.SENDER)
                .toList();
    }

    // --- that cannot be published

    @Test
    @Asserts("delay-6")
    void copyThatIsDueWhileNoConnectionCanBeHadIsPublishedOnceThereIsOne() throws Exception {
        TckApplication application = patient();
        tck.proxy().refuse(true); // its link lives on, the connection for copies is not there yet
        send("after:1,ack");
        awaitDeadLetters(1);
        awaitWaiting(application, 1);
        // Only this copy stands between the queue and its emptiness, and no time lets it go.
        tck.client().sendToQueue(QUEUE, 500, i -> Outbound.text("ack"));
        await().until(() -> application.subscription(QUEUE).accepted() == 500);
        assertThat(application.subscription(QUEUE).waitingCopies()).isEqualTo(1);
        assertThat(application.subscription(QUEUE).copies()).isZero();

        tck.proxy().refuse(false);
        await().until(() -> application.subscription(QUEUE).accepted() == 501);
        assertThat(attempts(application, QUEUE)).endsWith(2);
        assertThat(application.subscription(QUEUE).copies()).isEqualTo(1);
        assertThat(application.subscription(QUEUE).waitingCopies()).isZero();
        assertThat(application.subscription(QUEUE).lostCopies()).isZero();
    }

    @Test
    @Asserts("delay-6")
    void copiesOutliveARestartOfTheBrokerAlthoughItForgetsEverything() throws Exception {
        TckApplication application = patient();
        tck.client().sendToQueue(QUEUE, 10, i -> message("after:1200,ack", "m" + i));
        awaitWaiting(application, 10);
        awaitDeadLetters(10);
        tck.broker().stop();
        await().until(() -> application.subscription(QUEUE).state().equals("CONNECTING"));
        tck.broker().start();
        tck.broker().createQueue(QUEUE);

        await().until(() -> application.subscription(QUEUE).accepted() == 10);
        assertThat(application.subscription(QUEUE).copies()).isEqualTo(10);
        assertThat(published(QUEUE))
                .extracting(copy -> copy.correlationId().orElseThrow())
                .hasSize(10)
                .doesNotHaveDuplicates();
    }

    @Test
    @Asserts("delay-6")
    void copiesArePublishedOnceEachThoughTheirConnectionIsCut() throws Exception {
        TckApplication application = patient();
        tck.client().sendToQueue(QUEUE, 50, i -> message("after:" + (400 + i) + ",ack", "m" + i));
        awaitWaiting(application, 50);
        tck.proxy().refuse(true);
        tck.proxy().cut();
        await().until(() -> application.subscription(QUEUE).state().equals("CONNECTING"));
        tck.proxy().refuse(false);

        await().until(() -> application.subscription(QUEUE).accepted() == 50);
        assertThat(published(QUEUE))
                .extracting(copy -> copy.correlationId().orElseThrow())
                .hasSize(50)
                .doesNotHaveDuplicates();
        awaitQueue(0);
        awaitDeadLetters(50);
    }

    // --- in hand

    @Test
    @Asserts("delay-7")
    void heldDeliveryStaysUnsettledForItsDelayAndIsThenModified() throws Exception {
        TckApplication application = patient("delayed-retry", "hold");
        send("hold:after:700,ack");
        await().until(() -> application.held() == 1);
        long before = System.nanoTime();
        application.letGo();
        tck.client().sendToQueue(QUEUE, message("ack", "2"));
        await().until(() -> application.subscription(QUEUE).accepted() == 1);
        assertThat(story()).as("it waits, and no other does").containsExactly("delivered", "delivered", "accepted");
        assertThat(tck.broker().unsettled(QUEUE)).isPositive();

        await().pollInterval(Duration.ofMillis(2)).until(() -> told("modified") == 1);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(700));
        assertThat(tck.proxy().dispositionsOf(QUEUE).get(1)).isInstanceOfSatisfying(Modified.class, modified -> {
            assertThat(modified.getDeliveryFailed()).isTrue();
            assertThat(modified.getUndeliverableHere()).isNotEqualTo(true);
        });
        await().until(() -> application.subscription(QUEUE).accepted() == 2);
        assertThat(application.handled())
                .filteredOn(each -> each.message().equals("1"))
                .extracting(Handled::redeliveryCount)
                .as("counted by the broker")
                .containsExactly(OptionalInt.of(1), OptionalInt.of(2));
        assertThat(published(QUEUE)).isEmpty();
        assertThat(application.subscription(QUEUE).copies()).isZero();
        awaitQueue(0);
        assertThat(tck.broker().deadLetters()).isZero();
    }

    @Test
    @Asserts("delay-7")
    void heldDeliveriesCostACreditEachAndNoMore() throws Exception {
        TckApplication application = patient("delayed-retry", "hold", "credit", "3");
        tck.client().sendToQueue(QUEUE, message(NEVER, "1"), message(NEVER, "2"));
        tck.client().sendToQueue(QUEUE, 20, i -> Outbound.text("ack"));
        await().until(() -> application.subscription(QUEUE).accepted() == 20);
        await().until(() -> tck.broker().unsettled(QUEUE) == 2);

        tck.client().sendToQueue(QUEUE, message(NEVER, "3"), Outbound.text("ack"));
        await().until(() -> tck.broker().unsettled(QUEUE) == 3);
        awaitQueue(4);
        assertThat(tck.proxy().maxUnsettled(QUEUE).unsettledAndCredit()).isEqualTo(3);
        assertThat(application.subscription(QUEUE).accepted()).isEqualTo(20);
    }

    @Test
    @Asserts("delay-7")
    void stopSettlesAHeldDeliveryEarly() throws Exception {
        TckApplication application = patient("delayed-retry", "hold");
        tck.client().sendToQueue(QUEUE, message(NEVER, "1"), message(NEVER, "2"));
        await().until(() -> application.handled().size() == 2);
        application.close();

        assertThat(story()).containsExactly("delivered", "delivered", "modified", "modified");
        awaitQueue(2);
        await().untilAsserted(() -> assertThat(tck.broker().messages(QUEUE))
                .extracting(WireMessage::deliveryCount)
                .containsExactly(1, 1));
    }

    @Test
    @Asserts({"delay-7", "settle-8"})
    void heldDeliveryOfALostLinkComesBackAndIsNotSettledLater() throws Exception {
        TckApplication application = patient("delayed-retry", "hold");
        send("after:700,ack");
        await().pollInterval(Duration.ofMillis(2))
                .until(() -> application.handled().size() == 1);
        tck.proxy().cut();

        await().until(() -> application.subscription(QUEUE).accepted() == 1);
        await().until(() -> application.failures().equals(List.of("patient LINK_LOST")));
        // Its time would have been over before this one's is.
        tck.client().sendToQueue(QUEUE, message("after:750,ack", "2"));
        await().until(() -> application.subscription(QUEUE).accepted() == 2);
        assertThat(tck.proxy().dispositionsOf(QUEUE))
                .extracting(each -> each.getClass().getSimpleName())
                .containsExactly("Accepted", "Modified", "Accepted");
        assertThat(application.subscription(QUEUE).linkLost()).isEqualTo(1);
        awaitQueue(0);
    }

    // --- how many

    /**
     * What the frames say of how many copies waited at a time, at most: never more than there were, since a copy waits from
     * before its rejection is written until after its confirmation has arrived.
     */
    private long mostWaiting() {
        return waiting().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** How many waited when credit was granted, each time. */
    private List<Long> waitingAtGrants() {
        List<LinkEvent> events = tck.proxy().events();
        List<Long> waiting = waiting();
        return IntStream.range(0, events.size())
                .filter(at -> grants(events.get(at)))
                .mapToObj(waiting::get)
                .toList();
    }

    /** How many waited after each event. */
    private List<Long> waiting() {
        List<Long> after = new ArrayList<>();
        long waiting = 0;
        for (LinkEvent event : tck.proxy().events()) {
            List<String> word = Story.of(QUEUE, List.of(event));
            waiting += word.contains("rejected") ? 1 : word.contains("confirmed") ? -1 : 0;
            after.add(waiting);
        }
        return after;
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "10, 5"})
    @Asserts("delay-8")
    void atMostSoManyCopiesWaitAndWhenSomeHaveLeftItGoesOn(int credit, int bound) throws Exception {
        TckApplication application =
                patient("max-waiting-copies", String.valueOf(bound), "credit", String.valueOf(credit));
        tck.client().sendToQueue(QUEUE, 60, i -> message("after:20,ack", "m" + i));
        await().until(() -> application.subscription(QUEUE).accepted() == 60);

        assertThat(mostWaiting()).isEqualTo(bound);
        assertThat(waitingAtGrants()).allMatch(waiting -> waiting < bound);
        assertThat(tck.proxy().maxUnsettled(QUEUE).unsettledAndCredit()).isLessThanOrEqualTo(credit);
        awaitQueue(0);
        awaitDeadLetters(60);
    }

    @Test
    @Asserts("delay-8")
    void atTheBoundNoCreditIsGrantedAndTheRestStaysWithTheBroker() throws Exception {
        TckApplication application = patient("max-waiting-copies", "5", "credit", "10");
        tck.client().sendToQueue(QUEUE, 40, i -> message(NEVER, "m" + i));
        awaitWaiting(application, 5);
        await().until(() -> told("rejected") == 5);
        awaitDeadLetters(5);
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messageCount()).isEqualTo(35));
        assertThat(application.handled()).hasSize(5);
        application.close();

        assertThat(waitingAtGrants()).allMatch(waiting -> waiting < 5);
        assertThat(mostWaiting()).isEqualTo(5);
        awaitQueue(40);
    }

    @Test
    @Asserts("delay-8")
    void linkThatIsAttachedAnewAtTheBoundGetsNoCredit() throws Exception {
        TckApplication application = patient("max-waiting-copies", "5", "credit", "10");
        tck.client().sendToQueue(QUEUE, 40, i -> message(NEVER, "m" + i));
        awaitWaiting(application, 5);
        await().until(() -> told("rejected") == 5);
        awaitDeadLetters(5);
        tck.proxy().clear();
        tck.proxy().cut();
        await().until(() -> application.subscription(QUEUE).attached() == 2);
        await().until(() -> attachesOf(QUEUE).equals(List.of(Role.RECEIVER)));
        application.close();

        assertThat(tck.proxy().events().stream().filter(DelayContractTest::grants))
                .as("credit granted")
                .isEmpty();
        awaitQueue(40);
    }

    private static boolean grants(LinkEvent event) {
        return event instanceof LinkEvent.Flowed flow
                && flow.receivingFrom(QUEUE)
                && flow.direction() == Direction.CLIENT_TO_BROKER
                && !flow.drain()
                && flow.credit() > 0;
    }
}

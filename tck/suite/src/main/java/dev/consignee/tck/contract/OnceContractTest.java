package dev.consignee.tck.contract;

import static dev.consignee.tck.Tck.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
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
import java.util.stream.IntStream;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deliveries that arrive settled: nobody but the process has them, and there is nothing to tell the broker. */
class OnceContractTest {

    private static final String QUEUE = "once";
    private static final String DEAD = "once.dead";
    private static final String RETRY_COUNT = "x-ruststream-retry-count";
    private static final String NEVER = "after:3600000"; // within an hour, which no test lasts

    @RegisterExtension
    final Tck tck = new Tck();

    private TckApplication once(String... keysAndValues) {
        return tck.deployWith(List.of(QUEUE), keysAndValues);
    }

    /** The broker has a count for it: it has a header. */
    private static Outbound counted(String script, String id) {
        return Outbound.text(script).withCorrelationId(id);
    }

    /** The broker has no count for it. */
    private static Outbound uncounted(String script, String id) {
        return counted(script, id).notDurable();
    }

    private void send(Outbound... messages) throws Exception {
        tck.client().sendToQueue(QUEUE, messages);
    }

    private List<String> story() {
        return Story.of(QUEUE, tck.proxy().events());
    }

    private long delivered(String address) {
        return Collections.frequency(Story.of(address, tck.proxy().events()), "delivered");
    }

    private List<WireMessage> published(String address) {
        return tck.proxy().events(Transferred.class).stream()
                .filter(each -> each.sendingTo(address))
                .map(Transferred::message)
                .toList();
    }

    private static List<Integer> attempts(TckApplication application, String message) {
        return application.handled().stream()
                .filter(each -> each.message().equals(message))
                .map(Handled::attempt)
                .toList();
    }

    private void assertThatNothingWasSettled(String address) {
        assertThat(tck.proxy().dispositions(Direction.CLIENT_TO_BROKER))
                .filteredOn(each -> each.receivingFrom(address))
                .isEmpty();
    }

    // --- the link

    @Test
    @Asserts({"once-1", "once-5"})
    void deliveriesArriveSettledAndTheBrokerHasLetThemGo() throws Exception {
        TckApplication application = once();
        send(counted("hold", "1"), uncounted("ack", "2"));
        await().until(() -> application.held() == 1);
        await().until(() -> delivered(QUEUE) == 2);
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messageCount()).isZero());
        assertThat(tck.broker().unsettled(QUEUE)).isZero();
        assertThat(tck.proxy().events(Transferred.class))
                .filteredOn(each -> each.receivingFrom(QUEUE))
                .hasSize(2)
                .allMatch(Transferred::settled);
        assertThat(tck.proxy().frames(frame -> frame.performative() instanceof Attach).stream()
                        .map(frame -> (Attach) frame.performative())
                        .filter(attach -> attach.getName().endsWith(":" + QUEUE)))
                .as("asked for, and granted")
                .hasSize(2)
                .extracting(Attach::getSndSettleMode)
                .containsOnly(SenderSettleMode.SETTLED);

        application.letGo();
        await().until(() -> application.subscription(QUEUE).unsupported() == 2);
        application.close();
        assertThatNothingWasSettled(QUEUE);
        assertThat(story()).containsExactly("delivered", "delivered");
        assertThat(tck.broker().deadLetters()).isZero();
    }

    @Test
    @Asserts("once-1")
    void otherSubscriptionsOfTheApplicationStaySettledByTheirHandlers() throws Exception {
        TckApplication application = once();
        tck.client().sendToQueue("work", Outbound.text("ack"));
        await().until(() -> application.subscription("work").accepted() == 1);
        assertThat(Story.of("work", tck.proxy().events())).containsExactly("delivered", "accepted");
    }

    // --- outcomes

    @Test
    @Asserts({"once-2", "once-3"})
    void outcomesThatSettleAreReportedAsUnsupportedAndChangeNothing() throws Exception {
        TckApplication application = once();
        List<String> outcomes = List.of("ack", "drop", "retry");
        for (String outcome : outcomes) {
            send(uncounted(outcome, outcome + 1), counted(outcome, outcome + 2));
        }
        await().until(() -> application.subscription(QUEUE).unsupported() == 6);
        await().until(() -> application.failures().equals(Collections.nCopies(6, "once UNSUPPORTED")));

        send(uncounted("after:1,ack", "last")); // whose copy goes the way that one of the others would have gone
        await().until(() -> attempts(application, "last").equals(List.of(1, 2)));
        assertThat(application.handled()).hasSize(8);
        assertThat(published(QUEUE)).hasSize(1);
        assertThatNothingWasSettled(QUEUE);
        assertThat(tck.broker().deadLetters()).isZero();
    }

    @Test
    @Asserts("once-2")
    void handlerThatReturnsVoidHasNothingToReport() throws Exception {
        TckApplication application = tck.deployWith(List.of("glance", QUEUE));
        tck.client().sendToQueue("glance", counted("ack", "1"), counted("throw", "2"), counted("ack", "3"));
        await().until(() -> application.handled().size() == 3);
        send(counted("ack", "4"));
        await().until(() -> !application.failures().isEmpty());

        assertThat(application.failures()).containsExactly("once UNSUPPORTED");
        assertThat(application.subscription("glance").unsupported()).isZero();
        assertThat(application.subscription("glance").deliveries()).isEqualTo(3);
        assertThatNothingWasSettled("glance");
    }

    @Test
    @Asserts("once-3")
    void retryBelowACapPublishesACopyAtOnceWhereTheBrokerDoesNotCount() throws Exception {
        TckApplication application = once("max-attempts", "3");
        send(uncounted("retry,retry,ack", "1"));
        await().until(() -> attempts(application, "1").equals(List.of(1, 2, 3)));
        await().until(() -> application.subscription(QUEUE).unsupported() == 3);

        assertThat(published(QUEUE))
                .extracting(copy -> copy.properties().get(RETRY_COUNT))
                .containsExactly("1", "2");
        assertThat(application.subscription(QUEUE).copies()).isEqualTo(2);
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messageCount()).isZero());
        assertThatNothingWasSettled(QUEUE);
    }

    @Test
    @Asserts("once-3")
    void retryBelowACapPublishesNothingWhereTheBrokerCounts() throws Exception {
        TckApplication application = once("max-attempts", "3");
        send(counted("retry", "1"), uncounted("retry,ack", "2"));
        await().until(() -> attempts(application, "2").equals(List.of(1, 2)));

        assertThat(attempts(application, "1")).containsExactly(1);
        assertThat(published(QUEUE))
                .extracting(copy -> copy.correlationId().orElseThrow())
                .containsExactly("2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry", "after:1"})
    @Asserts({"once-3", "once-4", "attempt-7"})
    void spentMessageIsPublishedAsItArrivedToTheDeadLetterAddress(String outcome) throws Exception {
        TckApplication application = once("max-attempts", "3", "dead-letter", DEAD);
        send(uncounted(outcome, "1").withProperty("color", "red"));
        await().until(() -> tck.broker().queue(DEAD).messageCount() == 1);

        assertThat(attempts(application, "1")).containsExactly(1, 2, 3);
        assertThat(published(DEAD)).singleElement().satisfies(dead -> {
            assertThat(dead.text()).isEqualTo(outcome);
            assertThat(dead.properties()).containsEntry("color", "red").containsEntry(RETRY_COUNT, "2");
            assertThat(dead.messageId()).isEqualTo(published(QUEUE).get(1).messageId());
        });
        await().until(() -> application.subscription(QUEUE).deadLetters() == 1);
        assertThat(application.subscription(QUEUE).copies()).isEqualTo(2);
        assertThat(application.subscription(QUEUE).unsupported()).isEqualTo(outcome.equals("retry") ? 3 : 0);
        assertThatNothingWasSettled(QUEUE);
        assertThat(tck.broker().deadLetters()).as("the broker's own").isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry", "after:1"})
    @Asserts({"once-3", "once-4", "attempt-8"})
    void spentMessageWithoutADeadLetterAddressIsGone(String outcome) throws Exception {
        TckApplication application = once("max-attempts", "1");
        send(uncounted(outcome, "1"), counted(outcome, "2"), counted("ack", "3"));
        await().until(() -> application.handled().size() == 3);
        application.close(); // which would publish what waits

        assertThat(story()).containsExactly("delivered", "delivered", "delivered");
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messageCount()).isZero());
        assertThat(tck.broker().deadLetters()).isZero();
    }

    @Test
    @Asserts("once-4")
    void retryAfterPublishesACopyNoEarlierThanItsDelayAndReportsNothing() throws Exception {
        TckApplication application = once();
        send(counted("hold:after:600,ack", "1"));
        await().until(() -> application.held() == 1);
        long before = System.nanoTime();
        application.letGo();
        await().pollInterval(Duration.ofMillis(2)).until(() -> !published(QUEUE).isEmpty());
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(600));

        await().until(() -> attempts(application, "1").equals(List.of(1, 2)));
        await().until(() -> application.subscription(QUEUE).unsupported() == 1); // of the acknowledgement
        assertThat(application.subscription(QUEUE).copies()).isEqualTo(1);
        assertThat(published(QUEUE))
                .singleElement()
                .satisfies(copy -> assertThat(copy.properties()).containsEntry(RETRY_COUNT, "1"));
        assertThat(tck.broker().deadLetters()).isZero();
        assertThatNothingWasSettled(QUEUE);
    }

    @Test
    @Asserts({"once-4", "delay-5"})
    void retryAfterMayBeLeftToTheBroker() throws Exception {
        TckApplication application = once("delayed-retry", "broker");
        Instant before = Instant.now();
        send(counted("after:500,ack", "1"));
        await().until(() -> attempts(application, "1").equals(List.of(1, 2)));

        Instant due = Instant.ofEpochMilli(
                (Long) requireNonNull(published(QUEUE).get(0).annotations().get("x-opt-delivery-time")));
        assertThat(due).isAfterOrEqualTo(before.plusMillis(499));
        assertThat(Instant.now()).isAfterOrEqualTo(due);
        assertThatNothingWasSettled(QUEUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry", NEVER})
    @Asserts({"once-4", "attempt-9"})
    void deadLetterAddressWithoutACapTakesEveryRetryAtOnce(String outcome) throws Exception {
        TckApplication application = once("dead-letter", DEAD);
        send(counted(outcome, "1"), uncounted(outcome, "2"));
        await().until(() -> tck.broker().queue(DEAD).messageCount() == 2);

        assertThat(published(DEAD))
                .extracting(dead -> dead.correlationId().orElseThrow())
                .containsExactly("1", "2");
        assertThat(published(DEAD))
                .allSatisfy(dead -> assertThat(dead.properties()).doesNotContainKey(RETRY_COUNT));
        await().until(() -> application.subscription(QUEUE).deadLetters() == 2);
        assertThat(application.subscription(QUEUE).waitingCopies()).isZero();
        assertThat(application.handled()).hasSize(2);
    }

    @Test
    @Asserts({"once-4", "attempt-11"})
    void deadLetterWaitsForABrokerThatIsAway() throws Exception {
        TckApplication application = once("dead-letter", DEAD);
        tck.proxy().refuse(true);
        tck.proxy().cut();
        await().until(() -> application.subscription(QUEUE).state().equals("CONNECTING"));
        tck.proxy().refuse(false);
        send(counted("hold:retry", "1"));
        await().until(() -> application.held() == 1);
        tck.proxy().refuse(true);
        tck.proxy().cut();
        application.letGo();
        await().until(() -> application.subscription(QUEUE).waitingCopies() == 1);

        tck.proxy().refuse(false);
        await().until(() -> application.subscription(QUEUE).deadLetters() == 1);
        assertThat(tck.broker().messages(DEAD)).extracting(WireMessage::text).containsExactly("hold:retry");
        assertThat(application.subscription(QUEUE).lostCopies()).isZero();
    }

    // --- ours alone

    @Test
    @Asserts("once-6")
    void whatArrivedIsStillHandledAfterItsLinkWasLost() throws Exception {
        TckApplication application = once("credit", "10");
        send(counted("hold:after:1,ack", "0"));
        tck.client().sendToQueue(QUEUE, 9, i -> counted("after:1,ack", "m" + i));
        await().until(() -> application.held() == 1 && delivered(QUEUE) == 10);
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messageCount()).isZero());
        tck.proxy().cut();
        await().until(() -> tck.broker().queue(QUEUE).consumerCount() == 0);
        application.letGo();

        await().until(() -> application.handled().stream()
                        .filter(each -> each.attempt() == 2)
                        .count()
                == 10);
        assertThat(application.handled()).as("each once, and its copy once").hasSize(20);
        TckApplication.Subscription counted = application.subscription(QUEUE);
        assertThat(counted.unhandled()).isZero();
        assertThat(counted.linkLost()).as("nothing was to be settled").isZero();
        assertThat(counted.attached()).isEqualTo(2);
    }

    @Test
    @Asserts("once-6")
    void whatArrivedIsStillHandledAtAStop() throws Exception {
        TckApplication application = once("credit", "10");
        send(counted("hold:" + NEVER, "m0"));
        tck.client().sendToQueue(QUEUE, 14, i -> counted(NEVER, "m" + (i + 1)));
        await().until(() -> application.held() == 1 && delivered(QUEUE) == 10);
        Thread stopping = new Thread(application::close);
        stopping.start();
        await().until(() -> application.subscription(QUEUE).state().equals("STOPPING"));
        application.letGo();
        stopping.join();

        // Each that was handled has left its copy; each that was not delivered is still there.
        List<WireMessage> left = tck.broker().messages(QUEUE);
        assertThat(left)
                .extracting(each -> each.correlationId().orElseThrow())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 15).mapToObj(i -> (Object) ("m" + i)).toList());
        assertThat(left)
                .filteredOn(each -> "1".equals(each.properties().get(RETRY_COUNT)))
                .hasSize((int) delivered(QUEUE));
        assertThatNothingWasSettled(QUEUE);
    }

    @Test
    @Asserts({"once-6", "delay-8"})
    void whatArrivedWaitsWhileTheBoundOfCopiesIsReachedAlsoAfterItsLinkWasLost() throws Exception {
        TckApplication application = once("credit", "10", "max-waiting-copies", "3");
        tck.client().sendToQueue(QUEUE, 10, i -> counted("after:600,ack", "m" + i));
        await().until(() -> application.subscription(QUEUE).waitingCopies() == 3);
        tck.proxy().cut();

        List<Long> waiting = new ArrayList<>();
        await().pollInterval(Duration.ofMillis(5)).until(() -> {
            waiting.add(application.subscription(QUEUE).waitingCopies());
            return application.handled().stream()
                            .filter(each -> each.attempt() == 2)
                            .count()
                    >= 10;
        });
        assertThat(waiting).as("copies").allMatch(copies -> copies <= 3);
        assertThat(application.handled()).hasSize(20);
        assertThat(application.subscription(QUEUE).unhandled()).isZero();
    }

    // --- failures

    @ParameterizedTest
    @ValueSource(strings = {"RETRY", "drop", "ack"})
    @Asserts("failure-8")
    void handlerThatFailsLosesItsDeliveryAndNothingElse(String policy) throws Exception {
        TckApplication application = once("on-exception", policy, "max-attempts", "3", "dead-letter", DEAD);
        List<String> failures = List.of("throw", "error", "null");
        for (String failure : failures) {
            send(uncounted(failure, failure), counted(failure, failure));
        }
        send(uncounted("after:1,ack", "last"));
        await().until(() -> attempts(application, "last").equals(List.of(1, 2)));

        assertThat(failures)
                .allSatisfy(
                        failure -> assertThat(attempts(application, failure)).containsExactly(1, 1));
        TckApplication.Subscription counted = application.subscription(QUEUE);
        assertThat(counted.handlerFailures()).isEqualTo(6);
        assertThat(counted.state()).isEqualTo("ATTACHED");
        assertThat(counted.copies()).isEqualTo(1);
        assertThat(published(DEAD)).isEmpty();
        assertThatNothingWasSettled(QUEUE);
        assertThat(tck.broker().deadLetters()).isZero();
    }

    @Test
    @Asserts({"failure-8", "once-6"})
    void stopStopsAndCountsWhatIsLeftUnhandled() throws Exception {
        TckApplication application = once("on-exception", "STOP", "credit", "10");
        send(counted("hold:throw", "1"));
        tck.client().sendToQueue(QUEUE, 19, i -> counted("ack", "m" + i));
        await().until(() -> application.held() == 1 && delivered(QUEUE) == 10);
        application.letGo();
        await().until(() -> application.subscription(QUEUE).state().equals("STOPPED_BY_POLICY"));
        await().until(() -> tck.broker().queue(QUEUE).consumerCount() == 0);
        await().until(() -> application.subscription(QUEUE).unhandled() == 9);

        assertThat(application.handled()).hasSize(1);
        await().untilAsserted(() -> assertThat(tck.broker().queue(QUEUE).messageCount())
                .as("what the broker still has")
                .isEqualTo(10));
        tck.client().sendToQueue("work", Outbound.text("ack"));
        await().until(() -> application.subscription("work").accepted() == 1);
        assertThatNothingWasSettled(QUEUE);
    }

    private TckApplication strict(String... keysAndValues) {
        List<String> all = new ArrayList<>(List.of(keysAndValues));
        all.addAll(List.of("settle", "at-most-once"));
        return tck.deployWith(List.of("strict"), all.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"DROP", "RETRY", "ACK"})
    @Asserts("failure-8")
    void bodyThatCannotBeDecodedIsGone(String policy) throws Exception {
        TckApplication application = strict("on-decode-error", policy, "max-attempts", "3", "credit", "2");
        tck.client().sendToQueue("strict", 10, i -> Outbound.json("{\"id\":").notDurable());
        tck.client().sendToQueue("strict", Outbound.json("{\"id\":1,\"what\":\"pen\"}"));
        await().until(() -> !application.handled().isEmpty());
        application.close();

        assertThat(Collections.frequency(Story.of("strict", tck.proxy().events()), "delivered"))
                .isEqualTo(11);
        assertThat(published("strict")).isEmpty();
        assertThat(published("strict.dead")).isEmpty();
        assertThatNothingWasSettled("strict");
        assertThat(tck.broker().deadLetters()).isZero();
    }

    @Test
    @Asserts({"failure-8", "attempt-7"})
    void bodyThatCannotBeDecodedIsPublishedToTheDeadLetterAddress() throws Exception {
        TckApplication application = strict("credit", "1");
        byte[] truncated = {0x00, 0x53, 0x75, (byte) 0xa0, 64, '{', '}'}; // a data section that ends too early
        tck.client().sendToQueue("strict", counted("no JSON at all", "1"), uncounted("[", "2"));
        tck.client().sendToQueue("strict", Outbound.json("{\"id\":1,\"what\":\"pen\"}"));
        await().until(() -> !application.handled().isEmpty());
        await().until(() -> application.subscription("strict").deadLetters() == 2);

        assertThat(tck.broker().messages("strict.dead"))
                .extracting(WireMessage::text)
                .containsExactly("no JSON at all", "[");
        assertThat(application.subscription("strict").decodeFailures()).isEqualTo(2);
        // Which no broker has to take; whatever becomes of it, it holds nothing up.
        tck.client().sendToQueue("strict", Outbound.encoded(truncated));
        tck.client().sendToQueue("strict", Outbound.json("{\"id\":2,\"what\":\"cup\"}"));
        await().until(() -> application.handled().size() == 2);
        assertThatNothingWasSettled("strict");
    }

    @Test
    @Asserts("failure-8")
    void stopOnADecodeErrorStops() throws Exception {
        TckApplication application = strict("on-decode-error", "STOP");
        tck.client().sendToQueue("strict", Outbound.json("["));
        await().until(() -> application.subscription("strict").state().equals("STOPPED_BY_POLICY"));
        await().until(() -> tck.broker().queue("strict").consumerCount() == 0);
        assertThat(published("strict.dead")).isEmpty();
        assertThatNothingWasSettled("strict");
    }

    // --- credit

    /**
     * How much the broker had been allowed to hand over in total, at each grant of credit and at the last delivery: so
     * many deliveries as had been, and the credit that was out.
     */
    private long mostAllowed(String address) {
        long delivered = 0;
        long most = 0;
        for (LinkEvent event : tck.proxy().events()) {
            if (event instanceof Transferred && event.receivingFrom(address)) {
                delivered++;
            } else if (event instanceof LinkEvent.Flowed flow
                    && flow.receivingFrom(address)
                    && flow.direction() == Direction.CLIENT_TO_BROKER
                    && !flow.drain()) {
                most = Math.max(most, delivered + flow.outstanding());
            }
        }
        return Math.max(most, delivered);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10})
    @Asserts({"credit-1", "credit-4"})
    void deliveriesInHandAndCreditAreNeverMoreThanTheCredit(int credit) throws Exception {
        int messages = 3 * credit + 5;
        TckApplication application = once("credit", String.valueOf(credit));
        tck.client().sendToQueue(QUEUE, messages, i -> counted("hold", "m" + i));
        for (int over = 0; over < messages; over++) {
            int calls = over + 1;
            await().pollInterval(Duration.ofMillis(2)).until(() -> application.held() == calls);
            // So many calls are over, so that these and the credit may have been handed over.
            assertThat(mostAllowed(QUEUE)).isLessThanOrEqualTo(over + credit);
            application.letOneGo();
        }
        await().until(() -> application.subscription(QUEUE).unsupported() == messages);
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messageCount()).isZero());
        assertThat(delivered(QUEUE)).isEqualTo(messages);
    }

    @Test
    @Asserts({"credit-1", "credit-4"})
    void heldHandlerLeavesTheRestToOtherReplicas() throws Exception {
        tck.client().sendToQueue(QUEUE, 30, i -> counted("hold", "m" + i));
        TckApplication slow = once("credit", "10");
        await().until(() -> slow.held() == 1 && delivered(QUEUE) == 10);
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(QUEUE).messageCount()).isEqualTo(20));
        TckApplication replica = once("credit", "10");
        replica.letGo();
        await().until(() -> replica.subscription(QUEUE).unsupported() == 20);
        assertThat(slow.handled()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    @Asserts({"credit-1", "credit-3", "once-1"})
    void noMessageIsLostAndNoneStandsStillUnderLoad(int credit) throws Exception {
        int messages = credit == 1 ? 2_000 : 20_000;
        String order = "{\"id\":1,\"what\":\"pen\"}";
        tck.client().sendToQueue("strict", messages, i -> Outbound.json(i % 10 == 0 ? "{" : order));
        tck.proxy().recording(false);
        TckApplication application = strict("credit", String.valueOf(credit), "on-decode-error", "drop");
        await().until(() -> application.subscription("strict").deliveries() == messages);
        await().until(() -> application.handled().size() == messages * 9 / 10);
        assertThat(application.subscription("strict").decodeFailures()).isEqualTo(messages / 10);
        assertThat(tck.proxy().maxUnsettled("strict").unsettledAndCredit()).isEqualTo(credit);
        await().untilAsserted(() ->
                assertThat(tck.broker().queue("strict").messageCount()).isZero());
        assertThat(application.subscription("strict").attached()).isEqualTo(1);
    }
}

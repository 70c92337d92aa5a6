package dev.consignee.tck.weld;

import static dev.consignee.tck.Direction.BROKER_TO_CLIENT;
import static dev.consignee.tck.Direction.CLIENT_TO_BROKER;
import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.ChildJvm;
import dev.consignee.tck.Frame;
import dev.consignee.tck.Hold;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.QueueCounters;
import dev.consignee.tck.Tck;
import dev.consignee.tck.WireMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.Role;
import org.apache.qpid.proton.amqp.transport.Transfer;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Kills the process at each point between the steps of a plan that publishes, and asks the broker where the messages are: in
 * the queue, in a copy or in the dead-letter queue; in two of them where the crash fell between confirmation and settlement;
 * never in none, but for a copy that waited in the process (delay-3).
 *
 * <p>One process has a message in each kind of plan: a copy at once, a dead letter at the cap and without one, a copy with
 * the broker, a copy that is due in the process and one that is not. The point is where the proxy holds a frame back, and
 * the process is killed meanwhile. A subscription has no more credit than originals, so that it does not receive its own copy
 * before they are settled.
 */
class CrashBetweenStepsContractTest {

    private static final List<String> QUEUES =
            List.of("capped", "mortal", "mortal.dead", "fatal", "fatal.dead", "patient", "hasty", "DLQ");
    private static final int PLANS = 4; // that publish before they settle
    private static final String COUNT = "x-ruststream-retry-count";

    @RegisterExtension
    final Tck tck = new Tck();

    private final Map<String, QueueCounters> before = new HashMap<>();

    private ChildJvm child() {
        Map<String, String> properties = new HashMap<>(Tck.switchedOff());
        properties.put("consignee.url", tck.proxy().url());
        for (String name : List.of("capped", "mortal", "fatal", "patient", "hasty")) {
            properties.put("consignee.subscriber." + name + ".enabled", "true");
            properties.put("consignee.subscriber." + name + ".credit", "1");
        }
        properties.put("consignee.subscriber.hasty.credit", "2");
        properties.put("consignee.subscriber.mortal.max-attempts", "1");
        properties.put("consignee.subscriber.patient.delayed-retry", "broker");
        return ChildJvm.start("crash", ChildMain.class.getName(), properties);
    }

    /** One that has published to all its addresses already, so that all senders are attached. */
    private ChildJvm startedChild() throws Exception {
        ChildJvm child = child().await("READY"::equals);
        try {
            send("capped", "retry,ack");
            send("hasty", "after:1,ack");
            for (String queue : List.of("capped", "hasty")) {
                await().until(() -> tck.broker().queue(queue).messagesAdded() == 2
                        && tck.broker().queue(queue).messageCount() == 0);
            }
            await().until(() -> confirmed() == 2);
            tck.proxy().clear();
            QUEUES.forEach(queue -> before.put(queue, tck.broker().queue(queue)));
            return child;
        } catch (Exception | Error failed) {
            child.close();
            throw failed;
        }
    }

    private void send(String queue, String script) throws Exception {
        tck.client()
                .sendToQueue(
                        queue,
                        Outbound.text(script)
                                .withCorrelationId(queue + " " + script)
                                .notDurable());
    }

    /** Brings a message into each kind of plan. */
    private void sendAll(ChildJvm child) throws Exception {
        send("capped", "retry,hold");
        send("mortal", "retry,hold");
        send("fatal", "after:60000,hold");
        send("patient", "after:60000,hold");
        await().until(() -> child.count("HANDLED retry,hold 1"::equals) == 2
                && child.count("HANDLED after:60000,hold 1"::equals) == 2);
    }

    private void sendDelayed(ChildJvm child) throws Exception {
        send("hasty", "after:60001,hold");
        send("hasty", "after:2,hold");
        child.await("HANDLED after:60001,hold 1"::equals);
        child.await("HANDLED after:2,hold 1"::equals);
    }

    /** Once this is over, what the process has settled before has reached the broker. */
    private void awaitWhatWasSettled() throws Exception {
        send("work", "ack");
        await().until(() -> tck.broker().queue("work").messagesAcknowledged() == 1);
    }

    private void kill(ChildJvm child) {
        child.kill();
        tck.proxy().cut();
        await().until(() -> tck.broker().connectionCount() == 1); // the test's client
        QUEUES.forEach(queue -> await().until(() -> tck.broker().unsettled(queue) == 0));
    }

    private static boolean publishes(Frame frame) {
        return frame.is(CLIENT_TO_BROKER, Transfer.class);
    }

    private static boolean confirms(Frame frame) {
        return frame.is(BROKER_TO_CLIENT, Disposition.class)
                && ((Disposition) frame.performative()).getRole() == Role.RECEIVER;
    }

    private static boolean settles(Frame frame) {
        return frame.is(CLIENT_TO_BROKER, Disposition.class)
                && ((Disposition) frame.performative()).getRole() == Role.RECEIVER;
    }

    /** How many of the process's messages the broker has confirmed. */
    private long confirmed() {
        return tck.proxy().dispositions(BROKER_TO_CLIENT).stream()
                .filter(disposed -> !disposed.link().clientReceives())
                .count();
    }

    private long count(String queue) {
        return tck.broker().queue(queue).messageCount() - before.get(queue).messageCount();
    }

    private long added(String queue) {
        return tck.broker().queue(queue).messagesAdded() - before.get(queue).messagesAdded();
    }

    private long accepted(String queue) {
        return tck.broker().queue(queue).messagesAcknowledged()
                - before.get(queue).messagesAcknowledged();
    }

    /** The counts of copies of what waits in a queue, 0 for an original. */
    private List<String> copiesIn(String queue) {
        return tck.broker().messages(queue).stream()
                .map(WireMessage::properties)
                .map(properties -> String.valueOf(properties.getOrDefault(COUNT, "0")))
                .sorted()
                .toList();
    }

    /** What the broker has of one plan. */
    private void assertBroker(SoftAssertions softly, String queue, long added, long accepted, long left) {
        softly.assertThat(added(queue)).as("messages added to " + queue).isEqualTo(added);
        softly.assertThat(accepted(queue)).as("messages accepted from " + queue).isEqualTo(accepted);
        softly.assertThat(count(queue)).as("messages in " + queue).isEqualTo(left);
    }

    @Test
    @Asserts({"attempt-11", "attempt-6", "attempt-7", "attempt-9", "delay-3", "delay-5"})
    void processKilledBeforeWhatItPublishesHasLeftLeavesTheOriginals() throws Exception {
        try (ChildJvm child = startedChild()) {
            Hold hold = tck.proxy().hold(CrashBetweenStepsContractTest::publishes);
            sendAll(child);
            sendDelayed(child);
            await().until(() -> !hold.frames().isEmpty() && added("DLQ") == 2);
            awaitWhatWasSettled();
            kill(child);
        }
        SoftAssertions.assertSoftly(softly -> {
            assertBroker(softly, "capped", 1, 0, 1);
            assertBroker(softly, "mortal", 1, 0, 1);
            assertBroker(softly, "mortal.dead", 0, 0, 0);
            assertBroker(softly, "fatal", 1, 0, 1);
            assertBroker(softly, "fatal.dead", 0, 0, 0);
            assertBroker(softly, "patient", 1, 0, 1);
            softly.assertThat(tck.broker().queue("patient").scheduledCount()).isZero();
            assertBroker(softly, "hasty", 2, 0, 0); // both copies are lost, the one that was due too (delay-3)
            softly.assertThat(count("DLQ")).isEqualTo(2);
            softly.assertThat(copiesIn("capped")).containsExactly("0");
        });
    }

    @Test
    @Asserts({"attempt-11", "attempt-6", "attempt-7", "attempt-9", "delay-3", "delay-5"})
    void processKilledBeforeTheConfirmationReachedItLeavesOriginalsAndCopies() throws Exception {
        try (ChildJvm child = startedChild()) {
            Hold hold = tck.proxy().hold(CrashBetweenStepsContractTest::confirms);
            sendAll(child);
            sendDelayed(child);
            await().until(() -> !hold.frames().isEmpty()
                    && added("capped") == 2
                    && added("mortal.dead") == 1
                    && added("fatal.dead") == 1
                    && added("patient") == 2
                    && added("hasty") == 3);
            child.await("HANDLED after:2,hold 2"::equals);
            awaitWhatWasSettled();
            kill(child);
        }
        SoftAssertions.assertSoftly(softly -> {
            assertInTwo(softly);
            assertBroker(softly, "hasty", 3, 0, 1); // the copy that was due; the other one is lost (delay-3)
            softly.assertThat(count("DLQ")).isEqualTo(2);
            softly.assertThat(copiesIn("hasty")).containsExactly("1");
        });
    }

    /** Each of the plans that publish before they settle has left the original and what it has published. */
    private void assertInTwo(SoftAssertions softly) {
        assertBroker(softly, "capped", 2, 0, 2);
        assertBroker(softly, "mortal", 1, 0, 1);
        assertBroker(softly, "mortal.dead", 1, 0, 1);
        assertBroker(softly, "fatal", 1, 0, 1);
        assertBroker(softly, "fatal.dead", 1, 0, 1);
        assertBroker(softly, "patient", 2, 0, 2);
        softly.assertThat(tck.broker().queue("patient").scheduledCount()).isEqualTo(1);
        softly.assertThat(copiesIn("capped")).containsExactly("0", "1");
    }

    @Test
    @Asserts({"attempt-11", "attempt-6", "attempt-7", "attempt-9", "delay-1", "delay-5"})
    void processKilledBetweenConfirmationAndSettlementLeavesOriginalsAndCopies() throws Exception {
        try (ChildJvm child = startedChild()) {
            Hold hold = tck.proxy().hold(CrashBetweenStepsContractTest::settles);
            send("capped", "retry,hold");
            await().until(() ->
                    hold.frames().size() == 1); // this one is at its point; the others come to stand behind it
            assertThat(confirmed()).isEqualTo(1);
            send("mortal", "retry,hold");
            send("fatal", "after:60000,hold");
            send("patient", "after:60000,hold");
            sendDelayed(child);
            await().until(() -> confirmed() == PLANS + 1); // and the copy that was due
            kill(child);
        }
        SoftAssertions.assertSoftly(softly -> {
            assertInTwo(softly);
            assertBroker(softly, "hasty", 3, 0, 3); // both rejections were on their way, and one of the copies was due
            softly.assertThat(count("DLQ")).isZero();
            softly.assertThat(copiesIn("hasty")).containsExactly("0", "0", "1");
        });
    }

    @Test
    @Asserts({"attempt-11", "attempt-6", "attempt-7", "attempt-9", "delay-3", "delay-5"})
    void processKilledAfterTheSettlementLeavesTheCopies() throws Exception {
        try (ChildJvm child = startedChild()) {
            sendAll(child);
            sendDelayed(child);
            child.await("HANDLED retry,hold 2"::equals); // capped's copy
            child.await("HANDLED after:2,hold 2"::equals);
            await().until(() -> accepted("capped") == 1
                    && accepted("mortal") == 1
                    && accepted("fatal") == 1
                    && accepted("patient") == 1);
            kill(child);
        }
        SoftAssertions.assertSoftly(softly -> {
            assertBroker(softly, "capped", 2, 1, 1);
            assertBroker(softly, "mortal", 1, 1, 0);
            assertBroker(softly, "mortal.dead", 1, 0, 1);
            assertBroker(softly, "fatal", 1, 1, 0);
            assertBroker(softly, "fatal.dead", 1, 0, 1);
            assertBroker(softly, "patient", 2, 1, 1);
            softly.assertThat(tck.broker().queue("patient").scheduledCount()).isEqualTo(1);
            assertBroker(softly, "hasty", 3, 0, 1);
            softly.assertThat(count("DLQ")).isEqualTo(2);
            softly.assertThat(copiesIn("capped")).containsExactly("1");
            softly.assertThat(copiesIn("hasty")).containsExactly("1");
        });
    }
}

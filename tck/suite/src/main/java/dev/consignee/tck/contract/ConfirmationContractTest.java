package dev.consignee.tck.contract;

import static dev.consignee.tck.Direction.BROKER_TO_CLIENT;
import static dev.consignee.tck.Direction.CLIENT_TO_BROKER;
import static dev.consignee.tck.Tck.await;
import static dev.consignee.tck.Tck.patient;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.EmbeddedArtemis.WhenFull;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.Hold;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Tck;
import dev.consignee.tck.TckApplication;
import dev.consignee.tck.WireMessage;
import dev.consignee.tck.app.Handled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message is never in none of queue, copy and dead letter: what is published is confirmed before anything is settled. */
class ConfirmationContractTest {

    private static final String RETRY_COUNT = "x-ruststream-retry-count";

    @RegisterExtension
    final Tck tck = new Tck();

    // --- what a test sees

    private static List<Handled> of(TckApplication application, String id) {
        return application.handled().stream()
                .filter(each -> each.message().equals(id))
                .toList();
    }

    /** From a peer that sends no header section. */
    private static Outbound headerless(String id, String script) {
        return Outbound.text(script).withCorrelationId(id).notDurable();
    }

    private List<LinkEvent.Transferred> sentTo(String address) {
        return sentTo(tck.proxy(), address);
    }

    private static List<LinkEvent.Transferred> sentTo(FrameProxy proxy, String address) {
        return proxy.events(LinkEvent.Transferred.class).stream()
                .filter(event -> event.sendingTo(address))
                .toList();
    }

    private void awaitCount(String queue, long messages) {
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(queue).messageCount()).isEqualTo(messages));
    }

    private static boolean confirms(LinkEvent event, String address) {
        return event instanceof LinkEvent.Disposed disposed
                && disposed.direction() == BROKER_TO_CLIENT
                && disposed.sendingTo(address)
                && disposed.state() instanceof Accepted;
    }

    private static boolean settles(LinkEvent event, String address) {
        return event instanceof LinkEvent.Disposed disposed
                && disposed.direction() == CLIENT_TO_BROKER
                && disposed.receivingFrom(address)
                && disposed.settled();
    }

    private static int first(List<LinkEvent> events, Predicate<LinkEvent> matching) {
        for (int i = 0; i < events.size(); i++) {
            if (matching.test(events.get(i))) {
                return i;
            }
        }
        throw new AssertionError("not among " + events);
    }

    // --- in order

    @Test
    @Asserts({"attempt-11", "attempt-6", "attempt-7"})
    void originalIsSettledOnceTheBrokerHasConfirmedWhatWasPublished() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("mortal", "patient"), "max-attempts", "2")) {
            tck.client().sendToQueue("mortal", headerless("1", "retry"));
            tck.client().sendToQueue("patient", headerless("2", "after:0,ack"));
            awaitCount("mortal.dead", 1);
            await().until(() -> application.subscription("mortal").accepted() == 2);
            await().until(() -> application.subscription("patient").accepted() == 2);

            assertOrder("mortal", "mortal");
            assertOrder("mortal.dead", "mortal");
            assertOrder("patient", "patient");
            assertThat(of(application, "1")).hasSize(2);
        }
    }

    /** The transfer, the broker's accepted, and only then the disposition of the delivery that it was made of. */
    private void assertOrder(String published, String queue) {
        List<LinkEvent> events = tck.proxy().events();
        int transfer = first(events, event -> event instanceof LinkEvent.Transferred && event.sendingTo(published));
        int confirmed = first(events, event -> confirms(event, published));
        assertThat(transfer).isLessThan(confirmed);
        WireMessage message = ((LinkEvent.Transferred) events.get(transfer)).message();
        Object copied = message.properties().getOrDefault(RETRY_COUNT, "0");
        String arrivedAs = published.equals(queue) ? String.valueOf(Integer.parseInt((String) copied) - 1) : "1";
        LinkEvent.Transferred original = events.stream()
                .filter(event -> event instanceof LinkEvent.Transferred && event.receivingFrom(queue))
                .map(LinkEvent.Transferred.class::cast)
                .filter(event -> event.message()
                        .properties()
                        .getOrDefault(RETRY_COUNT, "0")
                        .equals(arrivedAs))
                .findFirst()
                .orElseThrow();
        int settled = first(
                events,
                event -> settles(event, queue)
                        && event instanceof LinkEvent.Disposed disposed
                        && disposed.deliveryId() == original.deliveryId()
                        && disposed.link().equals(original.link()));
        assertThat(confirmed).as(published).isLessThan(settled);
        assertThat(((LinkEvent.Disposed) events.get(settled)).state()).isInstanceOf(Accepted.class);
    }

    // --- while the broker refuses

    private void makeRoom(String address, WhenFull whenFull) {
        tck.broker().limit(address, 1_000, whenFull);
    }

    @ParameterizedTest
    @EnumSource(WhenFull.class)
    @Asserts("attempt-11")
    void fullDeadLetterAddressKeepsTheOriginalUnsettledUntilThereIsRoom(WhenFull whenFull) throws Exception {
        if (whenFull == WhenFull.BLOCK) { // full before the sender is attached, which gets no credit
            tck.client().sendToQueue("mortal.dead", Outbound.text("in the way"));
            tck.broker().limit("mortal.dead", 1, whenFull);
        }
        try (TckApplication application = tck.deployWith(
                List.of("mortal"), "max-attempts", "1", "credit", "8", "consignee.send-timeout", "200ms")) {
            if (whenFull == WhenFull.FAIL) { // full once the sender has credit, whose messages are rejected
                tck.broker().limit("mortal.dead", 1, whenFull);
                tck.client().sendToQueue("mortal.dead", Outbound.text("in the way"));
            }
            long begun = System.nanoTime();
            tck.client()
                    .sendToQueue(
                            "mortal",
                            headerless("1", "retry"),
                            headerless("2", "retry"),
                            Outbound.text("retry").withCorrelationId("3"));
            tck.client().sendToQueue("mortal", 50, i -> headerless("ack " + i, "ack"));
            await().until(() -> application.subscription("mortal").accepted() == 50);
            awaitCount("mortal", 3);
            assertThat(tck.broker().unsettled("mortal")).isEqualTo(3);

            await().until(() -> System.nanoTime() - begun > 1_000_000_000L); // of which tries wait 0.2 s for credit
            assertThat(sentTo("mortal.dead"))
                    .as("rejected before the credit was taken away, and none without")
                    .hasSizeBetween(whenFull == WhenFull.FAIL ? 1 : 0, whenFull == WhenFull.FAIL ? 3 : 0);
            assertThat(application.handled()).as("no further attempt").hasSize(53);
            assertThat(tck.proxy().dispositionsOf("mortal")).hasSize(50);
            assertThat(application.subscription("mortal").deadLetters()).isZero();

            makeRoom("mortal.dead", whenFull);
            awaitCount("mortal.dead", 4);
            awaitCount("mortal", 0);
            await().until(() -> application.subscription("mortal").deadLetters() == 3);
            await().until(() -> tck.proxy().dispositionsOf("mortal").size() == 53);
            assertThat(tck.proxy().dispositionsOf("mortal")).allMatch(each -> each instanceof Accepted);
            assertThat(application.handled()).hasSize(53);
        }
        assertThat(tck.broker().queue("mortal.dead").messagesAdded())
                .as("each once, and the one in the way")
                .isEqualTo(4);
    }

    @Test
    @Asserts("attempt-11")
    void fullAddressOfItsOwnKeepsTheOriginalUnsettledUntilThereIsRoom() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("capped"), "consignee.send-timeout", "200ms")) {
            tck.client().sendToQueue("capped", headerless("before", "retry,ack")); // so that the sender has credit
            await().until(() -> application.subscription("capped").accepted() == 2);
            awaitCount("capped", 0);
            tck.proxy().clear();
            tck.client().sendToQueue("capped", headerless("1", "hold:retry,retry"), headerless("2", "retry,ack"));
            await().until(() -> application.held() == 1);
            tck.broker().limit("capped", 2, WhenFull.FAIL); // which its two messages fill
            application.letGo();
            await().until(() ->
                    application.handled().size() == 2 + 2 && !sentTo("capped").isEmpty());
            assertThat(application.handled()).as("no further attempt").hasSize(2 + 2);
            assertThat(tck.proxy().dispositionsOf("capped")).isEmpty();
            assertThat(tck.broker().unsettled("capped")).isEqualTo(2);

            makeRoom("capped", WhenFull.FAIL);
            await().until(() -> application.subscription("capped").rejected() == 1);
            await().until(() -> application.subscription("capped").accepted() == 2 + 6);
            assertThat(of(application, "1")).extracting(Handled::attempt).containsExactly(1, 2, 3, 4, 5);
            assertThat(of(application, "2")).extracting(Handled::attempt).containsExactly(1, 2);
            awaitCount("capped", 0);
            assertThat(tck.broker().queue("capped").messagesAdded()).isEqualTo(2 + 2 + 5);
        }
    }

    @Test
    @Asserts({"attempt-14", "attempt-11"})
    void unknownDeadLetterAddressShowsAtTheStartAndNothingIsReceivedBefore() throws Exception {
        try (EmbeddedArtemis broker =
                        EmbeddedArtemis.builder().autoCreate(false).start();
                FrameProxy proxy = FrameProxy.to(broker.port());
                AmqpClient client = new AmqpClient(broker.url())) {
            List.of("work", "orders", "visits", "mortal").forEach(broker::createQueue);
            client.sendToQueue("mortal", headerless("1", "retry"));
            TckApplication application = tck.deploy(
                    "consignee.url", proxy.url(),
                    "consignee.subscriber.mortal.enabled", "true",
                    "consignee.subscriber.mortal.max-attempts", "1");
            await().until(() -> application.subscription("work").state().equals("ATTACHED"));
            await().until(() -> attachedTargets(proxy, "mortal.dead").size() >= 4);
            assertThat(application.subscription("mortal").state()).isEqualTo("CONNECTING");
            assertThat(broker.queue("mortal").consumerCount()).isZero();
            assertThat(application.handled()).isEmpty();
            assertThat(proxy.events(LinkEvent.Attached.class)).noneMatch(event -> event.receivingFrom("mortal"));
            assertThat(attachedTargets(proxy, "mortal.dead"))
                    .allMatch(target -> List.of(target.getCapabilities()).contains(Symbol.valueOf("queue")));

            broker.createQueue("mortal.dead");
            await().untilAsserted(() ->
                    assertThat(broker.queue("mortal.dead").messageCount()).isEqualTo(1));
            await().untilAsserted(() ->
                    assertThat(broker.queue("mortal").messageCount()).isZero());
            assertThat(of(application, "1")).hasSize(1);
            List<LinkEvent> events = proxy.events();
            assertThat(first(events, event -> event instanceof LinkEvent.Attached && event.receivingFrom("mortal")))
                    .isGreaterThan(first(
                            events,
                            event -> event instanceof LinkEvent.Attached
                                    && event.sendingTo("mortal.dead")
                                    && event.direction() == BROKER_TO_CLIENT));
            application.close();
        }
    }

    /** The targets of the application's attempts to attach a sender to an address. */
    private static List<Target> attachedTargets(FrameProxy proxy, String address) {
        return proxy.frames(frame -> frame.is(CLIENT_TO_BROKER, Attach.class)).stream()
                .map(frame -> (Attach) frame.performative())
                .filter(attach -> attach.getRole() == Role.SENDER)
                .map(attach -> (Target) attach.getTarget())
                .filter(target -> target != null && address.equals(target.getAddress()))
                .toList();
    }

    @Test
    @Asserts("attempt-14")
    void deadLetterAddressMayBeATopic() throws Exception {
        try (TckApplication application =
                tck.deployWith(List.of("mortal", "news-b"), "max-attempts", "1", "dead-letter", "topic:news")) {
            tck.client().sendToQueue("mortal", headerless("1", "retry"));
            await().until(() -> of(application, "1").size() == 2);
            assertThat(of(application, "1")).extracting(Handled::subscription).containsExactly("mortal", "news-b");
            awaitCount("mortal", 0);
            assertThat(attachedTargets(tck.proxy(), "news"))
                    .hasSize(1)
                    .allMatch(target -> List.of(target.getCapabilities()).contains(Symbol.valueOf("topic")));
            assertThat(tck.broker().queue("mortal.dead").messageCount()).isZero();
        }
    }

    @Test
    @Asserts({"attempt-11", "attempt-14"})
    void rightsThatAreMissingHoldUpWhatNeedsThemAndNothingElse() throws Exception {
        try (EmbeddedArtemis broker = EmbeddedArtemis.builder()
                        .user("service", "secret")
                        .user("peer", "secret")
                        .start();
                FrameProxy proxy = FrameProxy.to(broker.port());
                AmqpClient peer = new AmqpClient(broker.url(), "peer", "secret")) {
            List.of("work", "orders", "visits", "mortal", "mortal.dead", "capped")
                    .forEach(broker::createQueue);
            broker.forbidSending("service", "mortal.dead", true);
            broker.forbidSending("service", "capped", true);
            TckApplication application = tck.deploy(
                    "consignee.url", proxy.url(),
                    "consignee.username", "service",
                    "consignee.password", "secret",
                    "consignee.subscriber.mortal.enabled", "true",
                    "consignee.subscriber.mortal.max-attempts", "1",
                    "consignee.subscriber.capped.enabled", "true");
            await().until(() -> application.subscription("capped").state().equals("ATTACHED"));
            await().until(() -> attachedTargets(proxy, "mortal.dead").size() >= 3);
            assertThat(application.subscription("mortal").state()).isEqualTo("CONNECTING");

            // Its own address: shows with the first copy, and holds up the messages that need one.
            peer.sendToQueue("capped", headerless("1", "retry,ack"), headerless("2", "ack"), headerless("3", "retry"));
            await().until(() -> application.subscription("capped").accepted() == 1);
            await().until(() -> attachedTargets(proxy, "capped").size() >= 4);
            assertThat(application.handled()).hasSize(3);
            assertThat(broker.unsettled("capped")).isEqualTo(2);
            assertThat(application.subscription("capped").state()).isEqualTo("ATTACHED");
            broker.forbidSending("service", "capped", false);
            await().until(() -> application.subscription("capped").rejected() == 1);
            assertThat(of(application, "1")).extracting(Handled::attempt).containsExactly(1, 2);
            assertThat(of(application, "3")).extracting(Handled::attempt).containsExactly(1, 2, 3, 4, 5);

            // The dead-letter address: shows at the start; taken away later, it holds up the dead letters.
            broker.forbidSending("service", "mortal.dead", false);
            await().until(() -> application.subscription("mortal").state().equals("ATTACHED"));
            peer.sendToQueue("mortal", headerless("4", "retry"));
            await().untilAsserted(() ->
                    assertThat(broker.queue("mortal.dead").messageCount()).isEqualTo(1));
            broker.forbidSending("service", "mortal.dead", true);
            proxy.clear();
            long begun = System.nanoTime();
            peer.sendToQueue("mortal", headerless("5", "retry"), headerless("6", "retry"), headerless("7", "ack"));
            await().until(() -> of(application, "7").size() == 1);
            // Each is rejected, and tried again: long enough for tries to have become as rare as they get.
            await().until(() -> sentTo(proxy, "mortal.dead").size() >= 2 * 10);
            double seconds = (System.nanoTime() - begun) / 1e9;
            assertThat(sentTo(proxy, "mortal.dead").size())
                    .as("tries in " + seconds + " s")
                    .isLessThanOrEqualTo((int) (2 * (6 + seconds / 0.16)));
            assertThat(broker.unsettled("mortal")).isEqualTo(2);
            assertThat(proxy.dispositionsOf("mortal")).hasSize(1);
            assertThat(of(application, "5")).hasSize(1);
            broker.forbidSending("service", "mortal.dead", false);
            await().untilAsserted(() ->
                    assertThat(broker.queue("mortal.dead").messageCount()).isEqualTo(3));
            await().untilAsserted(() ->
                    assertThat(broker.queue("mortal").messageCount()).isZero());
            application.close();
        }
    }

    // --- when connections are cut

    /** A moment on the way of one message. */
    private enum Moment {
        BEFORE_IT_IS_PUBLISHED {
            @Override
            boolean now(LinkEvent event, String published, String queue) {
                return event instanceof LinkEvent.Transferred && event.sendingTo(published);
            }
        },
        BEFORE_IT_IS_CONFIRMED {
            @Override
            boolean now(LinkEvent event, String published, String queue) {
                return confirms(event, published);
            }
        },
        BEFORE_IT_IS_SETTLED {
            @Override
            boolean now(LinkEvent event, String published, String queue) {
                return settles(event, queue);
            }
        };

        abstract boolean now(LinkEvent event, String published, String queue);
    }

    @Test
    @Asserts({"attempt-11", "settle-7", "settle-8"})
    void deadLetterIsNeverLostWhereverAConnectionIsCut() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("mortal"), "max-attempts", "1")) {
            List<String> cuts = new ArrayList<>();
            for (Moment moment : Moment.values()) {
                for (boolean everything : new boolean[] {false, true}) {
                    String id = moment + (everything ? ", all cut" : ", one cut");
                    cuts.add(id);
                    tck.proxy().cutAt(event -> moment.now(event, "mortal.dead", "mortal"), everything);
                    tck.client().sendToQueue("mortal", Outbound.text("retry").withCorrelationId(id));
                    await().alias(id).until(() -> !tck.proxy().cutIsDue());
                    await().alias(id).until(() -> !deadLetters(id).isEmpty());
                    await().alias(id).until(() -> tck.broker().queue("mortal").messageCount() == 0);
                }
            }
            cuts.forEach(id -> assertThat(deadLetters(id)).as(id).hasSizeBetween(1, 2));
            assertThat(deadLetters(Moment.BEFORE_IT_IS_PUBLISHED + ", one cut"))
                    .as("published once more, over another connection")
                    .hasSize(1);
            assertThat(deadLetters(Moment.BEFORE_IT_IS_SETTLED + ", one cut"))
                    .as("published, confirmed, and not settled: there twice")
                    .hasSize(2);
            assertThat(application.subscription("mortal").lostCopies()).isZero();
            assertThat(tck.broker().deadLetters()).isZero();
        }
    }

    private List<WireMessage> deadLetters(String id) {
        return tck.broker().messages("mortal.dead").stream()
                .filter(message -> message.correlationId().equals(Optional.of(id)))
                .toList();
    }

    @Test
    @Asserts({"attempt-11", "settle-7", "settle-8"})
    void copyIsNeverLostWhereverAConnectionIsCut() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("capped"), "max-attempts", "50")) {
            for (Moment moment : Moment.values()) {
                for (boolean everything : new boolean[] {false, true}) {
                    String id = moment + (everything ? ", all cut" : ", one cut");
                    tck.proxy().cutAt(event -> moment.now(event, "capped", "capped"), everything);
                    tck.client().sendToQueue("capped", headerless(id, "retry,retry,retry,ack"));
                    await().alias(id).until(() -> !tck.proxy().cutIsDue());
                    await().alias(id).until(() -> of(application, id).size() >= 4);
                    await().alias(id).until(() -> tck.broker().queue("capped").messageCount() == 0);
                }
            }
            assertThat(application.subscription("capped").lostCopies()).isZero();
            assertThat(tck.broker().deadLetters()).isZero();
        }
    }

    @Test
    @Asserts({"attempt-11", "settle-7"})
    void deadLettersThatTheBrokerRefusesSurviveCutsAndAreNotPublishedForALinkThatIsGone() throws Exception {
        try (TckApplication application =
                tck.deployWith(List.of("mortal"), "max-attempts", "1", "consignee.send-timeout", "200ms")) {
            tck.broker().limit("mortal.dead", 1, WhenFull.FAIL);
            tck.client().sendToQueue("mortal.dead", Outbound.text("in the way"));
            tck.client().sendToQueue("mortal", 3, i -> Outbound.text("retry").withCorrelationId("message " + i));
            await().until(() ->
                    application.handled().size() == 3 && !sentTo("mortal.dead").isEmpty());

            // The receiving connection: the deliveries go back, and their dead letters are forgotten.
            tck.proxy().cut(receivingConnection());
            await().until(() -> application.handled().size() == 6);
            await().until(() -> application.subscription("mortal").linkLost() == 3);
            assertThat(tck.broker().unsettled("mortal")).isEqualTo(3);

            // The publishing connection: the deliveries stay where they are. The new sender gets no credit.
            int attached = attachedTargets(tck.proxy(), "mortal.dead").size();
            tck.proxy().cut(sentTo("mortal.dead").get(0).link().connection());
            await().until(() -> attachedTargets(tck.proxy(), "mortal.dead").size() > attached);
            assertThat(application.handled()).hasSize(6);
            assertThat(tck.broker().unsettled("mortal")).isEqualTo(3);

            // Both, and away for a while.
            tck.proxy().refuse(true);
            tck.proxy().cut();
            await().until(() -> tck.broker().queue("mortal").deliveringCount() == 0);
            awaitCount("mortal", 3);
            makeRoom("mortal.dead", WhenFull.FAIL);
            tck.proxy().refuse(false);

            awaitCount("mortal.dead", 4);
            awaitCount("mortal", 0);
            await().until(() -> application.subscription("mortal").deadLetters() == 3);
            assertThat(application.handled()).hasSize(9);
            await().until(() -> application.subscription("mortal").linkLost() == 6);
        }
        assertThat(tck.broker().queue("mortal.dead").messagesAdded())
                .as("each once, and the one in the way")
                .isEqualTo(4);
    }

    private int receivingConnection() {
        List<LinkEvent.Attached> attached = new ArrayList<>(tck.proxy().events(LinkEvent.Attached.class).stream()
                .filter(event -> event.receivingFrom("mortal"))
                .toList());
        return attached.get(attached.size() - 1).link().connection();
    }

    // --- at a stop

    @Test
    @Asserts({"attempt-11", "settle-7"})
    void stopGivesBackWhatTheBrokerRefuses() throws Exception {
        TckApplication application =
                tck.deployWith(List.of("mortal", "fatal"), "max-attempts", "1", "consignee.send-timeout", "200ms");
        tck.broker().limit("mortal.dead", 1, WhenFull.FAIL);
        tck.client().sendToQueue("mortal.dead", Outbound.text("in the way"));
        tck.client().sendToQueue("mortal", headerless("1", "retry"), Outbound.text("retry"));
        tck.client().sendToQueue("fatal", headerless("2", "hold"));
        await().until(() ->
                application.handled().size() == 3 && !sentTo("mortal.dead").isEmpty());
        await().until(() -> application.held() == 1);
        application.letGo();
        assertThat(timeToClose(application)).isLessThan(patient(Duration.ofSeconds(8)));

        assertGoneBack("mortal", 2);
        awaitCount("fatal", 0);
        awaitCount("mortal.dead", 1);
        assertThat(tck.broker().deadLetters()).isZero();
    }

    @Test
    @Asserts({"attempt-11", "settle-7"})
    void stopGivesBackWhatWaitsForCredit() throws Exception {
        tck.client().sendToQueue("mortal.dead", Outbound.text("in the way"));
        tck.broker().limit("mortal.dead", 1, WhenFull.BLOCK);
        tck.broker().limit("capped", 2, WhenFull.BLOCK);
        TckApplication application =
                tck.deployWith(List.of("mortal", "capped"), "max-attempts", "1", "consignee.shutdown-timeout", "1s");
        tck.client().sendToQueue("mortal", headerless("1", "retry"), Outbound.text("retry"));
        tck.client().sendToQueue("capped", headerless("2", "retry"), headerless("3", "after:0"));
        await().until(() -> application.handled().size() == 4);
        await().until(() -> !attachedTargets(tck.proxy(), "capped").isEmpty());
        assertThat(timeToClose(application)).isLessThan(patient(Duration.ofSeconds(6)));

        assertGoneBack("mortal", 2);
        assertGoneBack("capped", 2);
        awaitCount("mortal.dead", 1);
        assertThat(sentTo("mortal.dead")).isEmpty();
        assertThat(tck.broker().deadLetters()).isZero();
    }

    private static Duration timeToClose(TckApplication application) {
        long begun = System.nanoTime();
        application.close();
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private void assertGoneBack(String queue, long messages) {
        assertThat(tck.proxy().dispositionsOf(queue)).isEmpty();
        await().until(() -> tck.broker().queue(queue).deliveringCount() == 0);
        awaitCount(queue, messages);
    }

    @Test
    @Asserts({"attempt-11", "settle-7"})
    void deadLetterThatWaitsForCreditIsNotPublishedOnceItsLinkIsGone() throws Exception {
        tck.client().sendToQueue("mortal.dead", Outbound.text("in the way"));
        tck.broker().limit("mortal.dead", 1, WhenFull.BLOCK);
        try (TckApplication application = tck.deployWith(List.of("mortal"), "max-attempts", "1")) {
            tck.client().sendToQueue("mortal", Outbound.text("retry"));
            await().until(() -> application.handled().size() == 1);
            tck.proxy().cut(receivingConnection());
            await().until(() -> application.handled().size() == 2);
            makeRoom("mortal.dead", WhenFull.BLOCK);
            awaitCount("mortal", 0);
            assertThat(sentTo("mortal.dead")).hasSize(1);
        }
    }

    @Test
    @Asserts({"attempt-11", "settle-7", "attempt-7"})
    void stopWaitsForWhatIsAboutToBeConfirmed() throws Exception {
        TckApplication application = tck.deployWith(List.of("mortal"), "max-attempts", "1");
        Hold confirmations = tck.proxy().hold(frame -> frame.is(BROKER_TO_CLIENT, Disposition.class));
        tck.client().sendToQueue("mortal", headerless("1", "retry"), Outbound.text("retry"));
        await().until(() ->
                application.handled().size() == 2 && !confirmations.frames().isEmpty());
        Thread stopping = new Thread(application::close);
        stopping.start();
        await().until(() -> tck.proxy().events(LinkEvent.Flowed.class).stream()
                .anyMatch(
                        flow -> flow.receivingFrom("mortal") && flow.drain() && flow.direction() == BROKER_TO_CLIENT));
        confirmations.release();
        await().until(() -> !stopping.isAlive());

        assertThat(tck.proxy().dispositionsOf("mortal")).hasExactlyElementsOfTypes(Accepted.class, Accepted.class);
        awaitCount("mortal", 0);
        awaitCount("mortal.dead", 2);
        assertThat(tck.broker().deadLetters()).isZero();
    }
}

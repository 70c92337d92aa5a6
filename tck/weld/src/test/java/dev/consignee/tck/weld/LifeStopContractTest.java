package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.consignee.HandlerOutcome;
import dev.consignee.Publisher;
import dev.consignee.Subscriber;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.Frame;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.WireMessage;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Released;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.Detach;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.End;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of deliveries and handlers when the application ends. */
class LifeStopContractTest {

    /** Beyond the shutdown timeout, for a handler that hangs. */
    private static final Duration OVERHEAD = Duration.ofSeconds(3);

    /** Well under the timeouts that would otherwise be waited for, also where the machine is busy. */
    private static final Duration PROMPT = Duration.ofSeconds(8);

    private EmbeddedArtemis broker;
    private FrameProxy proxy;

    @BeforeEach
    void start() {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("work");
        proxy = FrameProxy.to(broker.port());
    }

    @AfterEach
    void stop() {
        proxy.close();
        broker.close();
    }

    private WeldApplication.Builder application(Class<?> bean) {
        return WeldApplication.of(bean).url(proxy.url());
    }

    private void send(String... payloads) throws Exception {
        try (AmqpClient client = new AmqpClient(broker.url())) {
            for (String payload : payloads) {
                client.sendToQueue("work", Outbound.text(payload));
            }
        }
    }

    private void sendMany(int count) throws Exception {
        try (AmqpClient client = new AmqpClient(broker.url())) {
            client.sendToQueue("work", count, i -> Outbound.text("m" + i));
        }
    }

    /** Waits until the application has begun to stop. */
    private static void awaitStopping(WeldApplication application) {
        await().until(() -> application.status("work").state() == SubscriptionState.STOPPING);
    }

    private static Duration timed(Runnable run) {
        Instant before = Instant.now();
        run.run();
        return Duration.between(before, Instant.now());
    }

    private void assertEachDeliverySettledOnce() {
        List<LinkEvent.Disposed> dispositions = proxy.dispositions(Direction.CLIENT_TO_BROKER).stream()
                .filter(disposed -> disposed.receivingFrom("work"))
                .toList();
        Set<List<Object>> deliveries = new HashSet<>();
        dispositions.forEach(disposed -> deliveries.add(List.of(disposed.link().number(), disposed.deliveryId())));
        assertThat(deliveries).hasSameSizeAs(dispositions);
    }

    private long count(Class<? extends DeliveryState> state) {
        return proxy.dispositionsOf("work").stream().filter(state::isInstance).count();
    }

    @Test
    @Asserts("life-4")
    void idleApplicationStopsAtOnceAndClosesItsConnection() {
        WeldApplication application = application(Gated.class).start().awaitAttached();

        assertThat(timed(application::close)).isLessThan(PROMPT);
        await().until(() -> broker.connectionCount() == 0);
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").consumerCount()).isZero());
    }

    @Test
    @Asserts("life-4")
    void thousandsOfUntouchedDeliveriesGoBackWithTheirCountUnchanged() throws Exception {
        int many = 4000;
        WeldApplication application = application(Gated.class)
                .config("consignee.subscriber.work.credit", "5000")
                .start();
        Gated gated = application.bean(Gated.class);
        send("hold");
        await().until(() -> gated.held() == 1);
        sendMany(many);
        await().until(() -> broker.unsettled("work") == many + 1);

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(application::close);
        await().until(() -> broker.unsettled("work") == 1); // given back at once, not after the handler
        gated.letGo();
        stopped.get(20, TimeUnit.SECONDS);

        await().until(() -> broker.connectionCount() == 0);
        assertThat(gated.handled()).containsExactly("hold");
        await().untilAsserted(() ->
                assertThat(broker.queue("work").messagesAcknowledged()).isEqualTo(1));
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").messageCount()).isEqualTo(many));
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").deliveringCount()).isZero());
        await().untilAsserted(() -> assertThat(broker.deadLetters()).isZero());
        await().untilAsserted(() -> assertThat(broker.messages("work"))
                .hasSize(many)
                .extracting(WireMessage::deliveryCount)
                .containsOnly(0));
        assertThat(count(Accepted.class)).isEqualTo(1);
        assertThat(count(Released.class)).isEqualTo(many);
        assertEachDeliverySettledOnce();
    }

    @Test
    @Asserts("life-4")
    void nextReceiverSeesAFirstDelivery() throws Exception {
        WeldApplication application = application(Gated.class).start();
        Gated gated = application.bean(Gated.class);
        send("hold", "next");
        await().until(() -> gated.held() == 1 && broker.unsettled("work") == 2);
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(application::close);
        await().until(() -> broker.unsettled("work") == 1);
        gated.letGo();
        stopped.get(20, TimeUnit.SECONDS);

        try (AmqpClient client = new AmqpClient(broker.url())) {
            WireMessage next = client.receive("work", Duration.ofSeconds(10)).orElseThrow();
            assertThat(next.text()).isEqualTo("next");
            assertThat(next.deliveryCount()).isZero();
        }
    }

    @Test
    @Asserts("life-4")
    void underLoadNothingIsLostAndNothingIsHandledTwice() throws Exception {
        int many = 20_000;
        sendMany(many);
        Set<String> seen = new HashSet<>();
        long calls = 0;
        for (int round = 1; round <= 4; round++) {
            int enough = 200 * round;
            WeldApplication application = application(Counting.class)
                    .config("consignee.subscriber.work.credit", "2000")
                    .start();
            Counting counting = application.bean(Counting.class);
            await().pollInterval(Duration.ofMillis(5)).until(() -> counting.calls() >= enough);
            application.close();
            seen.addAll(counting.handled);
            calls += counting.calls();
            long soFar = calls;

            await().until(() -> broker.connectionCount() == 0);
            await().untilAsserted(() ->
                    assertThat(broker.queue("work").messagesAcknowledged()).isEqualTo(soFar));
            await().untilAsserted(() ->
                    assertThat(broker.queue("work").messageCount()).isEqualTo(many - soFar));
            await().untilAsserted(() ->
                    assertThat(broker.queue("work").deliveringCount()).isZero());
        }
        assertThat(seen).as("none handled twice").hasSize((int) calls);
        await().untilAsserted(() -> assertThat(broker.messages("work"))
                .extracting(WireMessage::deliveryCount)
                .containsOnly(0));
        await().untilAsserted(() -> assertThat(broker.messages("work"))
                .extracting(WireMessage::text)
                .doesNotContainAnyElementsOf(seen));
        assertThat(count(Accepted.class)).isEqualTo(calls);
        assertEachDeliverySettledOnce();
    }

    @Test
    @Asserts("life-4")
    void runningHandlerFinishesAndItsOutcomeReachesTheBroker() throws Exception {
        WeldApplication application = application(Gated.class).start();
        Gated gated = application.bean(Gated.class);
        send("hold");
        await().until(() -> gated.held() == 1);

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(application::close);
        awaitStopping(application);
        assertThat(proxy.dispositionsOf("work")).isEmpty();
        gated.letGo();
        stopped.get(20, TimeUnit.SECONDS);

        assertThat(proxy.dispositionsOf("work")).hasSize(1).allMatch(each -> each instanceof Accepted);
        await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").messageCount()).isZero());
    }

    @Test
    @Asserts("life-4")
    void creditIsWithdrawnFirstAndWhatComesThenIsNotHandled() throws Exception {
        WeldApplication application = application(Gated.class).start();
        Gated gated = application.bean(Gated.class);
        send("hold", "a", "b");
        await().until(() -> gated.held() == 1 && broker.unsettled("work") == 3);

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(application::close);
        await().until(() -> broker.unsettled("work") == 1);
        send("late 1", "late 2");
        await().untilAsserted(() -> assertThat(broker.unsettled("work"))
                .as("nothing is handed over any more")
                .isEqualTo(1));
        gated.letGo();
        stopped.get(20, TimeUnit.SECONDS);

        List<LinkEvent> ofClient = proxy.events().stream()
                .filter(event -> event.receivingFrom("work") && event.direction() == Direction.CLIENT_TO_BROKER)
                .toList();
        int drain = indexOf(ofClient, event -> event instanceof LinkEvent.Flowed flow && flow.drain());
        int firstDisposition = indexOf(ofClient, event -> event instanceof LinkEvent.Disposed);
        assertThat(drain).as("the drain in %s", ofClient).isNotNegative().isLessThan(firstDisposition);
        assertThat(proxy.dispositionsOf("work"))
                .extracting(state -> state.getClass().getSimpleName())
                .containsExactly("Released", "Released", "Accepted");
        List<Frame> ofEnd = proxy.frames(frame -> frame.is(Direction.CLIENT_TO_BROKER, Disposition.class)
                || frame.is(Direction.CLIENT_TO_BROKER, Detach.class)
                || frame.is(Direction.CLIENT_TO_BROKER, End.class));
        assertThat(indexOf(ofEnd, frame -> !(frame.performative() instanceof Disposition)))
                .as("the link goes after the last disposition, in %s", ofEnd)
                .isGreaterThan(lastDisposition(ofEnd));
        assertThat(gated.handled()).containsExactly("hold");
        await().until(() -> broker.queue("work").messageCount() == 4);
    }

    private static int lastDisposition(List<Frame> frames) {
        return frames.lastIndexOf(frames.stream()
                .filter(frame -> frame.performative() instanceof Disposition)
                .reduce((earlier, later) -> later)
                .orElseThrow());
    }

    private static <T> int indexOf(List<T> list, Predicate<? super T> matching) {
        for (int i = 0; i < list.size(); i++) {
            if (matching.test(list.get(i))) {
                return i;
            }
        }
        return -1;
    }

    @Test
    @Asserts("life-4")
    void hangingHandlerHoldsTheStopNoLongerThanTheTimeoutAndSettlesNothingAfterIt() throws Exception {
        WeldApplication application = application(Gated.class)
                .config("consignee.shutdown-timeout", "1s")
                .start();
        Gated gated = application.bean(Gated.class);
        send("hold", "next");
        await().until(() -> gated.held() == 1);
        FreshThreads threads = new FreshThreads();
        try (LogCapture log = LogCapture.ofConsignee()) {
            assertThat(timed(application::close))
                    .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(1).plus(OVERHEAD));

            assertThat(log.events("CONS0311")).hasSize(1);
            ILoggingEvent stuck = log.events("CONS0311").get(0);
            assertThat(stuck.getLevel()).isEqualTo(Level.ERROR);
            assertThat(stuck.getFormattedMessage())
                    .contains("'consignee-work'", "subscription 'work'", "Gated.work(Gated.java");
        }
        await().until(() -> broker.connectionCount() == 0);
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").messageCount()).isEqualTo(2));
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").deliveringCount()).isZero());

        gated.letGo();
        await().until(() -> gated.returned().equals(List.of("hold")));
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("consignee-work")));
        assertThat(threads.names()).isEmpty();
        assertThat(count(Accepted.class)).isZero();
        assertThat(gated.handled()).containsExactly("hold");
        await().untilAsserted(() ->
                assertThat(broker.queue("work").messagesAcknowledged()).isZero());
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").messageCount()).isEqualTo(2));
        assertThat(broker.connectionCount()).isZero();
    }

    @Test
    @Asserts("life-4")
    void handlerThatEndsByTheInterruptAfterTheTimeoutSettlesNothing() throws Exception {
        WeldApplication application = application(Interruptible.class)
                .config("consignee.shutdown-timeout", "500ms")
                .start();
        Interruptible interruptible = application.bean(Interruptible.class);
        send("hold");
        await().until(() -> interruptible.entered.getCount() == 0);
        try (LogCapture log = LogCapture.ofConsignee()) {
            application.stopSubscriptions();
            assertThat(log.events("CONS0311")).isEmpty();
        }
        assertThat(interruptible.interrupted.getCount()).isZero();
        assertThat(application.status("work").state()).isEqualTo(SubscriptionState.STOPPED);
        assertThat(application.status("work").accepted()).isZero();
        application.close();
        await().until(() -> broker.connectionCount() == 0);
        assertThat(proxy.dispositionsOf("work")).isEmpty();
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").messageCount()).isEqualTo(1));
    }

    @Test
    @Asserts("life-4")
    void stopIsBoundedWhileTheBrokerIsSilent() throws Exception {
        WeldApplication application = application(Gated.class)
                .config("consignee.shutdown-timeout", "2s")
                .config("consignee.close-timeout", "1s")
                .start()
                .awaitAttached();
        FreshThreads threads = new FreshThreads();
        proxy.blackhole(true);

        assertThat(timed(application::close)).isLessThan(PROMPT);
        proxy.cut();
        await().until(() -> threads.names().isEmpty());
    }

    @Test
    @Asserts("life-4")
    void stopIsBoundedWhileTheBrokerIsSilentAndAHandlerHangs() throws Exception {
        WeldApplication application = application(Gated.class)
                .config("consignee.shutdown-timeout", "1s")
                .config("consignee.close-timeout", "1s")
                .start();
        Gated gated = application.bean(Gated.class);
        send("hold");
        await().until(() -> gated.held() == 1);
        proxy.blackhole(true);

        assertThat(timed(application::close)).isLessThan(PROMPT);
        gated.letGo();
        proxy.cut();
        await().until(() -> broker.queue("work").deliveringCount() == 0);
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").messageCount()).isEqualTo(1));
    }

    @Test
    @Asserts("life-4")
    void stopIsBoundedWhileConnectingIsNotAnswered() {
        FreshThreads threads = new FreshThreads();
        proxy.blackhole(true);
        WeldApplication application = application(Gated.class).start();
        await().until(() -> proxy.connectionCount() == 1);

        assertThat(timed(application::close)).isLessThan(PROMPT);
        await().until(() -> threads.names().isEmpty());
    }

    @Test
    @Asserts("life-4")
    void stopIsPromptDuringALongBackOff() {
        broker.stop();
        WeldApplication application = application(Gated.class)
                .config("consignee.reconnect.delay", "30s")
                .config("consignee.reconnect.max-delay", "60s")
                .start();
        await().until(() -> application.status("work").state() == SubscriptionState.CONNECTING);

        assertThat(timed(application::close)).isLessThan(PROMPT);
    }

    @Test
    @Asserts("life-4")
    void handlerMayPublishWhileTheApplicationStops() throws Exception {
        broker.createQueue("out");
        WeldApplication application = application(Publishing.class).start();
        Publishing publishing = application.bean(Publishing.class);
        send("m");
        await().until(() -> publishing.entered.getCount() == 0);

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(application::close);
        awaitStopping(application);
        publishing.goOn.countDown();
        stopped.get(20, TimeUnit.SECONDS);

        assertThat(publishing.failures).isEmpty();
        await().untilAsserted(() -> assertThat(broker.messages("out"))
                .extracting(WireMessage::text)
                .containsExactly("published at the end: m"));
        await().untilAsserted(() ->
                assertThat(broker.queue("work").messagesAcknowledged()).isEqualTo(1));
        await().until(() -> broker.connectionCount() == 0);
    }

    /** Acknowledges and counts. */
    @Singleton
    static class Counting {

        private final ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();

        @Subscriber(queue = "work")
        void work(String payload) {
            handled.add(payload);
        }

        int calls() {
            return handled.size();
        }
    }

    /** Waits until it is interrupted, and acknowledges. */
    @Singleton
    static class Interruptible {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch interrupted = new CountDownLatch(1);

        @Subscriber(queue = "work")
        HandlerOutcome work(String payload) {
            entered.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return HandlerOutcome.ack();
        }
    }

    /** Publishes once the test lets it. */
    @Singleton
    static class Publishing {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final List<Throwable> failures = new CopyOnWriteArrayList<>();

        @Inject
        Publisher publisher;

        @Subscriber(queue = "work")
        void work(String payload) throws InterruptedException {
            entered.countDown();
            goOn.await();
            try {
                publisher.toQueue("out").send("published at the end: " + payload);
            } catch (RuntimeException e) {
                failures.add(e);
                throw e;
            }
        }
    }
}

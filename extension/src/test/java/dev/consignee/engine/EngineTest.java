package dev.consignee.engine;

import static dev.consignee.engine.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.consignee.HandlerOutcome;
import dev.consignee.MessageId;
import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.SettlementFailed;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.engine.FakeReceiver.FakeDelivery;
import dev.consignee.transport.Disposition;
import dev.consignee.transport.TransportException;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class EngineTest {

    private static final Jsonb JSONB = JsonbBuilder.create();

    private final FakeTransport transport = new FakeTransport();
    private final FakeHandler handler = new FakeHandler((payload, delivery) -> HandlerOutcome.ack());
    private final List<SettlementFailed> failures = new CopyOnWriteArrayList<>();
    private final List<String> failureThreads = new CopyOnWriteArrayList<>();
    private final Map<String, SubscriptionDiagnosis> diagnoses = new ConcurrentHashMap<>();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final Logs logs = new Logs();
    private Engine engine = engine(Duration.ofSeconds(10));

    private Engine engine(Duration shutdownTimeout) {
        Brokers brokers = new Brokers();
        brokers.add(Specs.broker(""), transport, Specs.AT_ONCE);
        brokers.add(Specs.broker("eu"), transport, Specs.AT_ONCE);
        return new Engine(brokers, JSONB, Codecs.NONE, Thread::new, shutdownTimeout, failed -> {
            failureThreads.add(Thread.currentThread().getName());
            failures.add(failed);
        });
    }

    private void add(String name) {
        SubscriptionDiagnosis diagnosis = new SubscriptionDiagnosis(name, name + "-queue", "", SubscriptionState.NEW);
        diagnoses.put(name, diagnosis);
        engine.add(
                Specs.subscription(name, OnException.RETRY, OnDecodeError.DROP), handler, PayloadCheck.NONE, diagnosis);
    }

    private SubscriptionState state(String name) {
        return diagnoses.get(name).state();
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("consignee-"))
                .sorted()
                .toList();
    }

    @AfterEach
    void noThreadIsLeft() {
        letGo.countDown();
        engine.stop();
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
        logs.close();
    }

    /** Hangs until the test is over, whatever interrupts it. */
    private void hang() {
        boolean interrupted = false;
        while (true) {
            try {
                letGo.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private FakeReceiver receiverOf(String name) {
        await().until(() -> transport.receivers.stream()
                .anyMatch(each -> each.spec.source().name().equals(name + "-queue")));
        return transport.receivers.stream()
                .filter(each -> each.spec.source().name().equals(name + "-queue"))
                .findFirst()
                .orElseThrow();
    }

    // --- starting

    @Test
    void eachSubscriptionHasAThreadWithItsNameAndTheConnectionIsShared() {
        add("pick");
        add("restock");
        engine.start();
        receiverOf("pick");
        receiverOf("restock");

        assertThat(threads()).containsExactly("consignee-pick", "consignee-restock");
        assertThat(transport.connections).hasSize(1);
        assertThat(logs.lines("CONS0501")).singleElement().asString().contains("pick, restock");
    }

    @Test
    void startingTwiceStartsOnce() {
        add("pick");

        engine.start();
        engine.start();

        receiverOf("pick");
        assertThat(threads()).containsExactly("consignee-pick");
        assertThat(logs.lines("CONS0501")).hasSize(1);
    }

    @Test
    void withoutSubscriptionsNothingIsLoggedAndNothingConnects() {
        engine.start();
        engine.stop();

        assertThat(logs.lines()).isEmpty();
        assertThat(transport.attempts()).isZero();
    }

    @Test
    void aBrokerThatNobodyKnowsIsRefusedWithThoseThatAreKnown() {
        SubscriptionSpec spec = Specs.subscription("pick", OnException.RETRY, OnDecodeError.DROP);
        SubscriptionSpec elsewhere = new SubscriptionSpec(
                spec.name(), "us", spec.receiver(), spec.retries(), spec.failures(), spec.payload(), true);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.add(
                        elsewhere,
                        handler,
                        PayloadCheck.NONE,
                        new SubscriptionDiagnosis("pick", "q", "us", SubscriptionState.NEW)))
                .withMessageContainingAll("'us'", "'eu'", "the unnamed one", "consignee.broker.us.url");
    }

    @Test
    void onceStartedOrStoppedNothingIsAdded() {
        engine.start();
        assertThatIllegalStateException().isThrownBy(() -> add("late"));

        engine.stop();
        assertThatIllegalStateException().isThrownBy(() -> add("later"));
    }

    // --- stopping

    @Test
    void stoppingClosesLinksThenTheConnectionAndEndsTheThreads() {
        add("pick");
        add("restock");
        engine.start();
        FakeReceiver pick = receiverOf("pick");
        FakeReceiver restock = receiverOf("restock");

        engine.stop();

        assertThat(threads()).isEmpty();
        assertThat(pick.events).containsExactly("withdrawn", "closed");
        assertThat(restock.events).containsExactly("withdrawn", "closed");
        assertThat(transport.events).containsExactly("connect 1", "close 1");
        assertThat(state("pick")).isEqualTo(SubscriptionState.STOPPED);
        assertThat(logs.lines("CONS0502")).hasSize(1);
        assertThat(logs.lines("CONS0311")).isEmpty();
    }

    @Test
    void stoppingTwiceStopsOnce() {
        add("pick");
        engine.start();
        receiverOf("pick");

        engine.stop();
        engine.stop();

        assertThat(logs.lines("CONS0502")).hasSize(1);
        assertThat(transport.events).containsExactly("connect 1", "close 1");
    }

    @Test
    void whatWasStoppedBeforeItsStartNeverStarts() {
        add("pick");

        engine.stop();
        engine.start();

        assertThat(threads()).isEmpty();
        assertThat(transport.attempts()).isZero();
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    void startAndStopAtOnceEndInAStopWhoeverIsFirst() throws Exception {
        for (int round = 0; round < 50; round++) {
            engine = engine(Duration.ofSeconds(10));
            add("pick");
            CyclicBarrier together = new CyclicBarrier(2);
            Thread starter = new Thread(() -> {
                meet(together);
                engine.start();
            });
            starter.start();
            meet(together);
            engine.stop();
            starter.join(10_000);

            assertThat(threads()).as("round %s", round).isEmpty();
        }
        assertThat(transport.connections).allMatch(FakeConnection::closed);
        assertThat(transport.receivers).allMatch(FakeReceiver::closed);
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRunningHandlerGetsItsTimeToFinishAndSettle() throws Exception {
        handler.method = (payload, delivery) -> {
            letGo.await();
            return HandlerOutcome.retry();
        };
        add("pick");
        engine.start();
        FakeDelivery running = receiverOf("pick").deliver("running");
        await().until(() -> handler.payloads.size() == 1);
        Thread stopper = new Thread(engine::stop);
        stopper.start();
        await().until(() -> receiverOf("pick").events.contains("withdrawn"));
        assertThat(transport.connection(1).closed()).isFalse();

        letGo.countDown();
        stopper.join(10_000);

        assertThat(running.written).isEqualTo(Disposition.MODIFIED_FAILED);
        assertThat(transport.connection(1).closed()).isTrue();
        assertThat(logs.lines("CONS0311")).isEmpty();
    }

    @Test
    void aHandlerThatHangsIsNamedAndNothingOfItIsSettledAfterTheDeadline() {
        handler.method = (payload, delivery) -> {
            if (payload.equals("hang")) {
                hang();
            }
            return HandlerOutcome.ack();
        };
        engine = engine(Duration.ofMillis(50));
        add("pick");
        add("restock");
        engine.start();
        FakeReceiver pick = receiverOf("pick");
        FakeDelivery hanging = pick.deliver("hang");
        await().until(() -> handler.payloads.size() == 1);

        long before = System.nanoTime();
        engine.stop();
        Duration took = Duration.ofNanos(System.nanoTime() - before);

        assertThat(took).isBetween(Duration.ofMillis(50), Engine.GRACE.plusSeconds(3));
        assertThat(logs.lines("CONS0311"))
                .singleElement()
                .asString()
                .contains("'consignee-pick'", "'pick'", "EngineTest.hang")
                .doesNotContain("restock");
        assertThat(hanging.settled()).isFalse();
        assertThat(transport.connection(1).closed()).isTrue();
        letGo.countDown();
        await().until(hanging::settled);
        assertThat(hanging.written).isNull();
        assertThat(pick.events).doesNotContain("ACCEPTED");
        await().until(() -> state("pick") == SubscriptionState.STOPPED);
    }

    @Test
    void aHandlerThatHeedsTheInterruptIsNotNamedAndStillNotSettled() {
        handler.method = (payload, delivery) -> {
            letGo.await();
            return HandlerOutcome.ack();
        };
        engine = engine(Duration.ofMillis(50));
        add("pick");
        engine.start();
        FakeReceiver pick = receiverOf("pick");
        FakeDelivery hanging = pick.deliver("hang");
        await().until(() -> handler.payloads.size() == 1);

        engine.stop();

        assertThat(hanging.written).isNull();
        assertThat(hanging.lost).isEqualTo(Disposition.MODIFIED_FAILED);
        assertThat(pick.events).containsExactly("withdrawn", "abandoned", "closed");
        assertThat(logs.lines("CONS0311")).isEmpty();
        // The pool of events counts as ended a moment before its thread has.
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void aConnectThatHangsIsInterruptedAndDoesNotUseUpTheTimeout() {
        transport.onConnect = attempt -> waitInterruptibly();
        add("pick");
        engine.start();
        await().until(() -> transport.attempts() == 1);

        long before = System.nanoTime();
        engine.stop();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        assertThat(threads()).isEmpty();
        assertThat(transport.attempts()).isEqualTo(1);
        assertThat(logs.ids()).containsExactly("CONS0501", "CONS0502");
    }

    @Test
    void anAttachThatHangsIsInterruptedToo() {
        transport.onReceiver = attempt -> waitInterruptibly();
        add("pick");
        engine.start();
        await().until(() -> transport.attachedAt.size() == 1);

        long before = System.nanoTime();
        engine.stop();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        assertThat(threads()).isEmpty();
    }

    private void waitInterruptibly() throws TransportException {
        try {
            letGo.await();
        } catch (InterruptedException e) {
            throw new TransportException("interrupted", null, e);
        }
    }

    @Test
    void aBrokerThatIsDownDoesNotDelayAStop() {
        transport.onConnect = attempt -> {
            throw FakeTransport.refused("down");
        };
        add("pick");
        engine.start();
        await().until(() -> !logs.lines("CONS0301").isEmpty());

        long before = System.nanoTime();
        engine.stop();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        assertThat(threads()).isEmpty();
    }

    @Test
    void whoStopsKeepsItsInterruptAndStillWaitsForHandlers() {
        handler.method = (payload, delivery) -> {
            letGo.await();
            return HandlerOutcome.ack();
        };
        add("pick");
        engine.start();
        FakeDelivery running = receiverOf("pick").deliver("running");
        await().until(() -> handler.payloads.size() == 1);
        Thread releaser = new Thread(() -> {
            await().until(() -> receiverOf("pick").events.contains("withdrawn"));
            letGo.countDown();
        });
        releaser.start();

        Thread.currentThread().interrupt();
        engine.stop();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(running.written).isEqualTo(Disposition.ACCEPTED);
    }

    @Test
    void aHandlerThatStopsItsOwnApplicationDoesNotWaitForItself() {
        handler.method = (payload, delivery) -> {
            engine.stop();
            return HandlerOutcome.ack();
        };
        engine = engine(Duration.ofSeconds(20));
        add("pick");
        engine.start();
        long before = System.nanoTime();
        receiverOf("pick").deliver("stop");

        await().untilAsserted(() -> assertThat(threads()).isEmpty());

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        assertThat(logs.lines("CONS0311")).isEmpty();
        assertThat(transport.connection(1).closed()).isTrue();
    }

    @Test
    void lostSettlementsAreToldOnAThreadOfTheirOwnAndBeforeTheStopReturns() {
        handler.method = (payload, delivery) -> {
            receiverOf("pick").lose();
            return HandlerOutcome.ack();
        };
        add("pick");
        engine.start();
        receiverOf("pick").deliver(Messages.withId("id-1", "one"));
        transport.receiver(2);

        engine.stop();

        assertThat(failures)
                .singleElement()
                .satisfies(failed -> assertThat(failed.messageId()).contains(MessageId.of("id-1")));
        assertThat(failureThreads).containsExactly("consignee-events");
    }

    @Test
    void theThreadsAreThoseOfTheFactory() {
        List<Thread> made = new CopyOnWriteArrayList<>();
        Brokers brokers = new Brokers();
        brokers.add(Specs.broker(""), transport, Specs.AT_ONCE);
        engine = new Engine(
                brokers,
                JSONB,
                Codecs.NONE,
                task -> {
                    Thread thread = new Thread(task, "from the factory");
                    made.add(thread);
                    return thread;
                },
                Duration.ofSeconds(10),
                failures::add);
        add("pick");
        engine.start();
        receiverOf("pick").deliver("one");
        await().until(() -> !handler.payloads.isEmpty());

        assertThat(made.stream().map(Thread::getName).collect(Collectors.toSet()))
                .containsExactly("consignee-pick");
        assertThat(handler.threads).contains("opened on consignee-pick");
    }

    @Test
    void aHandlerThatStopsItsOwnApplicationLosesNoCopyThatWaits() {
        transport.onSenderAttached = sender -> sender.onForward =
                how -> new CompletableFuture<Void>().completeOnTimeout(null, 50, TimeUnit.MILLISECONDS);
        handler.method = (payload, delivery) -> {
            if (payload.equals("end")) {
                engine.stop();
            }
            return HandlerOutcome.retryAfter(Duration.ofHours(1));
        };
        add("pick");
        engine.start();
        FakeReceiver receiver = receiverOf("pick");
        for (int i = 0; i < 5; i++) {
            FakeReceiver.FakeDelivery later = receiver.deliver("later");
            await().until(later::settled);
        }

        receiver.deliver("end");

        await().until(() -> state("pick") == SubscriptionState.STOPPED);
        assertThat(diagnoses.get("pick").status().copies()).isEqualTo(5);
        assertThat(diagnoses.get("pick").status().lostCopies()).isZero();
        assertThat(diagnoses.get("pick").status().waitingCopies()).isZero();
    }
}

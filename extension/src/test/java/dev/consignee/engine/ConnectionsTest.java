package dev.consignee.engine;

import static dev.consignee.engine.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.consignee.time.Backoff;
import dev.consignee.transport.Connection;
import dev.consignee.transport.Transport;
import dev.consignee.transport.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ConnectionsTest {

    private final FakeTransport transport = new FakeTransport();
    private final Logs logs = new Logs();
    private final List<Thread> threads = new ArrayList<>();
    private Connections connections = connections(Specs.AT_ONCE);

    private Connections connections(Backoff backoff, String... urls) {
        return new Connections(transport, Specs.broker("", urls), Transport.Role.RECEIVING, backoff);
    }

    @AfterEach
    void endAll() throws Exception {
        connections.close();
        for (Thread thread : threads) {
            thread.join(10_000);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
        logs.close();
    }

    private <T> FutureTask<T> begin(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "waiter " + threads.size());
        threads.add(thread);
        thread.start();
        return task;
    }

    private List<FutureTask<Connection>> begin(int count, Callable<Connection> call) {
        List<FutureTask<Connection>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tasks.add(begin(call));
        }
        return tasks;
    }

    private void awaitAllWaiting() {
        await().until(() -> threads.stream()
                .allMatch(thread ->
                        thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING));
    }

    private static <T> T get(FutureTask<T> task) throws Exception {
        return task.get(10, TimeUnit.SECONDS);
    }

    private static void pass(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void oneConnectsAndAllWhoWaitGetThatConnection() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        transport.onConnect = attempt -> pass(gate);
        List<FutureTask<Connection>> waiters = begin(16, connections::await);
        awaitAllWaiting();
        assertThat(transport.attempts()).isEqualTo(1);

        gate.countDown();

        for (FutureTask<Connection> waiter : waiters) {
            assertThat(get(waiter)).isSameAs(transport.connection(1));
        }
        assertThat(transport.attempts()).isEqualTo(1);
        assertThat(logs.ids()).containsExactly("CONS0302");
    }

    @Test
    void whoTriesOnceWaitsForTheOneThatConnects() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        transport.onConnect = attempt -> pass(gate);
        List<FutureTask<Connection>> waiters = begin(8, connections::now);
        waiters.addAll(begin(8, connections::await));
        awaitAllWaiting();

        gate.countDown();

        for (FutureTask<Connection> waiter : waiters) {
            assertThat(get(waiter)).isSameAs(transport.connection(1));
        }
        assertThat(transport.attempts()).isEqualTo(1);
    }

    @Test
    void howeverManyLoseAndAskNoTwoConnectAtOnce() throws Exception {
        List<FutureTask<Connection>> askers = begin(8, () -> {
            Connection last = null;
            for (int i = 0; i < 50; i++) {
                last = i % 2 == 0 ? connections.await() : connections.now();
                ((FakeConnection) last).lose();
            }
            return last;
        });

        for (FutureTask<Connection> asker : askers) {
            get(asker);
        }
        assertThat(transport.mostAtOnce).hasValue(1);
        assertThat(transport.connections.stream().filter(each -> !each.closed()))
                .hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void aDeadConnectionIsClosedBeforeTheNextIsOpened() throws Exception {
        connections.await();
        transport.connection(1).lose();

        assertThat(connections.await()).isSameAs(transport.connection(2));

        assertThat(transport.events).containsExactly("connect 1", "close 1", "connect 2");
        assertThat(transport.connection(2).closed()).isFalse();
    }

    @Test
    void aLossIsOneLineAndTheNextConnectionAnother() throws Exception {
        connections.await();
        transport.connection(1).lose();
        transport.onConnect = attempt -> {
            if (attempt <= 3) {
                throw FakeTransport.refused("refused");
            }
        };

        connections.await();

        assertThat(logs.ids()).containsExactly("CONS0302", "CONS0303", "CONS0301", "CONS0301", "CONS0302");
        assertThat(logs.lines("CONS0303")).singleElement().asString().contains("fake://remote-1", "the unnamed broker");
        assertThat(logs.lines("CONS0301").get(1)).contains("try 3", "refused");
        assertThat(logs.lines().toString()).doesNotContain("artemis", "s3cret");
    }

    @Test
    void theUrlsAreTriedInTurnAndThatIsOneTry() throws Exception {
        connections = connections(Specs.AT_ONCE, "fake://a:1", "fake://b:2", "fake://c:3");
        transport.onConnect = attempt -> {
            if (attempt < 3) {
                throw FakeTransport.refused("refused " + attempt);
            }
        };

        connections.await();

        assertThat(transport.urls)
                .extracting(Object::toString)
                .containsExactly("fake://a:1", "fake://b:2", "fake://c:3");
        assertThat(logs.ids()).containsExactly("CONS0302");
    }

    @Test
    void whereEveryUrlRefusesTheLastReasonIsTheOneAndTheOthersAreKept() {
        connections = connections(Specs.AT_ONCE, "fake://a:1", "fake://b:2", "fake://c:3");
        transport.onConnect = attempt -> {
            throw FakeTransport.refused("refused " + attempt);
        };

        assertThatThrownBy(connections::now).hasMessage("refused 3").satisfies(last -> {
            assertThat(last.getSuppressed()).singleElement().satisfies(second -> {
                assertThat(second).hasMessage("refused 2");
                assertThat(second.getSuppressed())
                        .singleElement()
                        .satisfies(first -> assertThat(first).hasMessage("refused 1"));
            });
        });
    }

    @Test
    void theBackoffIsKeptBetweenTries() throws Exception {
        connections = connections(new Backoff(Duration.ofMillis(20), Duration.ofMillis(40), 0));
        transport.onConnect = attempt -> {
            if (attempt <= 3) {
                throw FakeTransport.refused("refused");
            }
        };

        List<FutureTask<Connection>> waiters = begin(4, connections::await);
        for (FutureTask<Connection> waiter : waiters) {
            get(waiter);
        }

        assertThat(transport.attempts()).isEqualTo(4);
        assertThat(gaps())
                .satisfiesExactly(
                        first -> assertThat(first).isGreaterThanOrEqualTo(20),
                        second -> assertThat(second).isGreaterThanOrEqualTo(40),
                        third -> assertThat(third).isGreaterThanOrEqualTo(40));
        assertThat(logs.lines("CONS0301"))
                .satisfiesExactly(
                        first -> assertThat(first).contains("try 1, the next in 20 ms"),
                        second -> assertThat(second).contains("try 2, the next in 40 ms"),
                        third -> assertThat(third).contains("try 3, the next in 40 ms"));
    }

    private List<Long> gaps() {
        List<Long> gaps = new ArrayList<>();
        for (int i = 1; i < transport.connectedAt.size(); i++) {
            gaps.add((transport.connectedAt.get(i) - transport.connectedAt.get(i - 1)) / 1_000_000);
        }
        return gaps;
    }

    @Test
    void afterALossTheBackoffIsWaitedForToo() throws Exception {
        connections = connections(Specs.NEVER);
        connections.await();
        transport.connection(1).lose();

        begin(2, connections::await);

        await().until(() -> !logs.lines("CONS0303").isEmpty());
        awaitAllWaiting();
        assertThat(transport.attempts()).isEqualTo(1);
        assertThat(logs.lines("CONS0303")).hasSize(1);
    }

    @Test
    void whoTriesOnceGetsTheReasonAndNothingIsTriedAgain() {
        transport.onConnect = attempt -> {
            throw FakeTransport.refused("no such user");
        };

        assertThatThrownBy(connections::now)
                .isInstanceOfSatisfying(
                        TransportException.class,
                        refused -> assertThat(refused.condition()).contains("amqp:not-allowed"))
                .hasMessage("no such user");
        assertThat(transport.attempts()).isEqualTo(1);
    }

    @Test
    void whoTriesOnceSharesTheFailureOfTheOneItWaitedFor() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        transport.onConnect = attempt -> {
            pass(gate);
            throw FakeTransport.refused("down");
        };
        List<FutureTask<Connection>> waiters = begin(8, connections::now);
        awaitAllWaiting();

        gate.countDown();

        for (FutureTask<Connection> waiter : waiters) {
            assertThatThrownBy(() -> get(waiter))
                    .hasCauseInstanceOf(TransportException.class)
                    .hasMessageContaining("down");
        }
        assertThat(transport.attempts()).isEqualTo(1);
    }

    @Test
    void whoTriesOnceDoesNotWaitForTheBackoffOfOthersAndHelpsThem() throws Exception {
        connections = connections(Specs.NEVER);
        transport.onConnect = attempt -> {
            if (attempt == 1) {
                throw FakeTransport.refused("refused");
            }
        };
        FutureTask<Connection> patient = begin(connections::await);
        await().until(() -> !logs.lines("CONS0301").isEmpty());

        Connection made = connections.now();

        assertThat(get(patient)).isSameAs(made);
    }

    @Test
    void aStopEndsTheWaitForABackoff() throws Exception {
        connections = connections(Specs.NEVER);
        transport.onConnect = attempt -> {
            throw FakeTransport.refused("refused");
        };
        List<FutureTask<Connection>> waiters = begin(4, connections::await);
        await().until(() -> !logs.lines("CONS0301").isEmpty());
        awaitAllWaiting();

        connections.stop();

        for (FutureTask<Connection> waiter : waiters) {
            assertThat(get(waiter)).isNull();
        }
        assertThat(transport.attempts()).isEqualTo(1);
    }

    @Test
    void aStopEndsTheWaitForWhoConnectsAndWhatThatOneMakesIsClosed() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        transport.onConnect = attempt -> pass(gate);
        FutureTask<Connection> connector = begin(connections::await);
        await().until(() -> transport.attempts() == 1);
        List<FutureTask<Connection>> waiters = begin(4, connections::await);
        FutureTask<Connection> once = begin(connections::now);
        awaitAllWaiting();

        connections.stop();

        for (FutureTask<Connection> waiter : waiters) {
            assertThat(get(waiter)).isNull();
        }
        assertThatThrownBy(() -> get(once))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TransportException.class)
                .hasMessageContaining("stopped");
        gate.countDown();
        assertThat(get(connector)).isNull();
        assertThat(transport.connection(1).closed()).isTrue();
        assertThat(logs.ids()).isEmpty();
    }

    @Test
    void onceStoppedNothingIsOpened() throws Exception {
        connections.stop();

        assertThat(connections.await()).isNull();
        assertThatThrownBy(connections::now)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("stopped");
        assertThat(transport.attempts()).isZero();
    }

    @Test
    void whatIsOpenStaysOpenUntilClosed() throws Exception {
        connections.await();

        connections.stop();
        assertThat(transport.connection(1).closed()).isFalse();

        connections.close();
        connections.close();
        assertThat(transport.events).containsExactly("connect 1", "close 1");
    }

    @Test
    void anInterruptEndsTheWaitOfTheOneWhoWasInterruptedOnly() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        transport.onConnect = attempt -> pass(gate);
        FutureTask<Connection> connector = begin(connections::await);
        await().until(() -> transport.attempts() == 1);
        FutureTask<Connection> interrupted = begin(connections::await);
        FutureTask<Connection> patient = begin(connections::await);
        awaitAllWaiting();

        threads.get(1).interrupt();

        assertThatThrownBy(() -> get(interrupted)).hasCauseInstanceOf(InterruptedException.class);
        gate.countDown();
        assertThat(get(connector)).isSameAs(get(patient));
    }

    @Test
    void aBugInTheTransportLeavesNobodyWaitingForEver() throws Exception {
        transport.onConnect = attempt -> {
            if (attempt == 1) {
                throw new IllegalStateException("bug");
            }
        };

        assertThatThrownBy(connections::await).hasMessage("bug");

        assertThat(connections.await()).isSameAs(transport.connection(1));
    }
}

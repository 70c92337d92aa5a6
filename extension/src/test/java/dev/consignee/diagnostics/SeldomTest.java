package dev.consignee.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeldomTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final AtomicLong now = new AtomicLong(-5);
    private final Seldom seldom = new Seldom(MINUTE, now::get);

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void theFirstOfAKindGoesThroughWithNoneSuppressed() {
        assertThat(seldom.ask("a")).isZero();
        assertThat(seldom.ask("b")).isZero();
    }

    @Test
    void theOthersOfAnIntervalAreNotSeenAndTheNextOneTellsHowManyTheyWere() {
        seldom.ask("a");
        assertThat(seldom.ask("a")).isEqualTo(-1);
        assertThat(seldom.ask("a")).isEqualTo(-1);
        pass(MINUTE.minusNanos(1));
        assertThat(seldom.ask("a")).isEqualTo(-1);

        pass(Duration.ofNanos(1));

        assertThat(seldom.ask("a")).isEqualTo(3);
        assertThat(seldom.ask("a")).isEqualTo(-1);
        pass(MINUTE);
        assertThat(seldom.ask("a")).isEqualTo(1);
    }

    @Test
    void anIntervalBeginsWithWhatWasSeenLast() {
        seldom.ask("a");
        pass(MINUTE.multipliedBy(10));

        assertThat(seldom.ask("a")).isZero();
        assertThat(seldom.ask("a")).isEqualTo(-1);
    }

    @Test
    void oneKindDoesNotHideAnother() {
        seldom.ask("a");
        seldom.ask("a");

        assertThat(seldom.ask("b")).isZero();
        pass(MINUTE);
        assertThat(seldom.ask("b")).isZero();
    }

    @Test
    void kindsBeyondTheBoundShareAPlace() {
        long seen = IntStream.range(0, 10_000)
                .mapToLong(i -> seldom.ask("kind " + i))
                .filter(suppressed -> suppressed >= 0)
                .count();

        assertThat(seen).isBetween(100L, 102L);
        assertThat(seldom.ask("kind 5")).isEqualTo(-1); // an early one keeps a place of its own
        pass(MINUTE);
        assertThat(seldom.ask("kind 5")).isEqualTo(1);
        assertThat(seldom.ask("one more kind")).isGreaterThan(9_000);
    }

    @Test
    void ofEightThreadsExactlyOneGetsThroughInEachInterval() throws Exception {
        int threads = 8;
        int rounds = 500;
        int asksEach = 20;
        AtomicInteger arrived = new AtomicInteger();
        ThreadLocal<Integer> meetAt = ThreadLocal.withInitial(() -> 0);
        Seldom contended = new Seldom(MINUTE, () -> {
            // The threads meet between asking for the time and looking whether it is theirs: the moment that matters.
            int all = meetAt.get();
            if (all > 0) {
                meetAt.set(0);
                arrived.incrementAndGet();
                while (arrived.get() < all) {
                    Thread.yield();
                }
            }
            return now.get();
        });
        AtomicInteger through = new AtomicInteger();
        AtomicLong told = new AtomicLong();
        List<Integer> throughByRound = new ArrayList<>();
        CyclicBarrier end = new CyclicBarrier(threads, () -> {
            throughByRound.add(through.getAndSet(0));
            pass(MINUTE);
        });
        Callable<Void> hammer = () -> {
            for (int round = 1; round <= rounds; round++) {
                meetAt.set(round * threads);
                for (int i = 0; i < asksEach; i++) {
                    long suppressed = contended.ask("a");
                    if (suppressed >= 0) {
                        through.incrementAndGet();
                        told.addAndGet(suppressed);
                    }
                }
                end.await(10, TimeUnit.SECONDS);
            }
            return null;
        };
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (Future<Void> each : pool.invokeAll(Collections.nCopies(threads, hammer))) {
                each.get(20, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }

        assertThat(throughByRound).hasSize(rounds).containsOnly(1);
        assertThat(told.get() + contended.ask("a") + rounds)
                .as("each was seen or told of")
                .isEqualTo((long) threads * rounds * asksEach);
    }
}

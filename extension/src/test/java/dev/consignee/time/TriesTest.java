package dev.consignee.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TriesTest {

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), 0);

    private long now = Long.MAX_VALUE - 1_000_000; // nanoTime may overflow at any moment
    private final Tries tries = new Tries(BACKOFF, () -> now, () -> 0.5);

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void eachFailureInARowWaitsTwiceAsLong() {
        assertThat(tries.failed()).isEqualTo(Duration.ofMillis(100));
        assertThat(tries.failed()).isEqualTo(Duration.ofMillis(200));
        assertThat(tries.failed()).isEqualTo(Duration.ofMillis(400));
        assertThat(tries.failures()).isEqualTo(3);
    }

    @Test
    void beforeTheFirstFailureThereIsNone() {
        assertThat(tries.failures()).isZero();

        tries.succeeded();

        assertThat(tries.failures()).isZero();
    }

    @Test
    void aSuccessThatLastedLongerThanTheWaitBeforeItEndsTheRow() {
        tries.failed();
        tries.failed();
        tries.succeeded();
        pass(Duration.ofMillis(201));

        assertThat(tries.failed()).isEqualTo(Duration.ofMillis(100));
        assertThat(tries.failures()).isEqualTo(1);
    }

    @Test
    void aSuccessThatWasLostAtOnceContinuesTheRow() {
        tries.failed();
        tries.failed();
        tries.succeeded();
        pass(Duration.ofMillis(200)); // as long as the wait, and no longer

        assertThat(tries.failed()).isEqualTo(Duration.ofMillis(400));
        assertThat(tries.failures()).isEqualTo(3);
    }

    @Test
    void oneSuccessCountsOnce() {
        tries.failed();
        tries.succeeded();
        pass(Duration.ofSeconds(5));
        tries.failed();
        pass(Duration.ofSeconds(5));

        assertThat(tries.failed()).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void timeThatPassesBetweenFailuresWithoutASuccessEndsNothing() {
        tries.failed();
        pass(Duration.ofHours(1));

        assertThat(tries.failed()).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void aLinkThatFlapsNeverGetsAHotLoop() {
        Duration waited = Duration.ZERO;
        for (int i = 0; i < 20; i++) {
            tries.succeeded();
            pass(Duration.ofNanos(1));
            Duration wait = tries.failed();
            waited = waited.plus(wait);
            pass(wait);
        }

        assertThat(waited).isGreaterThan(Duration.ofSeconds(16));
    }

    @Test
    void theDiceAreThoseItWasGiven() {
        Tries lucky = new Tries(new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), 0.5), () -> now, () -> 0.0);

        assertThat(lucky.failed()).isEqualTo(Duration.ofMillis(50));
    }
}

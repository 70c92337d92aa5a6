package dev.consignee.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration GREATEST = Duration.ofSeconds(1);
    private static final double MIDDLE = 0.5;

    @Test
    void theDelayDoublesWithEachFailureUpToTheGreatest() {
        Backoff backoff = new Backoff(FIRST, GREATEST, 0);

        List<Long> delays = IntStream.rangeClosed(1, 6)
                .mapToObj(failures -> backoff.delay(failures, MIDDLE).toMillis())
                .toList();

        assertThat(delays).containsExactly(100L, 200L, 400L, 800L, 1_000L, 1_000L);
    }

    @Test
    void jitterOfNothingLeavesTheDelayAsItIsWhateverTheDice() {
        Backoff backoff = new Backoff(FIRST, GREATEST, 0);

        assertThat(backoff.delay(2, 0)).isEqualTo(backoff.delay(2, 1)).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void jitterShortensAndLengthensByItsPart() {
        Backoff backoff = new Backoff(FIRST, GREATEST, 0.2);

        assertThat(backoff.delay(1, 0)).isEqualTo(Duration.ofMillis(80));
        assertThat(backoff.delay(1, MIDDLE)).isEqualTo(Duration.ofMillis(100));
        assertThat(backoff.delay(1, 1)).isEqualTo(Duration.ofMillis(120));
    }

    @Test
    void noDelayIsLongerThanTheGreatestJitterIncluded() {
        Backoff backoff = new Backoff(FIRST, GREATEST, 0.5);

        assertThat(backoff.delay(4, 1)).isEqualTo(GREATEST);
        assertThat(backoff.delay(40, 1)).isEqualTo(GREATEST);
        assertThat(backoff.delay(40, 0)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void everyDelayStaysWithinItsBounds() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            double jitter = random.nextDouble();
            int failures = 1 + random.nextInt(100);

            Duration delay = new Backoff(FIRST, GREATEST, jitter).delay(failures, random.nextDouble());

            double nominal = Math.min(100 * Math.pow(2, failures - 1), 1_000);
            assertThat(delay.toNanos() / 1e6)
                    .as("jitter %s, %s failures", jitter, failures)
                    .isBetween(nominal * (1 - jitter) - 0.001, Math.min(nominal * (1 + jitter), 1_000) + 0.001);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {62, 63, 64, 65, 1_000, 1_000_000, Integer.MAX_VALUE})
    void aHugeNumberOfFailuresWaitsTheGreatestAndNoMore(int failures) {
        assertThat(new Backoff(FIRST, GREATEST, 0).delay(failures, MIDDLE)).isEqualTo(GREATEST);
        assertThat(new Backoff(Duration.ofNanos(1), Duration.ofDays(24), 0.2).delay(failures, 1))
                .isEqualTo(Duration.ofDays(24));
    }

    @Test
    void aFirstDelayThatIsAlsoTheGreatestIsConstant() {
        Backoff backoff = new Backoff(FIRST, FIRST, 0);

        assertThat(backoff.delay(1, MIDDLE)).isEqualTo(backoff.delay(9, MIDDLE)).isEqualTo(FIRST);
    }

    @Test
    void whatWouldBeABusyLoopOrNoRangeIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Backoff(Duration.ZERO, GREATEST, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Backoff(Duration.ofMillis(-1), GREATEST, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(GREATEST, FIRST, 0))
                .withMessageContaining("PT1S")
                .withMessageContaining("PT0.1S");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY})
    void aJitterBeyondZeroToOneIsRefused(double jitter) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(FIRST, GREATEST, jitter))
                .withMessageContaining(String.valueOf(jitter));
    }
}

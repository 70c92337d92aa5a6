package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.consignee.HandlerOutcome;
import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.declaration.AttemptSource;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.declaration.OnStop;
import dev.consignee.time.Backoff;
import dev.consignee.transport.Disposition;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link SettlementTableTest} can't say in words: lengths of delays, and kinds of exceptions. */
class SettlementPolicyTest {

    private static final double MIDDLE = 0.5;
    private static final Backoff STEADY = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 0);
    private static final Backoff JITTERED = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 0.2);

    private static final Plan MODIFIED = settle(Disposition.MODIFIED_FAILED);
    private static final Plan REJECTED = settle(Disposition.REJECTED);

    private static Plan settle(Disposition disposition) {
        return Plan.of(new Plan.Settle(disposition));
    }

    private static Plan rejectedAndCopyAfter(Duration delay) {
        return Plan.of(new Plan.Settle(Disposition.REJECTED), new Plan.CopyLater(delay));
    }

    private static Attempt attempt(long number) {
        return new Attempt(number, false, true);
    }

    private static SettlementPolicy policy(FailureSpec failures) {
        RetrySpec retries = new RetrySpec(
                OptionalInt.empty(),
                Optional.empty(),
                DelayedRetry.IN_PROCESS,
                OnStop.PUBLISH,
                10_000,
                AttemptSource.HEADER);
        return new SettlementPolicy(retries, failures, false, true);
    }

    private static SettlementPolicy backingOff(Backoff backoff) {
        return policy(new FailureSpec(OnException.RETRY, OnDecodeError.RETRY, Optional.of(backoff), List.of()));
    }

    private static SettlementPolicy dropping(OnException onException, List<Class<? extends Throwable>> dropOn) {
        return policy(new FailureSpec(onException, OnDecodeError.DROP, Optional.empty(), dropOn));
    }

    private static Duration delayOf(Plan plan) {
        Plan.CopyLater copy = (Plan.CopyLater) plan.steps().get(1);
        assertThat(plan).isEqualTo(rejectedAndCopyAfter(copy.delay()));
        return copy.delay();
    }

    @Test
    void theBackoffDoublesPerAttemptUpToTheGreatest() {
        List<Long> seconds = LongStream.rangeClosed(1, 11)
                .mapToObj(number -> backingOff(STEADY).threw(new IOException(), attempt(number), MIDDLE))
                .map(plan -> delayOf(plan).toSeconds())
                .toList();

        assertThat(seconds).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 300L, 300L);
    }

    @ParameterizedTest
    @ValueSource(longs = {64, Integer.MAX_VALUE, Integer.MAX_VALUE + 1L, (1L << 32) + 1, 1L << 33, Long.MAX_VALUE})
    void aHugeAttemptBacksOffByTheGreatestAndDoesNotStartOver(long number) {
        assertThat(backingOff(STEADY).threw(new IOException(), attempt(number), MIDDLE))
                .isEqualTo(rejectedAndCopyAfter(STEADY.greatest()));
    }

    /** Copies are attempts like any other: the delay goes on from their count. */
    @Test
    void theBackoffOfACopyGoesOnFromItsAttempt() {
        assertThat(backingOff(STEADY).threw(new IOException(), new Attempt(5, true, false), MIDDLE))
                .isEqualTo(rejectedAndCopyAfter(Duration.ofSeconds(16)));
    }

    @Test
    void theDiceShortenAndLengthenTheBackoff() {
        SettlementPolicy policy = backingOff(JITTERED);

        assertThat(policy.threw(new IOException(), attempt(1), 0))
                .isEqualTo(rejectedAndCopyAfter(Duration.ofMillis(800)));
        assertThat(policy.threw(new IOException(), attempt(1), MIDDLE))
                .isEqualTo(rejectedAndCopyAfter(Duration.ofSeconds(1)));
        assertThat(policy.threw(new IOException(), attempt(1), 1))
                .isEqualTo(rejectedAndCopyAfter(Duration.ofMillis(1_200)));
    }

    @Test
    void noBackoffIsLongerThanTheGreatestJitterIncluded() {
        Random random = new Random(7);
        for (long number = 1; number < 1_000; number++) {
            Plan plan = backingOff(JITTERED).threw(new IOException(), attempt(number), random.nextDouble());

            assertThat(delayOf(plan)).isPositive().isLessThanOrEqualTo(JITTERED.greatest());
        }
    }

    /** Failures of the handler back off; what the handler asks for, and a body that is no payload, do not. */
    @Test
    void theBackoffIsForExceptionsAlone() {
        SettlementPolicy policy = backingOff(STEADY);

        assertThat(policy.returned(HandlerOutcome.retry(), attempt(1))).isEqualTo(MODIFIED);
        assertThat(policy.undecodable(attempt(1))).isEqualTo(MODIFIED);
        assertThat(policy.returned(HandlerOutcome.retryAfter(Duration.ofHours(1)), attempt(9)))
                .isEqualTo(rejectedAndCopyAfter(Duration.ofHours(1)));
    }

    @Test
    void withoutABackoffAnExceptionIsARetryAtOnce() {
        assertThat(dropping(OnException.RETRY, List.of()).threw(new IOException(), attempt(3), MIDDLE))
                .isEqualTo(MODIFIED);
    }

    static Stream<Throwable> dropped() {
        return Stream.of(
                new IOException(),
                new FileNotFoundException(),
                new IllegalArgumentException(),
                new NumberFormatException());
    }

    @ParameterizedTest
    @MethodSource("dropped")
    void anExceptionThatDropOnNamesIsDroppedAndSoAreItsSubclasses(Throwable thrown) {
        SettlementPolicy policy =
                dropping(OnException.RETRY, List.of(IOException.class, IllegalArgumentException.class));

        assertThat(policy.threw(thrown, attempt(1), MIDDLE)).isEqualTo(REJECTED);
    }

    static Stream<Throwable> notDropped() {
        return Stream.of(
                new Exception(),
                new RuntimeException(new IOException()),
                new IllegalStateException(),
                new AssertionError(),
                new StackOverflowError());
    }

    /** A superclass, a cause and a stranger are not what was named. */
    @ParameterizedTest
    @MethodSource("notDropped")
    void anyOtherThrowableIsRetried(Throwable thrown) {
        SettlementPolicy policy =
                dropping(OnException.RETRY, List.of(IOException.class, IllegalArgumentException.class));

        assertThat(policy.threw(thrown, attempt(1), MIDDLE)).isEqualTo(MODIFIED);
    }

    @ParameterizedTest
    @EnumSource(OnException.class)
    void whatDropOnNamesIsDroppedWhateverOnExceptionSays(OnException onException) {
        assertThat(dropping(onException, List.of(Throwable.class)).threw(new StackOverflowError(), attempt(1), MIDDLE))
                .isEqualTo(REJECTED);
    }

    @Test
    void whatDropOnNamesDoesNotBackOff() {
        SettlementPolicy policy = policy(new FailureSpec(
                OnException.RETRY, OnDecodeError.DROP, Optional.of(STEADY), List.of(IOException.class)));

        assertThat(policy.threw(new FileNotFoundException(), attempt(1), MIDDLE))
                .isEqualTo(REJECTED);
        assertThat(policy.threw(new IllegalStateException(), attempt(1), MIDDLE))
                .isEqualTo(rejectedAndCopyAfter(Duration.ofSeconds(1)));
    }

    /** A jitter of all of it may leave a delay of nothing: then the copy is due at once, and confirmed first. */
    @Test
    void aBackoffThatTheDiceLeaveNothingOfIsACopyAtOnce() {
        Backoff whole = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 1);

        assertThat(backingOff(whole).threw(new IOException(), attempt(1), 0))
                .isEqualTo(Plan.of(new Plan.Copy(Duration.ZERO), new Plan.Settle(Disposition.ACCEPTED)));
    }

    /** Whoever calls the handler turns a null into a failure (failure-4); the policy knows no such outcome. */
    @Test
    void noOutcomeIsNoOutcome() {
        SettlementPolicy policy = dropping(OnException.RETRY, List.of());

        assertThatIllegalStateException().isThrownBy(() -> policy.returned(null, attempt(1)));
    }
}

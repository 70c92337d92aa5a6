package dev.consignee.engine;

import dev.consignee.AckError;
import dev.consignee.HandlerOutcome;
import dev.consignee.HandlerOutcome.Ack;
import dev.consignee.HandlerOutcome.Drop;
import dev.consignee.HandlerOutcome.Retry;
import dev.consignee.HandlerOutcome.RetryAfter;
import dev.consignee.OnException;
import dev.consignee.declaration.AttemptSource;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.transport.Disposition;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Decides what becomes of a delivery. Never reads a clock, a configuration or a broker.
 *
 * @param atMostOnce whether deliveries arrive settled
 * @param hasOutcome whether the handler returns an outcome; one without has nothing to report
 */
record SettlementPolicy(RetrySpec retries, FailureSpec failures, boolean atMostOnce, boolean hasOutcome) {

    private static final Plan.Step ACCEPTED = new Plan.Settle(Disposition.ACCEPTED);
    private static final Plan.Step MODIFIED = new Plan.Settle(Disposition.MODIFIED_FAILED);
    private static final Plan.Step REJECTED = new Plan.Settle(Disposition.REJECTED);
    private static final Plan.Step COPY = new Plan.Copy(Duration.ZERO);
    private static final Plan.Step DEAD_LETTER = new Plan.DeadLetter();
    private static final Plan.Step GIVE_UP = new Plan.GiveUp();
    private static final Plan.Step UNSUPPORTED = new Plan.Report(AckError.UNSUPPORTED);

    private static final Plan ACCEPT = Plan.of(ACCEPTED);
    private static final Plan REJECT = Plan.of(REJECTED);
    private static final Plan STOP = Plan.of(new Plan.Stop());
    private static final Plan NOTHING = Plan.of();
    private static final Plan REPORT = Plan.of(UNSUPPORTED);

    static SettlementPolicy of(SubscriptionSpec spec) {
        return new SettlementPolicy(spec.retries(), spec.failures(), spec.atMostOnce(), spec.hasOutcome());
    }

    /** The handler returned an outcome. */
    Plan returned(HandlerOutcome outcome, Attempt attempt) {
        if (outcome instanceof Retry || outcome instanceof RetryAfter) {
            return again(outcome, attempt);
        } else if (atMostOnce) {
            return hasOutcome ? REPORT : NOTHING; // once-2
        } else if (outcome instanceof Ack) {
            return ACCEPT; // settle-3
        } else if (outcome instanceof Drop) {
            return REJECT; // settle-5
        }
        throw new IllegalStateException("no such outcome: " + outcome);
    }

    /**
     * The handler threw (failure-1, failure-6).
     *
     * @param random 0 to 1, for the jitter of a back-off
     */
    Plan threw(Throwable thrown, Attempt attempt, double random) {
        if (failures.dropOn().stream().anyMatch(type -> type.isInstance(thrown))) {
            return atMostOnce ? NOTHING : REJECT;
        }
        return failed(attempt, random);
    }

    /**
     * The handler failed: it threw, or returned null where an outcome was due (failure-4).
     *
     * @param random 0 to 1, for the jitter of a back-off
     */
    Plan failed(Attempt attempt, double random) {
        if (atMostOnce) {
            return failures.onException() == OnException.STOP ? STOP : NOTHING; // failure-8
        }
        return switch (failures.onException()) {
            case RETRY -> again(afterFailure(attempt, random), attempt);
            case DROP -> REJECT;
            case ACK -> ACCEPT;
            case STOP -> STOP;
        };
    }

    private HandlerOutcome afterFailure(Attempt attempt, double random) {
        return failures.backoff()
                .map(backoff -> HandlerOutcome.retryAfter(
                        backoff.delay((int) Math.min(attempt.number(), Integer.MAX_VALUE), random)))
                .orElseGet(HandlerOutcome::retry);
    }

    /** The body is no payload of the handler's, which was not called (failure-2). */
    Plan undecodable(Attempt attempt) {
        return switch (failures.onDecodeError()) {
            case DEAD_LETTER -> deadLetter();
            case STOP -> STOP;
            case RETRY -> atMostOnce ? NOTHING : again(HandlerOutcome.retry(), attempt);
            case DROP -> atMostOnce ? NOTHING : REJECT;
            case ACK -> atMostOnce ? NOTHING : ACCEPT;
        };
    }

    /** A retry, capped or not (attempt-10). */
    private Plan again(HandlerOutcome outcome, Attempt attempt) {
        Plan plan;
        if (isSpent(attempt)) {
            plan = retries.deadLetter().isPresent() ? deadLetter() : giveUp(); // attempt-7, attempt-8
        } else if (retries.maxAttempts().isEmpty() && retries.deadLetter().isPresent()) {
            plan = deadLetter(); // attempt-9
        } else if (outcome instanceof RetryAfter later) {
            plan = later(later.delay());
        } else {
            plan = atOnce(attempt);
        }
        return atMostOnce && outcome instanceof Retry ? reported(plan) : plan;
    }

    private boolean isSpent(Attempt attempt) {
        return retries.maxAttempts().isPresent()
                && attempt.number() >= retries.maxAttempts().getAsInt(); // attempt-4
    }

    private Plan atOnce(Attempt attempt) {
        boolean counted = attempt.counted() && !attempt.copy();
        if (atMostOnce) {
            return retries.maxAttempts().isPresent() && !counted ? Plan.of(COPY) : NOTHING; // once-3
        }
        boolean trusted = counted || retries.attemptSource() == AttemptSource.BROKER; // attempt-12
        return retries.maxAttempts().isEmpty() || trusted
                ? Plan.of(MODIFIED) // settle-4, attempt-5
                : Plan.of(COPY, ACCEPTED); // attempt-6
    }

    private Plan later(Duration delay) {
        boolean withTheBroker = retries.delayed() == DelayedRetry.BROKER;
        if (atMostOnce) {
            return Plan.of(
                    withTheBroker || delay.isZero() ? new Plan.Copy(delay) : new Plan.CopyLater(delay)); // once-4
        } else if (retries.delayed() == DelayedRetry.HOLD) {
            return delay.isZero() ? Plan.of(MODIFIED) : Plan.of(new Plan.Hold(delay), MODIFIED); // delay-7
        } else if (withTheBroker || delay.isZero()) {
            return Plan.of(new Plan.Copy(delay), ACCEPTED); // delay-5, attempt-11
        }
        return Plan.of(REJECTED, new Plan.CopyLater(delay)); // delay-1
    }

    private Plan deadLetter() {
        return atMostOnce ? Plan.of(DEAD_LETTER) : Plan.of(DEAD_LETTER, ACCEPTED);
    }

    private Plan giveUp() {
        return atMostOnce ? Plan.of(GIVE_UP) : Plan.of(GIVE_UP, REJECTED);
    }

    private static Plan reported(Plan plan) {
        return plan.steps().isEmpty()
                ? REPORT
                : new Plan(Stream.concat(Stream.of(UNSUPPORTED), plan.steps().stream())
                        .toList());
    }
}

package dev.consignee.engine;

import dev.consignee.AckError;
import dev.consignee.transport.Disposition;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What is done about one delivery, step by step: a step that publishes is over once the broker has confirmed it, and only
 * then the next one begins (attempt-11). Without a step there is nothing to do.
 *
 * @param steps in order
 */
record Plan(List<Step> steps) {

    Plan {
        steps = List.copyOf(steps);
    }

    static Plan of(Step... steps) {
        return new Plan(List.of(steps));
    }

    /** Whether it ends the subscription. */
    boolean stops() {
        return steps.size() == 1 && steps.get(0) instanceof Stop;
    }

    @Override
    public String toString() {
        return steps.isEmpty() ? "nothing" : steps.stream().map(Step::toString).collect(Collectors.joining(", then "));
    }

    /** One step. */
    sealed interface Step {}

    /** Tell the broker. */
    record Settle(Disposition disposition) implements Step {
        @Override
        public String toString() {
            return disposition.toString();
        }
    }

    /** Wait with the delivery in hand. */
    record Hold(Duration time) implements Step {
        @Override
        public String toString() {
            return "hold " + time;
        }
    }

    /**
     * Publish a copy to the subscription's own address.
     *
     * @param delay how long the broker is to hold it back; zero for not at all
     */
    record Copy(Duration delay) implements Step {
        @Override
        public String toString() {
            return delay.isZero() ? "copy" : "copy with the broker for " + delay;
        }
    }

    /** Publish a copy to the subscription's own address after a while, which begins once the step before is written. */
    record CopyLater(Duration delay) implements Step {
        @Override
        public String toString() {
            return "copy after " + delay;
        }
    }

    /** Publish the message as it arrived to the dead-letter address. */
    record DeadLetter() implements Step {
        @Override
        public String toString() {
            return "dead letter";
        }
    }

    /** Warn that the message has had all its attempts and goes nowhere from here. */
    record GiveUp() implements Step {
        @Override
        public String toString() {
            return "give up";
        }
    }

    /** Report that the outcome had nothing to settle. */
    record Report(AckError error) implements Step {
        @Override
        public String toString() {
            return error.toString();
        }
    }

    /** Leave it unsettled and end the subscription. */
    record Stop() implements Step {
        @Override
        public String toString() {
            return "stop";
        }
    }
}

package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.HandlerOutcome;
import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.declaration.AttemptSource;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.declaration.OnStop;
import dev.consignee.engine.Plan.Step;
import dev.consignee.engine.SettlementTable.Input;
import dev.consignee.engine.SettlementTable.Row;
import dev.consignee.time.Backoff;
import dev.consignee.transport.Address;
import dev.consignee.transport.Disposition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the settlement policy against {@code settlement.txt}, which was written from the contract and not from the code.
 * A cell is one combination of all inputs; every cell is tried, each under several settings that must not matter.
 */
class SettlementTableTest {

    private static final Duration D = SettlementTable.D;
    private static final Optional<Backoff> BACKOFF = Optional.of(new Backoff(D, D, 0));
    private static final int EXAMPLES = 6;
    private static final Throwable THROWN = new Thrown();

    /** Attempts and caps that stand so to each other; the great ones would show a comparison of cut numbers. */
    private static final Map<String, List<Capped>> CAPPED = Map.of(
            "no cap", List.of(new Capped(1, 0), new Capped(7, 0), new Capped(1L << 33, 0)),
            "below", List.of(new Capped(1, 2), new Capped(4, 5), new Capped(1, 1_000_000)),
            "at", List.of(new Capped(1, 1), new Capped(5, 5), new Capped(1_000_000, 1_000_000)),
            "above", List.of(new Capped(2, 1), new Capped(1_000_001, 1_000_000), new Capped((1L << 32) + 1, 5)));

    private static final Map<String, List<FailureSpec>> FAILURES = SettlementTable.outcomes().stream()
            .collect(Collectors.toMap(outcome -> outcome, SettlementTableTest::failures));

    private static final SettlementTable TABLE = SettlementTable.read("settlement.txt");
    private static final Map<Cell, List<Row>> CELLS = matched(cells(List.of()));

    /** Every cell with the rows that match it. */
    private static Map<Cell, List<Row>> matched(List<Cell> cells) {
        Map<Cell, List<Row>> matched = new LinkedHashMap<>();
        cells.forEach(cell -> matched.put(cell, TABLE.matching(cell.values())));
        return matched;
    }

    private static List<Cell> cells(List<String> before) {
        if (before.size() == Input.values().length) {
            return List.of(new Cell(before));
        }
        return Input.values()[before.size()].values.stream()
                .flatMap(value ->
                        cells(Stream.concat(before.stream(), Stream.of(value)).toList()).stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("dev.consignee.engine.SettlementTable#outcomes")
    void everyCellIsSettledAsTheTableSays(String outcome) {
        List<Try> disagreements = new ArrayList<>();
        CELLS.forEach((cell, rows) -> {
            if (cell.is(Input.OUTCOME, outcome)) {
                rows.stream()
                        .filter(Row::happens)
                        .forEach(row -> cell.tries().stream()
                                .filter(one -> !one.plan().equals(row.expected()))
                                .forEach(disagreements::add));
            }
        });

        assertThat(disagreements.stream().limit(10).map(Try::disagreement))
                .as("the first of %s disagreements", disagreements.size())
                .isEmpty();
    }

    @Test
    void eachCellIsMatchedByExactlyOneRow() {
        List<String> wrong = CELLS.entrySet().stream()
                .filter(entry -> entry.getValue().size() != 1)
                .map(entry -> "\n" + entry.getKey() + " by " + entry.getValue())
                .limit(10)
                .toList();

        assertThat(wrong).isEmpty();
    }

    @Test
    void everyRowMatchesACell() {
        Set<Row> used = new HashSet<>();
        CELLS.values().forEach(used::addAll);

        assertThat(TABLE.rows()).allMatch(used::contains);
    }

    @Test
    void everyRowCitesItsClauses() {
        assertThat(TABLE.rows())
                .allSatisfy(row -> assertThat(row.clauses())
                        .isNotEmpty()
                        .doesNotHaveDuplicates()
                        .allMatch(Pattern.compile("(settle|attempt|delay|once|failure)-[1-9][0-9]?")
                                .asMatchPredicate()));
    }

    /** Fails where an input or one of its values got lost, or a new one is not in the table yet. */
    @Test
    void nothingIsLeftOut() {
        assertThat(HandlerOutcome.class.getPermittedSubclasses()).hasSize(4);
        assertThat(Input.OUTCOME.values).hasSize(20);
        assertThat(CELLS).hasSize(15_360);
        assertThat(happening().count()).isEqualTo(13_440);
        assertThat(TABLE.rows()).hasSize(74);
    }

    /** What holds whatever the table says. */
    @Test
    void noPlanSettlesTwiceOrForgetsToOrGoesBeyondTheCap() {
        List<String> wrong = happening()
                .flatMap(cell -> cell.tries().stream())
                .flatMap(one -> broken(one).map(rule -> "\n" + one + "\n  got: " + one.plan() + "\n  which " + rule))
                .limit(10)
                .toList();

        assertThat(wrong).isEmpty();
    }

    private static Stream<String> broken(Try one) {
        List<Step> steps = one.plan().steps();
        boolean atMostOnce = one.cell().is(Input.GUARANTEE, "At most once");
        boolean spent = one.cell().is(Input.ATTEMPT, "at") || one.cell().is(Input.ATTEMPT, "above");
        int settlements = 0;
        Set<String> broken = new HashSet<>();
        for (Step step : steps) {
            if (step instanceof Plan.Settle settle) {
                settlements++;
                if (settle.disposition() == Disposition.RELEASED) {
                    broken.add("releases what a handler has touched");
                }
            }
            boolean later = step instanceof Plan.CopyLater;
            boolean publishes = step instanceof Plan.Copy || step instanceof Plan.DeadLetter;
            boolean returns = later || step instanceof Plan.Copy || step.equals(SettlementTable.MODIFIED);
            if (publishes && settlements > 0) {
                broken.add("settles before what it publishes is confirmed (attempt-11)");
            }
            if (later && settlements == 0 && !atMostOnce) {
                broken.add("waits before the disposition is written (delay-1)");
            }
            if (returns && spent) {
                broken.add("goes beyond the cap (attempt-4)");
            }
            if (step instanceof Plan.Hold && atMostOnce) {
                broken.add("holds what is settled (once-1)");
            }
        }
        if (settlements != (atMostOnce || steps.contains(new Plan.Stop()) ? 0 : 1)) {
            broken.add("does not settle exactly once (settle-2, once-1)");
        }
        return broken.stream();
    }

    private static Stream<Cell> happening() {
        return CELLS.entrySet().stream()
                .filter(entry -> entry.getValue().stream().anyMatch(Row::happens))
                .map(Map.Entry::getKey);
    }

    /** An attempt and a cap, which is 0 for none. */
    private record Capped(long number, int maxAttempts) {
        OptionalInt cap() {
            return maxAttempts == 0 ? OptionalInt.empty() : OptionalInt.of(maxAttempts);
        }
    }

    /** A value for each input. */
    private record Cell(List<String> values) {
        String value(Input input) {
            return values.get(input.ordinal());
        }

        boolean is(Input input, String value) {
            return value(input).equals(value);
        }

        /** Several examples of it, each with other settings that must not matter. */
        List<Try> tries() {
            List<Capped> capped = Objects.requireNonNull(CAPPED.get(value(Input.ATTEMPT)));
            List<FailureSpec> failures = Objects.requireNonNull(FAILURES.get(value(Input.OUTCOME)));
            List<Try> tries = new ArrayList<>();
            int any = Math.floorMod(values.hashCode(), failures.size());
            for (int i = 0; i < EXAMPLES; i++) {
                OnStop onStop = OnStop.values()[i / 2 % OnStop.values().length];
                tries.add(new Try(
                        this, capped.get(i % capped.size()), failures.get((any + i) % failures.size()), onStop));
            }
            return tries;
        }
    }

    /** The settings for failures: what the outcome names, and whatever else. */
    private static List<FailureSpec> failures(String outcome) {
        List<String> words = List.of(outcome.split(",? "));
        boolean backoff = words.contains("backoff");
        List<FailureSpec> all = new ArrayList<>();
        for (OnException onException : OnException.values()) {
            for (OnDecodeError onDecodeError : OnDecodeError.values()) {
                for (boolean has : new boolean[] {true, false}) {
                    boolean fits = switch (words.get(0)) {
                        case "threw" ->
                            words.get(1).equals(onException.name())
                                    && (onException != OnException.RETRY || has == backoff);
                        case "undecodable" -> words.get(1).equals(onDecodeError.name());
                        default -> true;
                    };
                    if (fits) {
                        all.add(new FailureSpec(
                                onException,
                                onDecodeError,
                                has ? BACKOFF : Optional.empty(),
                                words.contains("dropOn") ? List.of(Thrown.class) : List.of(Unthrown.class)));
                    }
                }
            }
        }
        Collections.shuffle(all, new Random(7));
        return List.copyOf(all);
    }

    /** A cell under certain settings. */
    private record Try(Cell cell, Capped capped, FailureSpec failures, OnStop onStop) {
        Plan plan() {
            String outcome = cell.value(Input.OUTCOME);
            Attempt attempt = new Attempt(capped.number(), cell.is(Input.COPY, "yes"), cell.is(Input.COUNTED, "yes"));
            return switch (outcome) {
                case "ack" -> policy().returned(HandlerOutcome.ack(), attempt);
                case "drop" -> policy().returned(HandlerOutcome.drop(), attempt);
                case "retry" -> policy().returned(HandlerOutcome.retry(), attempt);
                case "retry after 0" -> policy().returned(HandlerOutcome.retryAfter(Duration.ZERO), attempt);
                case "retry after d" -> policy().returned(HandlerOutcome.retryAfter(D), attempt);
                default ->
                    outcome.startsWith("threw") ? policy().threw(THROWN, attempt, 0.5) : policy().undecodable(attempt);
            };
        }

        private SettlementPolicy policy() {
            Optional<Address> deadLetter = cell.is(Input.DEAD_LETTER, "yes")
                    ? Optional.of(new Address(Address.Kind.QUEUE, "dead"))
                    : Optional.empty();
            RetrySpec retries = new RetrySpec(
                    capped.cap(),
                    deadLetter,
                    DelayedRetry.values()[Input.DELAYED.values.indexOf(cell.value(Input.DELAYED))],
                    onStop,
                    1,
                    AttemptSource.values()[Input.SOURCE.values.indexOf(cell.value(Input.SOURCE))]);
            return new SettlementPolicy(
                    retries, failures, cell.is(Input.GUARANTEE, "At most once"), cell.is(Input.RETURNS, "outcome"));
        }

        String disagreement() {
            Row row = TABLE.matching(cell.values()).get(0);
            return "\n" + this + "\n  expected: " + row.plan() + "\n  got:      " + plan() + "\n  by " + row;
        }

        @Override
        public String toString() {
            Map<Input, String> named = new EnumMap<>(Input.class);
            Arrays.stream(Input.values()).forEach(input -> named.put(input, cell.value(input)));
            return named + " with " + capped + ", " + failures + ", onStop " + onStop;
        }
    }

    /** What the handler throws. */
    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** What it doesn't. */
    private static final class Unthrown extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}

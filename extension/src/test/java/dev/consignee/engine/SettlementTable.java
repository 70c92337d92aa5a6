package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.AckError;
import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.declaration.AttemptSource;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.engine.Plan.Step;
import dev.consignee.transport.Disposition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code settlement.txt} as data: rows that say which plan the combinations of inputs have that they match. */
record SettlementTable(List<SettlementTable.Row> rows) {

    /** The table's d. */
    static final Duration D = Duration.ofSeconds(90);

    static final Step MODIFIED = new Plan.Settle(Disposition.MODIFIED_FAILED);
    private static final String CANNOT_HAPPEN = "cannot happen";

    private static final Map<String, Step> STEPS = Map.ofEntries(
            Map.entry("accepted", new Plan.Settle(Disposition.ACCEPTED)),
            Map.entry("modified", MODIFIED),
            Map.entry("rejected", new Plan.Settle(Disposition.REJECTED)),
            Map.entry("hold d", new Plan.Hold(D)),
            Map.entry("copy", new Plan.Copy(Duration.ZERO)),
            Map.entry("copy with the broker for d", new Plan.Copy(D)),
            Map.entry("copy after d", new Plan.CopyLater(D)),
            Map.entry("dead letter", new Plan.DeadLetter()),
            Map.entry("give up", new Plan.GiveUp()),
            Map.entry("unsupported", new Plan.Report(AckError.UNSUPPORTED)),
            Map.entry("stop", new Plan.Stop()));

    /** The inputs, in the order of the table's columns; the guarantee is the heading above. */
    enum Input {
        GUARANTEE("At least once", "At most once"),
        OUTCOME(outcomes().toArray(String[]::new)),
        RETURNS("outcome", "void"),
        ATTEMPT("no cap", "below", "at", "above"),
        DEAD_LETTER("yes", "no"),
        COPY("yes", "no"),
        COUNTED("yes", "no"),
        SOURCE(words(AttemptSource.values())),
        DELAYED(words(DelayedRetry.values()));

        final List<String> values;

        Input(String... values) {
            this.values = List.of(values);
        }

        private static String[] words(Enum<?>[] constants) {
            return Arrays.stream(constants)
                    .map(constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .toArray(String[]::new);
        }
    }

    static List<String> outcomes() {
        Stream<String> threw = Arrays.stream(OnException.values())
                .flatMap(policy -> policy == OnException.RETRY
                        ? Stream.of("threw " + policy, "threw " + policy + ", backoff")
                        : Stream.of("threw " + policy))
                .flatMap(how -> Stream.of(how, how + ", dropOn"));
        Stream<String> undecodable = Arrays.stream(OnDecodeError.values()).map(policy -> "undecodable " + policy);
        return Stream.of(Stream.of("ack", "drop", "retry", "retry after 0", "retry after d"), threw, undecodable)
                .flatMap(some -> some)
                .toList();
    }

    /** A row of the table; {@code matches} are the values that its columns allow, input by input. */
    record Row(int line, String text, List<Set<String>> matches, String plan, Plan expected, List<String> clauses) {
        boolean happens() {
            return !plan.equals(CANNOT_HAPPEN);
        }

        boolean matches(List<String> values) {
            for (int i = 0; i < matches.size(); i++) {
                if (!matches.get(i).contains(values.get(i))) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public String toString() {
            return "line " + line + ": " + text;
        }
    }

    private static final List<String> HEADING = List.of(
            "outcome", "returns", "attempt", "dead letter", "copy", "counted", "source", "delayed", "plan", "clauses");

    List<Row> matching(List<String> values) {
        return rows.stream().filter(row -> row.matches(values)).toList();
    }

    static SettlementTable read(String resource) {
        List<Row> rows = new ArrayList<>();
        String guarantee = "";
        List<String> lines = lines(resource);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            List<String> fields = List.of(line.strip().split("\\s*\\|\\s*"));
            if (Input.GUARANTEE.values.contains(line)) {
                guarantee = line;
            } else if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("-") && !fields.equals(HEADING)) {
                rows.add(row(i + 1, guarantee, fields));
            }
        }
        return new SettlementTable(List.copyOf(rows));
    }

    private static Row row(int line, String guarantee, List<String> fields) {
        assertThat(fields).as("line %s", line).hasSameSizeAs(HEADING);
        List<Set<String>> matches = new ArrayList<>(List.of(Set.of(guarantee)));
        for (Input input : Input.values()) {
            if (input != Input.GUARANTEE) {
                matches.add(values(line, input, fields.get(input.ordinal() - 1)));
            }
        }
        String plan = fields.get(HEADING.indexOf("plan"));
        return new Row(
                line,
                guarantee + ": " + String.join(" | ", fields),
                List.copyOf(matches),
                plan,
                plan(plan),
                List.of(fields.get(HEADING.indexOf("clauses")).split(" ")));
    }

    private static Plan plan(String words) {
        return words.equals("nothing") || words.equals(CANNOT_HAPPEN)
                ? Plan.of()
                : new Plan(Arrays.stream(words.split(", "))
                        .map(word -> Objects.requireNonNull(STEPS.get(word), word))
                        .toList());
    }

    /** The values that a field allows; a word that allows none is a mistake in the table. */
    private static Set<String> values(int line, Input input, String field) {
        Set<String> allowed = new HashSet<>();
        for (String word : field.split(" / ")) {
            String regex =
                    Arrays.stream(word.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
            List<String> values =
                    input.values.stream().filter(value -> value.matches(regex)).toList();
            assertThat(values).as("line %s: '%s' of %s", line, word, input).isNotEmpty();
            allowed.addAll(values);
        }
        return Set.copyOf(allowed);
    }

    private static List<String> lines(String resource) {
        try (InputStream in = SettlementTable.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

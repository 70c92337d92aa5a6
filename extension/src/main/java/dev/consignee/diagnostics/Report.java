package dev.consignee.diagnostics;

import dev.consignee.declaration.Level;
import dev.consignee.declaration.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * All problems of a deployment, grouped by bean.
 *
 * @param errors what stops the deployment, by bean, method and id
 * @param warnings what is to be logged, in the same order
 */
public record Report(List<Problem> errors, List<Problem> warnings) {

    /** How many errors the text shows; after that many, more would not help. */
    private static final int MOST_SHOWN = 100;

    private static final Comparator<Problem> ORDER = Comparator.comparing(
                    (Problem problem) -> problem.place().group())
            .thenComparing(problem -> problem.place().text())
            .thenComparing(Problem::id)
            .thenComparing(Problem::message);

    /** Copies the lists. */
    public Report {
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
    }

    /** Makes a report of problems in any order; one that was found twice is told once. */
    public static Report of(Collection<Problem> problems) {
        return new Report(ofLevel(problems, Level.ERROR), ofLevel(problems, Level.WARN));
    }

    private static List<Problem> ofLevel(Collection<Problem> problems, Level level) {
        return problems.stream()
                .filter(problem -> problem.level() == level)
                .distinct()
                .sorted(ORDER)
                .toList();
    }

    /** Whether the deployment has to stop. */
    public boolean failed() {
        return !errors.isEmpty();
    }

    /** The text of the one exception that stops the deployment: all errors, grouped by bean, at most a hundred. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add(
                errors.size() == 1 ? "Consignee found a problem:" : "Consignee found " + errors.size() + " problems:");
        String group = "";
        for (Problem problem : errors.subList(0, Math.min(errors.size(), MOST_SHOWN))) {
            if (!problem.place().group().equals(group)) {
                group = problem.place().group();
                lines.add("");
                lines.add(group);
            }
            lines.add(problem.text().indent(2).stripTrailing());
        }
        if (errors.size() > MOST_SHOWN) {
            lines.add("");
            lines.add("and " + (errors.size() - MOST_SHOWN) + " more");
        }
        return String.join("\n", lines);
    }
}

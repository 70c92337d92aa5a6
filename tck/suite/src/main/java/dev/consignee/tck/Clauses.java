package dev.consignee.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The clauses of the contract as its page lists them, and the ones that tests assert.
 *
 * <p>A clause's status there is {@code asserted}, {@code open: <capability>}, or several of them.
 *
 * @param statusById each clause's status, in the page's order
 */
public record Clauses(Map<String, String> statusById) {

    /** {@code | settle-8 **+** | text | asserted | Weld SE, Artemis |}. */
    private static final Pattern ROW =
            Pattern.compile("^\\| ([a-z]+-\\d+)(?: \\*\\*\\+\\*\\*)? \\| .* \\| ([^|]*) \\| ?[^|]*\\|$");

    private static final Pattern STATUS = Pattern.compile("(asserted|open: [a-z-]+)(, open: [a-z-]+)*");

    /**
     * Reads the page.
     *
     * @throws IllegalArgumentException where an id stands twice, or a status is none
     */
    public static Clauses of(Path page) {
        Map<String, String> statuses = new LinkedHashMap<>();
        try {
            for (String line : Files.readAllLines(page)) {
                Matcher row = ROW.matcher(line);
                if (row.matches()) {
                    add(statuses, row.group(1), row.group(2).strip());
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return new Clauses(statuses);
    }

    private static void add(Map<String, String> statuses, String id, String status) {
        if (!STATUS.matcher(status).matches()) {
            throw new IllegalArgumentException("the status of " + id + " is '" + status
                    + "'. Legal: asserted, open: <capability>, or several with commas between.");
        }
        if (statuses.put(id, status) != null) {
            throw new IllegalArgumentException("clause " + id + " stands twice");
        }
    }

    /**
     * Tells where page and tests disagree.
     *
     * @param tests the names of the tests by the id they assert
     * @return one line for each disagreement: an id that no clause has, a clause that is said to be asserted and is not, or
     *     is and is not said to be
     */
    public TreeSet<String> disagreements(Map<String, ? extends Iterable<String>> tests) {
        TreeSet<String> wrong = new TreeSet<>();
        new TreeMap<>(tests).forEach((id, names) -> {
            String status = statusById.get(id);
            if (status == null) {
                wrong.add(id + " is no clause, but asserted by " + names);
            } else if (!status.startsWith("asserted")) {
                wrong.add(id + " is '" + status + "', but asserted by " + names);
            }
        });
        statusById.forEach((id, status) -> {
            if (status.startsWith("asserted") && !tests.containsKey(id)) {
                wrong.add(id + " is said to be asserted, and no test does");
            }
        });
        return wrong;
    }

    /** The line for a build's log. */
    public String summary() {
        long asserted = statusById.values().stream()
                .filter(status -> status.equals("asserted"))
                .count();
        int total = statusById.size();
        return "Contract clauses: " + asserted + " asserted, " + (total - asserted) + " open, " + total + " total";
    }
}

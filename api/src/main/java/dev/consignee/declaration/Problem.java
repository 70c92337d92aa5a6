package dev.consignee.declaration;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Something wrong, in words that help: what, where, which value, what is legal, what to change. It never carries a
 * credential: whoever makes one redacts.
 *
 * @param id the kind of problem
 * @param place the bean and method, or the configuration
 * @param origin where the offending value is written, with the value; empty where the method itself is wrong
 * @param message what is wrong, with the subscriber's name and the offending value; no full stop
 * @param legal what is legal; empty where that is no question
 * @param cure what to change; sentences
 */
public record Problem(ProblemId id, Place place, String origin, String message, String legal, String cure) {

    private static final String INDENT = " ".repeat("CONS0101: ".length());

    /**
     * Makes a problem whose cure is the general one.
     *
     * @param id the kind of problem
     * @param place the bean and method, or the configuration
     * @param origin where the offending value is written; may be empty
     * @param message what is wrong
     * @param legal what is legal; may be empty
     */
    public Problem(ProblemId id, Place place, String origin, String message, String legal) {
        this(id, place, origin, message, legal, id.cure());
    }

    /**
     * Returns the level.
     *
     * @return whether it stops deployment
     */
    public Level level() {
        return id.level();
    }

    /**
     * Renders the problem.
     *
     * @return three lines: what, where, what to do
     */
    public String text() {
        String where =
                Stream.of(place.text(), origin).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
        String help = Stream.of(legal.isEmpty() ? "" : "Legal: " + legal + ".", cure)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
        return Stream.of(where.isEmpty() ? "" : where + ".", help)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n" + INDENT, id.id() + ": " + sentence(message) + "\n" + INDENT, ""));
    }

    private static String sentence(String words) {
        return words.endsWith("?") || words.endsWith(".") ? words : words + ".";
    }
}

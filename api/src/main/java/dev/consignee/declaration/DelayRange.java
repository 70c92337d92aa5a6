package dev.consignee.declaration;

import java.time.Duration;
import java.util.Optional;

/**
 * The shortest and the longest delay of a back-off, written {@code min..max}: {@code 1s..5m}.
 *
 * @param least the first delay, more than zero
 * @param greatest the longest, no shorter than the first
 */
public record DelayRange(Duration least, Duration greatest) {

    private static final String DOTS = "..";

    /**
     * Refuses a range that is none.
     *
     * @param least the first delay
     * @param greatest the longest
     */
    public DelayRange {
        if (least.isNegative() || least.isZero() || greatest.compareTo(least) < 0) {
            throw new IllegalArgumentException("delays from " + least + " to " + greatest);
        }
    }

    /**
     * Reads a range.
     *
     * @param text two durations with two dots between, blanks around them ignored
     * @return the range; empty where {@link #objection} has something to say
     */
    public static Optional<DelayRange> parse(String text) {
        return objection(text).isEmpty()
                ? Optional.of(
                        new DelayRange(least(text).orElseThrow(), greatest(text).orElseThrow()))
                : Optional.empty();
    }

    /** What is wrong with a text; empty where it is a range. */
    static Optional<String> objection(String text) {
        if (!text.contains(DOTS)) {
            return Optional.of("not two durations with '..' between");
        }
        Optional<Duration> least = least(text);
        Optional<Duration> greatest = greatest(text);
        if (least.isEmpty() || greatest.isEmpty()) {
            return Optional.of(
                    Quoted.of(least.isEmpty() ? before(text) : after(text)) + " is no duration of at most 24d");
        }
        if (least.get().isZero()) {
            return Optional.of("the first delay is zero");
        }
        return least.get().compareTo(greatest.get()) > 0
                ? Optional.of("the first delay is longer than the longest")
                : Optional.empty();
    }

    private static Optional<Duration> least(String text) {
        return Durations.parse(before(text));
    }

    private static Optional<Duration> greatest(String text) {
        return Durations.parse(after(text));
    }

    private static String before(String text) {
        return text.substring(0, text.indexOf(DOTS)).strip();
    }

    private static String after(String text) {
        return text.substring(text.indexOf(DOTS) + DOTS.length()).strip();
    }
}

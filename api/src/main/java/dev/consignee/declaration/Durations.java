package dev.consignee.declaration;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as they are written: {@code 50ms}, {@code 2s}, {@code 5m}, {@code 1h}, {@code 1d}, or ISO-8601. */
public final class Durations {

    /** The longest there is: what fits into an int of milliseconds, which the client's own options are. */
    public static final Duration LONGEST = Duration.ofDays(24);

    private static final Pattern SHORT = Pattern.compile("([0-9]+)(ms|s|m|h|d)");

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @param text a whole number and a unit, or ISO-8601
     * @return the duration; empty where the text is none, or the duration is negative or longer than {@link #LONGEST}
     */
    public static Optional<Duration> parse(String text) {
        try {
            Matcher matcher = SHORT.matcher(text.strip());
            Duration duration = matcher.matches()
                    ? ofUnit(Long.parseLong(matcher.group(1)), matcher.group(2))
                    : Duration.parse(text.strip().toUpperCase(Locale.ROOT));
            boolean inRange = !duration.isNegative() && duration.compareTo(LONGEST) <= 0;
            return inRange ? Optional.of(duration) : Optional.empty();
        } catch (DateTimeParseException | NumberFormatException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static Duration ofUnit(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            case "d" -> Duration.ofDays(amount);
            default -> throw new IllegalArgumentException("a unit that the pattern does not have: " + unit);
        };
    }
}

package dev.consignee.config;

import dev.consignee.declaration.Durations;
import dev.consignee.declaration.Kind;
import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.declaration.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Reads the keys of one broker, or of the application. A wrong value is a problem, and its default, or none, holds. */
final class KeyReader {

    /** The shortest duration where none at all makes no sense. */
    static final Duration SHORTEST = Duration.ofMillis(1);

    private final Lookup lookup;
    private final List<Problem> problems;
    private final String prefix;

    KeyReader(Lookup lookup, List<Problem> problems, String prefix) {
        this.lookup = lookup;
        this.problems = problems;
        this.prefix = prefix;
    }

    Optional<Lookup.Value> find(Key key) {
        return lookup.find(prefix + key.key(), Place.CONFIGURATION, key.isSecret());
    }

    Optional<String> text(Key key) {
        return find(key).map(Lookup.Value::text);
    }

    boolean truth(Key key) {
        return read(key, Kind.TruthValue::parse);
    }

    Duration duration(Key key, Duration least) {
        return read(key, text -> Durations.parse(text).filter(duration -> duration.compareTo(least) >= 0));
    }

    /** Empty is for ever. */
    Optional<Duration> timeout(Key key) {
        boolean forever = text(key)
                .filter(text -> text.strip().toLowerCase(Locale.ROOT).equals("none"))
                .isPresent();
        return forever ? Optional.empty() : Optional.of(duration(key, SHORTEST));
    }

    double fraction(Key key) {
        return read(key, KeyReader::parseFraction);
    }

    private static Optional<Double> parseFraction(String text) {
        try {
            return Optional.of(Double.valueOf(text.strip())).filter(number -> number >= 0 && number <= 1);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Empty where nothing is written. */
    <E extends Enum<E>> Optional<E> choice(Key key, Class<E> type) {
        return written(key, text -> Kind.Choice.parse(type, text));
    }

    private <T> T read(Key key, Function<String, Optional<T>> parse) {
        return written(key, parse).or(() -> key.defaultText().flatMap(parse)).orElseThrow();
    }

    private <T> Optional<T> written(Key key, Function<String, Optional<T>> parse) {
        Optional<Lookup.Value> value = find(key);
        Optional<T> parsed = value.map(Lookup.Value::text).flatMap(parse);
        if (value.isPresent() && parsed.isEmpty()) {
            addBadValue(key, value.get());
        }
        return parsed;
    }

    void addBadValue(Key key, Lookup.Value value) {
        String shown = key.isSecret() ? "***" : Quoted.of(value.text());
        addBadValue(key, value, "is " + shown);
    }

    /** Tells that a value is wrong together with another. */
    void addBadValue(Key key, Lookup.Value value, String message) {
        problems.add(new Problem(
                ProblemId.BAD_VALUE,
                Place.CONFIGURATION,
                key.isSecret() ? value.origin("***") : value.origin(),
                value.key() + " " + message,
                key.legal()));
    }
}

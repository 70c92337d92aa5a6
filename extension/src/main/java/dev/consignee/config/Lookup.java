package dev.consignee.config;

import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.declaration.Quoted;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Looks values up, with where they come from. An empty value is none: MicroProfile Config uses it to take away what a
 * source of lower ordinal says.
 */
final class Lookup {

    private final Config config;
    private final List<Problem> problems;

    Lookup(Config config, List<Problem> problems) {
        this.config = config;
        this.problems = problems;
    }

    /** A value that is there. Its text may be a secret; its origin is not, unless the text is passed to it. */
    record Value(String key, String text, String source) {

        /** Where it comes from, showing the text. */
        String origin() {
            return origin(Quoted.plain(text));
        }

        /** Where it comes from, showing something else in the text's place. */
        String origin(String shown) {
            return key + "=" + shown + " from " + source;
        }
    }

    /** Finds a value; one whose expressions have no value is a problem, and none. */
    Optional<Value> find(String key, Place place) {
        return find(key, place, false);
    }

    Optional<Value> find(String key, Place place, boolean secret) {
        try {
            ConfigValue value = config.getConfigValue(key);
            String text = value.getValue();
            String raw = value.getRawValue();
            if (text == null && raw != null && !raw.isEmpty()) {
                addBadExpression(new Value(key, raw, source(value)), place, secret);
            }
            return text == null || text.isEmpty() ? Optional.empty() : Optional.of(new Value(key, text, source(value)));
        } catch (RuntimeException e) { // a circle of expressions, or one without a value: implementations differ
            addBadExpression(raw(key), place, secret);
            return Optional.empty();
        }
    }

    private static String source(ConfigValue value) {
        return Quoted.plain(Objects.requireNonNullElse(value.getSourceName(), "configuration"));
    }

    /** The value as its source has it. */
    private Value raw(String key) {
        return StreamSupport.stream(config.getConfigSources().spliterator(), false)
                .flatMap(source -> Optional.ofNullable(source.getValue(key)).stream()
                        .map(text -> new Value(key, text, Quoted.plain(source.getName()))))
                .findFirst()
                .orElse(new Value(key, "", "configuration"));
    }

    private void addBadExpression(Value raw, Place place, boolean secret) {
        problems.add(new Problem(
                ProblemId.BAD_EXPRESSION,
                place,
                raw.origin(secret ? "***" : Redaction.url(raw.text())),
                raw.key() + " has an expression without a value",
                "expressions of keys that are there, or with a default"));
    }

    /** Where a key comes from, without its value; also if that has no value. */
    String origin(String key) {
        return key
                + StreamSupport.stream(config.getConfigSources().spliterator(), false)
                        .filter(source -> source.getPropertyNames().contains(key))
                        .findFirst()
                        .map(ConfigSource::getName)
                        .map(name -> " from " + Quoted.plain(name))
                        .orElse("");
    }
}

package dev.consignee.config;

import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;

/**
 * The names under {@code consignee.} that configuration has. Environment variables are apart: {@code
 * CONSIGNEE_SUBSCRIBER_LOG_PICK_CREDIT} is found as {@code consignee.subscriber.log-pick.credit}, but what it stands for
 * cannot be told from its name, and what an implementation guesses ({@code …log.pick.credit}) is wrong.
 *
 * @param dotted the names as keys
 * @param environment the names of environment variables, in upper case
 */
record PropertyNames(SortedSet<String> dotted, SortedSet<String> environment) {

    private static final String ENVIRONMENT_PREFIX = inEnvironment(Key.PREFIX);

    PropertyNames {
        dotted = Collections.unmodifiableSortedSet(new TreeSet<>(dotted));
        environment = Collections.unmodifiableSortedSet(new TreeSet<>(environment));
    }

    static PropertyNames of(Config config) {
        SortedSet<String> dotted = new TreeSet<>();
        SortedSet<String> environment = new TreeSet<>();
        config.getConfigSources().forEach(source -> {
            Set<String> variables = variables(source.getPropertyNames());
            addKeys(source.getPropertyNames(), variables, dotted);
            environment.addAll(variables);
        });
        // a profile, for one, makes names that no source has
        addKeys(config.getPropertyNames(), environment, dotted);
        return new PropertyNames(dotted, environment);
    }

    private static Set<String> variables(Iterable<String> names) {
        return StreamSupport.stream(names.spliterator(), false)
                .filter(name -> name.matches("[A-Za-z0-9_]+"))
                .map(name -> name.toUpperCase(Locale.ROOT))
                .filter(name -> name.startsWith(ENVIRONMENT_PREFIX))
                .collect(Collectors.toSet());
    }

    private static void addKeys(Iterable<String> names, Set<String> variables, Set<String> keys) {
        names.forEach(name -> {
            if (name.startsWith(Key.PREFIX) && !variables.contains(inEnvironment(name))) {
                keys.add(name);
            }
        });
    }

    /** The environment variable that MicroProfile Config looks for in a key's place. */
    static String inEnvironment(String key) {
        return key.replaceAll("[^A-Za-z0-9_]", "_").toUpperCase(Locale.ROOT);
    }
}

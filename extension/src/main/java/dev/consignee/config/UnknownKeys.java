package dev.consignee.config;

import dev.consignee.declaration.Attribute;
import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.Nearest;
import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.declaration.Quoted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds keys that mean nothing. Values are shown of subscribers' attributes only: a misspelt {@code password} is no key
 * that is known to be secret.
 */
final class UnknownKeys {

    private final PropertyNames names;
    private final Map<String, Declaration> declared = new TreeMap<>();
    private final Set<String> brokers;
    private final Lookup lookup;
    private final List<Problem> problems = new ArrayList<>();
    private final Map<String, List<String>> foreign = new TreeMap<>();

    private UnknownKeys(PropertyNames names, List<Declaration> declarations, Set<String> brokers, Lookup lookup) {
        this.names = names;
        this.brokers = brokers;
        this.lookup = lookup;
        declarations.forEach(declaration -> declared.putIfAbsent(declaration.name(), declaration));
    }

    static List<Problem> find(PropertyNames names, List<Declaration> declarations, Set<String> brokers, Lookup lookup) {
        UnknownKeys unknown = new UnknownKeys(names, declarations, brokers, lookup);
        names.dotted().forEach(unknown::checkKey);
        unknown.checkEnvironment();
        unknown.foreign.forEach(unknown::addUnknownSubscriber);
        return unknown.problems;
    }

    private void checkKey(String key) {
        if (key.startsWith(Key.SUBSCRIBER_PREFIX)) {
            checkSubscriberKey(key, key.substring(Key.SUBSCRIBER_PREFIX.length()));
        } else if (key.startsWith(Key.DEFAULTS_PREFIX)) {
            List<String> legal = defaults();
            if (!legal.contains(key.substring(Key.DEFAULTS_PREFIX.length()))) {
                addUnknownKey(key, Key.DEFAULTS_PREFIX, legal);
            }
        } else if (key.startsWith(Key.BROKER_PREFIX)) {
            checkBrokerKey(key, key.substring(Key.BROKER_PREFIX.length()));
        } else {
            String rest = key.substring(Key.PREFIX.length());
            if (!Key.all().contains(rest) && !BrokerNames.isBrokerKey(rest)) {
                addUnknownKey(key, Key.PREFIX, Key.all());
            }
        }
    }

    private static List<String> defaults() {
        return Attribute.keys().stream()
                .filter(key ->
                        Attribute.ofKey(key).filter(Attribute::inDefaults).isPresent())
                .toList();
    }

    private void checkSubscriberKey(String key, String rest) {
        int dot = rest.indexOf('.');
        String name = rest.substring(0, Math.max(dot, 0));
        Optional<Declaration> declaration = Optional.ofNullable(declared.get(name));
        String attribute = rest.substring(dot + 1);
        if (name.isEmpty()) {
            addUnknownKey(key, Key.SUBSCRIBER_PREFIX, List.of());
        } else if (declaration.isEmpty()) {
            foreign.computeIfAbsent(name, none -> new ArrayList<>()).add(key);
        } else if (Attribute.ofKey(attribute).isEmpty()) {
            addUnknownAttribute(key, attribute, declaration.get());
        }
    }

    private void checkBrokerKey(String key, String rest) {
        int dot = rest.indexOf('.');
        boolean known =
                dot > 0 && brokers.contains(rest.substring(0, dot)) && BrokerNames.isBrokerKey(rest.substring(dot + 1));
        if (!known) {
            addUnknownKey(key, Key.BROKER_PREFIX + rest.substring(0, dot + 1), Key.ofBrokers());
        }
    }

    private void checkEnvironment() {
        Set<String> known = knownVariables();
        String prefix = PropertyNames.inEnvironment(Key.SUBSCRIBER_PREFIX);
        for (String variable : names.environment()) {
            if (known.contains(variable)) {
                continue;
            }
            Optional<Declaration> declaration = declared.values().stream()
                    .filter(candidate -> variable.startsWith(prefixInEnvironment(candidate)))
                    .max(Comparator.comparingInt(candidate -> candidate.name().length()));
            if (declaration.isPresent()) {
                checkVariable(variable, declaration.get());
            } else if (variable.startsWith(prefix)) {
                foreign.computeIfAbsent(foreignName(variable.substring(prefix.length())), none -> new ArrayList<>())
                        .add(variable);
            } else {
                addUnknownKey(variable, PropertyNames.inEnvironment(Key.PREFIX), List.of());
            }
        }
    }

    /** What is before an attribute, or all of it, as a subscriber's name might be written. */
    private static String foreignName(String rest) {
        String kebab = rest.toLowerCase(Locale.ROOT).replace('_', '-');
        return Attribute.keys().stream()
                .filter(key -> kebab.endsWith("-" + key))
                .map(key -> kebab.substring(0, kebab.length() - key.length() - 1))
                .min(Comparator.comparingInt(String::length))
                .orElse(kebab);
    }

    /**
     * {@code …_PICK_CREDITS} is a wrong attribute of {@code pick}. {@code …_PICK_UP_CREDIT} may be a right one of another
     * application's {@code pick-up}, so that it stops no deployment.
     */
    private void checkVariable(String variable, Declaration declaration) {
        String rest = variable.substring(prefixInEnvironment(declaration).length());
        String attribute = rest.toLowerCase(Locale.ROOT).replace('_', '-');
        if (rest.indexOf('_') < 0 || Nearest.of(attribute, Attribute.keys()).isPresent()) {
            addUnknownAttribute(variable, attribute, declaration);
        } else {
            addUnknownKey(variable, prefixInEnvironment(declaration), List.of());
        }
    }

    private static String prefixInEnvironment(Declaration declaration) {
        return PropertyNames.inEnvironment(Key.SUBSCRIBER_PREFIX + declaration.name() + ".");
    }

    private Set<String> knownVariables() {
        Set<String> known = new HashSet<>();
        declared.keySet()
                .forEach(name -> Attribute.keys()
                        .forEach(key ->
                                known.add(PropertyNames.inEnvironment(Key.SUBSCRIBER_PREFIX + name + "." + key))));
        defaults().forEach(key -> known.add(PropertyNames.inEnvironment(Key.DEFAULTS_PREFIX + key)));
        brokers.forEach(broker ->
                Key.ofBrokers().forEach(key -> known.add(PropertyNames.inEnvironment(Key.brokerPrefix(broker) + key))));
        Key.all().forEach(key -> known.add(PropertyNames.inEnvironment(Key.PREFIX + key)));
        // options of Qpid JMS, where a key elsewhere says how they are written
        names.dotted().stream()
                .filter(key -> key.contains("." + Key.QPID_PREFIX))
                .forEach(key -> known.add(PropertyNames.inEnvironment(key)));
        return known;
    }

    private void addUnknownAttribute(String key, String attribute, Declaration declaration) {
        String hint = isTheAnnotationsAlone(attribute)
                ? ": it is the annotation's alone"
                : suggestion(attribute, Attribute.keys());
        problems.add(new Problem(
                ProblemId.UNKNOWN_ATTRIBUTE,
                Place.of(declaration),
                lookup.origin(key),
                "subscriber " + Quoted.of(declaration.name()) + " has no attribute " + Quoted.of(attribute) + hint,
                String.join(", ", Attribute.keys())));
    }

    private static boolean isTheAnnotationsAlone(String attribute) {
        return Arrays.stream(Attribute.values())
                .anyMatch(each -> each.key().equals(attribute) && !each.inConfiguration());
    }

    private void addUnknownSubscriber(String name, Collection<String> keys) {
        problems.add(new Problem(
                ProblemId.UNKNOWN_SUBSCRIBER,
                Place.CONFIGURATION,
                keys.stream().map(lookup::origin).collect(Collectors.joining("; ")),
                "there is no subscriber " + Quoted.of(name) + suggestion(name, declared.keySet()),
                declared.keySet().stream().map(Quoted::of).collect(Collectors.joining(", "))));
    }

    private void addUnknownKey(String key, String prefix, List<String> legal) {
        problems.add(new Problem(
                ProblemId.UNKNOWN_KEY,
                Place.CONFIGURATION,
                lookup.origin(key),
                Quoted.of(key) + " is no key"
                        + suggestion(
                                key, legal.stream().map(end -> prefix + end).toList()),
                ""));
    }

    private static String suggestion(String text, Collection<String> candidates) {
        return Nearest.of(text, candidates)
                .map(nearest -> ", did you mean " + Quoted.of(nearest) + "?")
                .orElse("");
    }
}

package dev.consignee.config;

import dev.consignee.declaration.Names;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which brokers configuration speaks of. */
final class BrokerNames {

    private final SortedSet<String> names = new TreeSet<>();

    private BrokerNames() {}

    /**
     * Finds the named brokers that have any key that brokers have.
     *
     * @param properties the names in configuration
     * @param named the brokers that subscribers name: an environment variable's name alone cannot tell which letters of
     *     a broker's name are capitals, or whether {@code -} or {@code _} is in it
     */
    static SortedSet<String> of(PropertyNames properties, SortedSet<String> named) {
        BrokerNames found = new BrokerNames();
        properties.dotted().forEach(found::addDotted);
        SortedSet<String> guessable = new TreeSet<>(named);
        guessable.addAll(found.names);
        properties.environment().forEach(variable -> found.addFromEnvironment(variable, guessable));
        return found.names;
    }

    private void addDotted(String key) {
        if (key.startsWith(Key.BROKER_PREFIX)) {
            String rest = key.substring(Key.BROKER_PREFIX.length());
            int dot = rest.indexOf('.');
            if (dot > 0 && Names.legal(rest.substring(0, dot)) && isBrokerKey(rest.substring(dot + 1))) {
                names.add(rest.substring(0, dot));
            }
        }
    }

    /** Whether a key of a broker is one that means something. */
    static boolean isBrokerKey(String key) {
        boolean qpidOption = key.startsWith(Key.QPID_PREFIX) && key.length() > Key.QPID_PREFIX.length();
        return qpidOption || Key.ofBrokers().contains(key);
    }

    private void addFromEnvironment(String variable, SortedSet<String> guessable) {
        String prefix = PropertyNames.inEnvironment(Key.BROKER_PREFIX);
        if (!variable.startsWith(prefix)) {
            return;
        }
        for (String key : Key.ofBrokers()) {
            String suffix = "_" + PropertyNames.inEnvironment(key);
            if (variable.endsWith(suffix) && variable.length() > prefix.length() + suffix.length()) {
                String name = variable.substring(prefix.length(), variable.length() - suffix.length());
                names.add(guessable.stream()
                        .filter(guess -> PropertyNames.inEnvironment(guess).equals(name))
                        .findFirst()
                        .orElse(name.toLowerCase(Locale.ROOT).replace('_', '-')));
            }
        }
    }
}

package dev.consignee.config;

import dev.consignee.declaration.Attribute;
import dev.consignee.declaration.BrokerProfile;
import dev.consignee.declaration.Brokers;
import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.Level;
import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.declaration.Quoted;
import dev.consignee.declaration.Rules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Reads a MicroProfile Config, once, at start: what configuration says of the application and its brokers, and what it
 * and the annotations together say of the subscribers. It never throws for what is wrong there, but collects it.
 */
public final class ConfigReader {

    private final Config config;

    /** Reads nothing yet. */
    public ConfigReader(Config config) {
        this.config = config;
    }

    /** Reads what MicroProfile Config gives the application of the calling thread's class loader. */
    public static ConfigReader ofTheApplication() {
        return new ConfigReader(ConfigProvider.getConfig());
    }

    /** Reads what holds for the whole application; wrong values are left to {@link #read}, and their defaults hold. */
    public ApplicationSettings application() {
        List<Problem> told = new ArrayList<>();
        return application(new Lookup(config, told), told);
    }

    /**
     * Reads everything, and runs all rules over the outcome.
     *
     * @param declarations the subscribers, as they are annotated
     */
    public Configuration read(List<Declaration> declarations) {
        List<Problem> problems = new ArrayList<>();
        Lookup lookup = new Lookup(config, problems);
        PropertyNames names = PropertyNames.of(config);
        ApplicationSettings application = application(lookup, problems);

        Overlay overlay = new Overlay(lookup, problems);
        Map<Declaration, Declaration> overlaid = new LinkedHashMap<>();
        List<Declaration> subscribers = new ArrayList<>();
        for (Declaration annotated : declarations) {
            Declaration subscriber = overlay.over(annotated);
            subscribers.add(subscriber);
            overlaid.put(annotated, subscriber);
        }
        problems.addAll(Rules.checkAll(subscribers));
        subscribers.forEach(subscriber -> problems.addAll(Rules.checkComplete(subscriber)));

        SortedSet<String> named = namedBrokers(subscribers);
        SortedSet<String> brokerNames = BrokerNames.of(names, named);
        Map<String, BrokerSettings> brokers = brokers(brokerNames, names, lookup, problems);
        Brokers facts = facts(brokerNames, names, lookup);
        subscribers.forEach(subscriber -> problems.addAll(Rules.checkBroker(subscriber, facts)));
        brokerNames.stream()
                .filter(name -> !facts.names().contains(name) && !named.contains(name))
                .forEach(name -> problems.add(withoutUrl(name)));
        problems.addAll(UnknownKeys.find(names, subscribers, brokerNames, lookup));

        return new Configuration(
                application,
                brokers,
                settings(overlaid, problems),
                problems.stream().distinct().toList());
    }

    private static ApplicationSettings application(Lookup lookup, List<Problem> problems) {
        KeyReader keys = new KeyReader(lookup, problems, Key.PREFIX);
        return new ApplicationSettings(keys.truth(Key.ENABLED), keys.duration(Key.SHUTDOWN_TIMEOUT, Duration.ZERO));
    }

    private static SortedSet<String> namedBrokers(List<Declaration> subscribers) {
        return subscribers.stream()
                .flatMap(subscriber -> subscriber.text(Attribute.BROKER).stream())
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, BrokerSettings> brokers(
            Set<String> brokerNames, PropertyNames names, Lookup lookup, List<Problem> problems) {
        Map<String, BrokerSettings> brokers = new TreeMap<>();
        Set<String> all = new TreeSet<>(brokerNames);
        all.add("");
        for (String name : all) {
            new BrokerReader(name, lookup, problems).read(names).ifPresent(broker -> brokers.put(name, broker));
        }
        return brokers;
    }

    /** A broker with a wrong URL is there all the same: that its subscribers have none would tell nothing new. */
    private static Brokers facts(Set<String> brokerNames, PropertyNames names, Lookup lookup) {
        SortedSet<String> withUrl = new TreeSet<>();
        Set<String> withContainerId = new HashSet<>();
        Set<String> returningRejected = new HashSet<>();
        Set<String> all = new TreeSet<>(brokerNames);
        all.add("");
        for (String name : all) {
            KeyReader keys = new KeyReader(lookup, new ArrayList<>(), Key.brokerPrefix(name));
            boolean written = names.dotted().contains(Key.brokerPrefix(name) + Key.URL.key());
            if (name.isEmpty() || written || keys.find(Key.URL).isPresent()) {
                withUrl.add(name);
            }
            if (keys.find(Key.CONTAINER_ID).isPresent()) {
                withContainerId.add(name);
            }
            if (keys.choice(Key.PROFILE, BrokerProfile.class).equals(Optional.of(BrokerProfile.BROKER_J))) {
                returningRejected.add(name);
            }
        }
        return new Brokers(withUrl, withContainerId, returningRejected);
    }

    private static Problem withoutUrl(String broker) {
        return new Problem(
                ProblemId.BROKER_WITHOUT_URL,
                Place.CONFIGURATION,
                Key.brokerPrefix(broker) + Key.URL.key(),
                "broker " + Quoted.of(broker) + " has configuration, but no URL",
                "");
    }

    private static Map<Declaration, SubscriberSettings> settings(
            Map<Declaration, Declaration> overlaid, List<Problem> problems) {
        Set<Place> wrong = problems.stream()
                .filter(problem -> problem.level() == Level.ERROR)
                .map(Problem::place)
                .collect(Collectors.toSet());
        Map<Declaration, SubscriberSettings> settings = new HashMap<>();
        overlaid.forEach((annotated, subscriber) -> {
            if (!wrong.contains(Place.of(subscriber))) {
                settings.put(annotated, SubscriberSettings.of(subscriber));
            }
        });
        return settings;
    }
}

package dev.consignee.config;

import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Everything that configuration and annotations say together.
 *
 * @param application what holds for the whole application; defaults where something is wrong
 * @param brokers the brokers that have a right URL, by name; the empty name is the unnamed one
 * @param declared the subscribers that have no error, by their declaration as it was passed in
 * @param problems all that is wrong, errors and warnings, with the declarations and with configuration
 */
public record Configuration(
        ApplicationSettings application,
        Map<String, BrokerSettings> brokers,
        Map<Declaration, SubscriberSettings> declared,
        List<Problem> problems) {

    /** Copies the collections. */
    public Configuration {
        brokers = Map.copyOf(brokers);
        declared = Map.copyOf(declared);
        problems = List.copyOf(problems);
    }

    /** The subscribers that have no error, by name; the name may be an expression on the annotation, and is not here. */
    public Map<String, SubscriberSettings> subscribers() {
        return declared.values().stream()
                .collect(Collectors.toUnmodifiableMap(SubscriberSettings::name, settings -> settings));
    }

    /** The subscriber of a name; empty where there is none, or it has an error. */
    public Optional<SubscriberSettings> subscriber(String name) {
        return Optional.ofNullable(subscribers().get(name));
    }

    /** The subscriber of a declaration, as it was passed in; empty where it has an error. */
    public Optional<SubscriberSettings> subscriber(Declaration annotated) {
        return Optional.ofNullable(declared.get(annotated));
    }

    /** The broker of a name, the empty one for the unnamed broker; empty where there is none, or its URL is wrong. */
    public Optional<BrokerSettings> broker(String name) {
        return Optional.ofNullable(brokers.get(name));
    }
}

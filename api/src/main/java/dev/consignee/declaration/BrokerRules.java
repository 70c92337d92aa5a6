package dev.consignee.declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What a subscriber asks of its broker's configuration. */
final class BrokerRules {

    private final Declaration declaration;
    private final Brokers brokers;
    private final String broker;

    BrokerRules(Declaration declaration, Brokers brokers) {
        this.declaration = declaration;
        this.brokers = brokers;
        this.broker = declaration.text(Attribute.BROKER).orElse("");
    }

    List<Problem> check() {
        if (!broker.isEmpty() && !Names.legal(broker)) {
            return List.of(); // a bad name, which the rules of settings tell
        }
        List<Problem> problems = new ArrayList<>();
        if (!brokers.names().contains(broker)) {
            problems.add(unknown());
        } else if (needsContainerId() && !brokers.withContainerId().contains(broker)) {
            problems.add(withoutContainerId());
        }
        return problems;
    }

    private Problem unknown() {
        String nearest = Nearest.of(broker, brokers.names())
                .map(name -> ", did you mean " + Quoted.of(name) + "?")
                .orElse("");
        return new Problem(
                ProblemId.UNKNOWN_BROKER,
                Place.of(declaration),
                origin(Attribute.BROKER),
                "broker of subscriber " + Quoted.of(declaration.name()) + " is " + Quoted.of(broker)
                        + ": no such broker has a URL configured" + nearest,
                brokers.names().stream()
                        .map(name -> name.isEmpty() ? "the unnamed broker" : Quoted.of(name))
                        .collect(Collectors.joining(", ")),
                "Configure " + key("url") + ", or name another broker.");
    }

    private boolean needsContainerId() {
        return declaration.addresses().equals(List.of(Attribute.TOPIC))
                && declaration.setting(Attribute.DURABLE).isPresent()
                && !declaration.isTrue(Attribute.SHARED);
    }

    private Problem withoutContainerId() {
        return new Problem(
                ProblemId.DURABLE_WITHOUT_CONTAINER_ID,
                Place.of(declaration),
                origin(Attribute.DURABLE),
                "subscriber " + Quoted.of(declaration.name()) + " is durable and not shared, but "
                        + (broker.isEmpty() ? "the unnamed broker" : "broker " + Quoted.of(broker))
                        + " has no container id configured, under which the subscription would be found again",
                "durable with a container id, or durable and shared",
                "Configure " + key("container-id") + ", unique to each replica, or set shared.");
    }

    private String key(String key) {
        return broker.isEmpty() ? "consignee." + key : "consignee.broker." + broker + "." + key;
    }

    private String origin(Attribute attribute) {
        return declaration.setting(attribute).map(Setting::origin).orElse("");
    }
}

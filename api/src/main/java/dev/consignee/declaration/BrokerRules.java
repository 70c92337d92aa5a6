package dev.consignee.declaration;

import dev.consignee.Settle;
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
        if (rejectsBeforeADelay() && brokers.returningRejected().contains(broker)) {
            problems.add(delayMultiplies());
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
                "subscriber " + Quoted.of(declaration.name()) + " is durable and not shared, but " + shown()
                        + " has no container id configured, under which the subscription would be found again",
                "durable with a container id, or durable and shared",
                "Configure " + key("container-id") + ", unique to each replica, or set shared.");
    }

    /** At most once nothing is rejected. */
    private boolean rejectsBeforeADelay() {
        return is(Attribute.SETTLE, Settle.class, Settle.AT_LEAST_ONCE)
                && is(Attribute.DELAYED_RETRY, DelayedRetry.class, DelayedRetry.IN_PROCESS);
    }

    private <E extends Enum<E>> boolean is(Attribute attribute, Class<E> type, E constant) {
        return declaration
                .text(attribute)
                .flatMap(text -> Kind.Choice.parse(type, text))
                .filter(constant::equals)
                .isPresent();
    }

    private Problem delayMultiplies() {
        return new Problem(
                ProblemId.DELAY_MULTIPLIES,
                Place.of(declaration),
                origin(Attribute.DELAYED_RETRY),
                "delayed retries of subscriber " + Quoted.of(declaration.name())
                        + " wait in the process, but " + shown() + " (" + key("profile")
                        + " is 'broker-j') delivers the rejected original again, beside the copy",
                "delayed-retry 'hold' or 'broker' with this broker",
                "Set consignee.subscriber." + declaration.name() + "." + Attribute.DELAYED_RETRY.key()
                        + " or consignee.defaults." + Attribute.DELAYED_RETRY.key() + " to hold or broker.");
    }

    private String shown() {
        return broker.isEmpty() ? "the unnamed broker" : "broker " + Quoted.of(broker);
    }

    private String key(String key) {
        return broker.isEmpty() ? "consignee." + key : "consignee.broker." + broker + "." + key;
    }

    private String origin(Attribute attribute) {
        return declaration.setting(attribute).map(Setting::origin).orElse("");
    }
}

package dev.consignee.cdi;

import dev.consignee.config.BrokerSettings;
import dev.consignee.config.SubscriberSettings;
import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.engine.SubscriptionSpec;
import dev.consignee.time.Backoff;
import dev.consignee.transport.Address;
import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.ReceiverSpec;
import dev.consignee.transport.Transport;
import java.lang.reflect.Type;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** Turns settings, which know no engine, into the engine's own terms, which know no configuration. */
final class Wiring {

    private static final String APPLICATION = "consignee";

    private Wiring() {}

    /** Every transport there is, by scheme. */
    static Map<String, Transport> transports() {
        Map<String, Transport> byScheme = new TreeMap<>();
        for (Transport transport : ServiceLoader.load(Transport.class, Wiring.class.getClassLoader())) {
            transport.schemes().forEach(scheme -> byScheme.put(scheme, transport));
        }
        return byScheme;
    }

    /** The problem of a broker whose scheme nothing serves. */
    static Optional<Problem> withoutTransport(BrokerSettings broker, Map<String, Transport> byScheme) {
        return byScheme.containsKey(scheme(broker))
                ? Optional.empty()
                : Optional.of(new Problem(
                        ProblemId.NO_TRANSPORT,
                        Place.CONFIGURATION,
                        broker.toString(),
                        "nothing serves the scheme '" + scheme(broker) + "'",
                        String.join(", ", byScheme.keySet())));
    }

    static Transport transport(BrokerSettings broker, Map<String, Transport> byScheme) {
        return Objects.requireNonNull(byScheme.get(scheme(broker)), "checked before: withoutTransport");
    }

    private static String scheme(BrokerSettings broker) {
        return broker.urls().get(0).getScheme().toLowerCase(Locale.ROOT);
    }

    static BrokerSpec broker(BrokerSettings settings) {
        return new BrokerSpec(
                settings.name(),
                settings.urls(),
                settings.username()
                        .map(username -> new BrokerSpec.Credentials(
                                username,
                                settings.password()
                                        .map(secret -> secret.value())
                                        .orElse(""))),
                settings.saslMechanisms(),
                settings.containerId(),
                APPLICATION,
                new BrokerSpec.Timeouts(
                        settings.connectTimeout(),
                        settings.requestTimeout(),
                        settings.sendTimeout(),
                        settings.closeTimeout(),
                        settings.idleTimeout()),
                settings.qpidOptions());
    }

    static Backoff backoff(BrokerSettings settings) {
        return new Backoff(settings.reconnectDelay(), settings.reconnectMaxDelay(), settings.reconnectJitter());
    }

    static SubscriptionSpec subscription(SubscriberSettings settings, Type payload) {
        Optional<String> subscription =
                settings.durable().or(() -> settings.shared() ? Optional.of(settings.name()) : Optional.empty());
        return new SubscriptionSpec(
                settings.name(),
                settings.broker(),
                new ReceiverSpec(
                        address(settings),
                        subscription,
                        settings.durable().isPresent(),
                        settings.shared(),
                        settings.selector(),
                        settings.credit(),
                        settings.maxMessageSize()),
                settings.onException(),
                settings.onDecodeError(),
                payload);
    }

    private static Address address(SubscriberSettings settings) {
        Address.Kind kind = switch (settings.addressKind()) {
            case QUEUE -> Address.Kind.QUEUE;
            case TOPIC -> Address.Kind.TOPIC;
            case VERBATIM -> Address.Kind.VERBATIM;
        };
        return new Address(kind, settings.address());
    }
}

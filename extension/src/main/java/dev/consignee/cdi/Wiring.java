package dev.consignee.cdi;

import dev.consignee.Settle;
import dev.consignee.config.BrokerSettings;
import dev.consignee.config.SubscriberSettings;
import dev.consignee.declaration.DeadLetterAddress;
import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.discovery.HandlerMethod;
import dev.consignee.engine.FailureSpec;
import dev.consignee.engine.RetrySpec;
import dev.consignee.engine.SubscriptionSpec;
import dev.consignee.time.Backoff;
import dev.consignee.transport.Address;
import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.ReceiverSpec;
import dev.consignee.transport.Transport;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** Turns settings, which know no engine, into the engine's own terms, which know no configuration. */
final class Wiring {

    private static final String APPLICATION = "consignee";

    /** Which part of a subscriber's back-off is left to chance; not configurable. */
    private static final double BACKOFF_JITTER = 0.2;

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
                settings.profile(),
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

    static SubscriptionSpec subscription(SubscriberSettings settings, HandlerMethod handler) {
        return new SubscriptionSpec(
                settings.name(),
                settings.broker(),
                receiver(settings),
                new RetrySpec(
                        settings.maxAttempts(),
                        settings.deadLetter().map(Wiring::address),
                        settings.delayedRetry(),
                        settings.onStop(),
                        settings.maxWaitingCopies(),
                        settings.attemptSource()),
                new FailureSpec(
                        settings.onException(),
                        settings.onDecodeError(),
                        settings.backoff().map(range -> new Backoff(range.least(), range.greatest(), BACKOFF_JITTER)),
                        handler.dropOn()),
                handler.payload(),
                handler.result() != HandlerMethod.Result.VOID);
    }

    private static ReceiverSpec receiver(SubscriberSettings settings) {
        Optional<String> subscription =
                settings.durable().or(() -> settings.shared() ? Optional.of(settings.name()) : Optional.empty());
        return new ReceiverSpec(
                address(settings),
                subscription,
                settings.durable().isPresent(),
                settings.shared(),
                settings.selector(),
                settings.credit(),
                settings.settle() == Settle.AT_MOST_ONCE,
                settings.maxMessageSize());
    }

    private static Address address(DeadLetterAddress deadLetter) {
        return new Address(deadLetter.topic() ? Address.Kind.TOPIC : Address.Kind.QUEUE, deadLetter.name());
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

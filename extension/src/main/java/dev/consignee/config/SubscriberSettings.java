package dev.consignee.config;

import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.Settle;
import dev.consignee.declaration.AttemptSource;
import dev.consignee.declaration.Attribute;
import dev.consignee.declaration.DeadLetterAddress;
import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.DelayRange;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.declaration.Kind;
import dev.consignee.declaration.OnStop;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One subscriber, configuration laid over its annotation, and found right.
 *
 * @param name the key under {@code consignee.subscriber.}
 * @param broker the broker's name; empty for the unnamed one
 * @param addressKind how the address is meant
 * @param address the address
 * @param durable the name of a topic's durable subscription
 * @param shared whether a topic's subscription is shared
 * @param selector a JMS selector
 * @param credit the link credit, 1 to 32767
 * @param settle when a delivery is settled
 * @param maxAttempts how many deliveries a message gets, 1 to 1,000,000; empty for no cap
 * @param deadLetter where a message goes that has had them
 * @param onException what becomes of a delivery whose handler throws
 * @param backoff the delays of retries after an exception; empty for at once
 * @param onDecodeError what becomes of a delivery whose body cannot be decoded
 * @param enabled whether the subscription is to run
 * @param delayedRetry who keeps a message while a retry waits for its time
 * @param onStop what becomes of copies that wait in the process when it stops
 * @param maxWaitingCopies how many copies may wait in the process, 1 to 10,000,000
 * @param attemptSource whose count of attempts is trusted
 * @param maxMessageSize how many bytes a message may have, all its sections together
 */
public record SubscriberSettings(
        String name,
        String broker,
        AddressKind addressKind,
        String address,
        Optional<String> durable,
        boolean shared,
        Optional<String> selector,
        int credit,
        Settle settle,
        OptionalInt maxAttempts,
        Optional<DeadLetterAddress> deadLetter,
        OnException onException,
        Optional<DelayRange> backoff,
        OnDecodeError onDecodeError,
        boolean enabled,
        DelayedRetry delayedRetry,
        OnStop onStop,
        int maxWaitingCopies,
        AttemptSource attemptSource,
        long maxMessageSize) {

    /** Types what the rules have found right. */
    static SubscriberSettings of(Declaration declaration) {
        Attribute address = declaration.settings().keySet().stream()
                .filter(Attribute::isAddress)
                .findFirst()
                .orElseThrow();
        return new SubscriberSettings(
                declaration.name(),
                declaration.text(Attribute.BROKER).orElse(""),
                kind(address),
                declaration.text(address).orElseThrow(),
                declaration.text(Attribute.DURABLE),
                truth(declaration, Attribute.SHARED),
                declaration.text(Attribute.SELECTOR),
                number(declaration, Attribute.CREDIT).orElseThrow(),
                choice(declaration, Attribute.SETTLE, Settle.class),
                number(declaration, Attribute.MAX_ATTEMPTS),
                declaration.text(Attribute.DEAD_LETTER).map(DeadLetterAddress::parse),
                choice(declaration, Attribute.ON_EXCEPTION, OnException.class),
                declaration.text(Attribute.BACKOFF).flatMap(DelayRange::parse),
                choice(declaration, Attribute.ON_DECODE_ERROR, OnDecodeError.class),
                truth(declaration, Attribute.ENABLED),
                choice(declaration, Attribute.DELAYED_RETRY, DelayedRetry.class),
                choice(declaration, Attribute.ON_STOP, OnStop.class),
                number(declaration, Attribute.MAX_WAITING_COPIES).orElseThrow(),
                choice(declaration, Attribute.ATTEMPT_SOURCE, AttemptSource.class),
                declaration
                        .text(Attribute.MAX_MESSAGE_SIZE)
                        .map(Kind.Size::parse)
                        .orElseThrow()
                        .orElseThrow());
    }

    private static OptionalInt number(Declaration declaration, Attribute attribute) {
        return declaration.text(attribute).map(Kind.WholeNumber::parse).orElse(OptionalLong.empty()).stream()
                .mapToInt(Math::toIntExact)
                .findFirst();
    }

    private static AddressKind kind(Attribute address) {
        return switch (address) {
            case QUEUE -> AddressKind.QUEUE;
            case TOPIC -> AddressKind.TOPIC;
            case VALUE -> AddressKind.VERBATIM;
            default -> throw new IllegalArgumentException(address + " is no address");
        };
    }

    private static boolean truth(Declaration declaration, Attribute attribute) {
        return declaration.text(attribute).flatMap(Kind.TruthValue::parse).orElseThrow();
    }

    private static <E extends Enum<E>> E choice(Declaration declaration, Attribute attribute, Class<E> type) {
        return declaration
                .text(attribute)
                .flatMap(text -> Kind.Choice.parse(type, text))
                .orElseThrow();
    }
}

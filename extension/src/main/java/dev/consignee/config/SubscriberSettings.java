package dev.consignee.config;

import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.Settle;
import dev.consignee.declaration.Attribute;
import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.Kind;
import java.util.Optional;

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
 * @param onException what becomes of a delivery whose handler throws
 * @param onDecodeError what becomes of a delivery whose body cannot be decoded
 * @param maxMessageSize how many bytes a message may have, all its sections together
 * @param enabled whether the subscription is to run
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
        OnException onException,
        OnDecodeError onDecodeError,
        long maxMessageSize,
        boolean enabled) {

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
                Math.toIntExact(declaration
                        .text(Attribute.CREDIT)
                        .map(Kind.WholeNumber::parse)
                        .orElseThrow()
                        .orElseThrow()),
                choice(declaration, Attribute.SETTLE, Settle.class),
                choice(declaration, Attribute.ON_EXCEPTION, OnException.class),
                choice(declaration, Attribute.ON_DECODE_ERROR, OnDecodeError.class),
                declaration
                        .text(Attribute.MAX_MESSAGE_SIZE)
                        .map(Kind.Size::parse)
                        .orElseThrow()
                        .orElseThrow(),
                truth(declaration, Attribute.ENABLED));
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

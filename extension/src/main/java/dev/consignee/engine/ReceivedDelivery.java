package dev.consignee.engine;

import dev.consignee.Delivery;
import dev.consignee.transport.Message;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What a handler may ask of a delivery. */
record ReceivedDelivery(String address, Message message) implements Delivery {

    @Override
    public OptionalInt redeliveryCount() {
        OptionalLong count = message.deliveryCount();
        return count.isPresent() ? OptionalInt.of(attempt(count.getAsLong())) : OptionalInt.empty();
    }

    @Override
    public int attempt() {
        return attempt(message.deliveryCount().orElse(0));
    }

    private static int attempt(long earlierDeliveries) {
        return (int) Math.min(earlierDeliveries + 1, Integer.MAX_VALUE);
    }

    @Override
    public Map<String, Object> headers() {
        return message.applicationProperties();
    }

    @Override
    public Optional<String> messageId() {
        return message.properties().messageId();
    }

    @Override
    public Optional<String> correlationId() {
        return message.properties().correlationId();
    }

    @Override
    public Optional<String> replyTo() {
        return message.properties().replyTo();
    }

    @Override
    public Optional<String> contentType() {
        return message.properties().contentType();
    }

    @Override
    public Optional<String> subject() {
        return message.properties().subject();
    }

    @Override
    public Optional<String> groupId() {
        return message.properties().groupId();
    }
}

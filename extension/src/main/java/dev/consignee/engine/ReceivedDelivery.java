package dev.consignee.engine;

import dev.consignee.Delivery;
import dev.consignee.MessageId;
import dev.consignee.transport.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What a handler may ask of a delivery. */
record ReceivedDelivery(String address, Message message, Attempt current) implements Delivery {

    private static final int DEFAULT_PRIORITY = 4;

    @Override
    public OptionalInt redeliveryCount() {
        OptionalLong count = message.header().deliveryCount();
        return count.isPresent() ? OptionalInt.of(clamped(count.getAsLong() + 1)) : OptionalInt.empty();
    }

    @Override
    public int attempt() {
        return clamped(current.number());
    }

    private static int clamped(long number) {
        return (int) Math.min(number, Integer.MAX_VALUE);
    }

    @Override
    public Map<String, Object> headers() {
        return message.applicationProperties();
    }

    @Override
    public Map<String, Object> annotations() {
        return message.annotations();
    }

    @Override
    public boolean durable() {
        return message.header().durable();
    }

    @Override
    public int priority() {
        return message.header().priority().orElse(DEFAULT_PRIORITY);
    }

    @Override
    public Optional<Duration> timeToLive() {
        return message.header().timeToLive();
    }

    @Override
    public Optional<byte[]> userId() {
        return message.properties().userId().map(byte[]::clone);
    }

    @Override
    public Optional<MessageId> messageId() {
        return message.properties().messageId();
    }

    @Override
    public Optional<MessageId> correlationId() {
        return message.properties().correlationId();
    }

    @Override
    public Optional<String> to() {
        return message.properties().to();
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
    public Optional<String> contentEncoding() {
        return message.properties().contentEncoding();
    }

    @Override
    public Optional<String> subject() {
        return message.properties().subject();
    }

    @Override
    public Optional<String> groupId() {
        return message.properties().groupId();
    }

    @Override
    public OptionalLong groupSequence() {
        return message.properties().groupSequence();
    }

    @Override
    public Optional<String> replyToGroupId() {
        return message.properties().replyToGroupId();
    }

    @Override
    public Optional<Instant> creationTime() {
        return message.properties().creationTime();
    }

    @Override
    public Optional<Instant> expiryTime() {
        return message.properties().expiryTime();
    }
}

package dev.consignee.engine;

import dev.consignee.MessageId;
import dev.consignee.PublishException;
import dev.consignee.Publisher;
import dev.consignee.transport.Address;
import dev.consignee.transport.Message;
import dev.consignee.transport.TransportException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A message in the making. */
final class MessageDraft implements Publisher.Draft {

    /** When the broker may deliver a message at the earliest; Artemis and Classic know it, as Qpid JMS sends it. */
    private static final String DELIVERY_TIME = "x-opt-delivery-time";

    private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);
    private static final long LARGEST_UINT = 0xFFFF_FFFFL;
    private static final int HIGHEST_PRIORITY = 9;
    private static final BigInteger LARGEST_ULONG = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    private static final Set<Class<?>> SIMPLE_TYPES = Set.of(
            String.class,
            Boolean.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            Character.class,
            UUID.class,
            Instant.class,
            byte[].class);

    private final Address target;
    private final PayloadEncoder encoder;
    private final Way way;
    private final Executor continuations;
    private final Map<String, Object> headers = new LinkedHashMap<>();
    private final Message.PropertiesBuilder properties = Message.Properties.builder();
    private boolean durable = true;
    private OptionalInt priority = OptionalInt.empty();
    private Optional<Duration> timeToLive = Optional.empty();
    private Optional<Duration> delay = Optional.empty();
    private Optional<String> contentType = Optional.empty();
    private boolean sent;

    /** How a message leaves. */
    interface Way {
        CompletableFuture<@Nullable Void> send(Address target, boolean delayed, Message message)
                throws TransportException, InterruptedException;
    }

    MessageDraft(Address target, PayloadEncoder encoder, Way way, Executor continuations) {
        this.target = target;
        this.encoder = encoder;
        this.way = way;
        this.continuations = continuations;
    }

    @Override
    public Publisher.Draft header(String name, Object value) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
        boolean unsigned =
                value instanceof BigInteger number && number.signum() >= 0 && number.compareTo(LARGEST_ULONG) <= 0;
        if (!unsigned && !SIMPLE_TYPES.contains(value.getClass())) {
            throw new IllegalArgumentException("Header '" + name + "' of a message to " + target + " is a "
                    + value.getClass().getName()
                    + ". Legal: String, Boolean, Byte, Short, Integer, Long, Float, Double, Character, UUID, Instant,"
                    + " byte[], BigInteger of 0 to " + LARGEST_ULONG + ". Convert it, or put it into the payload.");
        }
        headers.put(name, value instanceof byte[] bytes ? bytes.clone() : value);
        return this;
    }

    @Override
    public Publisher.Draft correlationId(MessageId id) {
        properties.correlationId(Objects.requireNonNull(id, "id"));
        return this;
    }

    @Override
    public Publisher.Draft replyTo(String address) {
        properties.replyTo(Objects.requireNonNull(address, "address"));
        return this;
    }

    @Override
    public Publisher.Draft subject(String subject) {
        properties.subject(Objects.requireNonNull(subject, "subject"));
        return this;
    }

    @Override
    public Publisher.Draft groupId(String id) {
        properties.groupId(Objects.requireNonNull(id, "id"));
        return this;
    }

    @Override
    public Publisher.Draft groupSequence(long sequence) {
        range("group sequence", sequence, 0, LARGEST_UINT);
        properties.groupSequence(OptionalLong.of(sequence));
        return this;
    }

    @Override
    public Publisher.Draft contentType(String type) {
        contentType = Optional.of(type);
        return this;
    }

    @Override
    public Publisher.Draft contentEncoding(String encoding) {
        properties.contentEncoding(Objects.requireNonNull(encoding, "contentEncoding"));
        return this;
    }

    @Override
    public Publisher.Draft timeToLive(Duration time) {
        boolean beyondCounting = time.compareTo(Duration.ofMillis(LARGEST_UINT)) > 0;
        range("time to live in milliseconds", beyondCounting ? Long.MAX_VALUE : time.toMillis(), 1, LARGEST_UINT);
        timeToLive = Optional.of(time);
        return this;
    }

    @Override
    public Publisher.Draft priority(int number) {
        range("priority", number, 0, HIGHEST_PRIORITY);
        priority = OptionalInt.of(number);
        return this;
    }

    @Override
    public Publisher.Draft durable(boolean keep) {
        durable = keep;
        return this;
    }

    @Override
    public Publisher.Draft deliveryDelay(Duration time) {
        if (time.isNegative() || time.compareTo(LONGEST_DELAY) > 0) {
            throw new IllegalArgumentException("The delivery delay of a message to " + target + " is " + time
                    + ". Legal: zero to " + LONGEST_DELAY.toDays() + " days.");
        }
        delay = Optional.of(time);
        return this;
    }

    private void range(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("The " + what + " of a message to " + target + " is " + value
                    + ". Legal: " + least + " to " + most + ".");
        }
    }

    @Override
    public void send(Object payload) {
        try {
            begin(payload).get();
        } catch (TransportException refused) {
            throw notAccepted(refused);
        } catch (ExecutionException failed) {
            throw notAccepted(failed.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PublishException(
                    "Interrupted while a message to " + target + " was sent; the broker may have it", null, e);
        }
    }

    @Override
    public CompletionStage<Void> sendAsync(Object payload) {
        CompletableFuture<@Nullable Void> outcome;
        try {
            outcome = begin(payload);
        } catch (TransportException refused) {
            return CompletableFuture.failedFuture(notAccepted(refused));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(new PublishException(
                    "Interrupted before a message to " + target + " was sent; the broker does not have it", null, e));
        }
        return outcome.handleAsync(
                (accepted, failed) -> {
                    if (failed != null) {
                        throw notAccepted(failed instanceof CompletionException ? failed.getCause() : failed);
                    }
                    return null;
                },
                continuations);
    }

    private CompletableFuture<@Nullable Void> begin(Object payload) throws TransportException, InterruptedException {
        if (sent) {
            throw new IllegalStateException("a draft is sent once; begin another message");
        }
        PayloadEncoder.Encoded encoded = encoder.encode(Objects.requireNonNull(payload, "payload"), contentType);
        sent = true;
        return way.send(target, delay.isPresent(), message(encoded));
    }

    private Message message(PayloadEncoder.Encoded encoded) {
        Map<String, Object> annotations = delay.isPresent()
                ? Map.of(DELIVERY_TIME, Instant.now().plus(delay.get()).toEpochMilli())
                : Map.of();
        return new Message(
                new Message.Header(durable, priority, timeToLive, OptionalLong.empty()),
                annotations,
                properties
                        .messageId(MessageId.of("ID:" + UUID.randomUUID()))
                        .contentType(encoded.contentType())
                        .build(),
                headers,
                new Message.Data(List.of(encoded.body())));
    }

    private PublishException notAccepted(@Nullable Throwable failure) {
        String reason = failure == null ? "" : ": " + failure.getMessage();
        String condition = failure instanceof TransportException refused
                ? refused.condition().orElse(null)
                : null;
        return new PublishException("A message to " + target + " was not accepted" + reason, condition, failure);
    }
}

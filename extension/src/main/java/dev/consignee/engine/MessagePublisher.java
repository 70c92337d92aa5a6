package dev.consignee.engine;

import dev.consignee.PublishException;
import dev.consignee.Publisher;
import dev.consignee.transport.Address;
import dev.consignee.transport.Message;
import dev.consignee.transport.TransportException;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Publishes to one broker, over a connection that is opened with the first message. */
public final class MessagePublisher implements Publisher {

    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final Brokers brokers;
    private final Jsonb jsonb;
    private final String name;
    private final Senders senders;
    private final Duration sendTimeout;

    /**
     * Publishes to the unnamed broker.
     *
     * @param brokers that may be named; closed by their owner
     * @param jsonb for payloads; stays open
     */
    public MessagePublisher(Brokers brokers, Jsonb jsonb) {
        this(brokers, jsonb, "");
    }

    private MessagePublisher(Brokers brokers, Jsonb jsonb, String name) {
        this.brokers = brokers;
        this.jsonb = jsonb;
        this.name = name;
        Brokers.Broker broker = brokers.broker(name);
        this.senders = broker.senders();
        this.sendTimeout = broker.publishing().broker().timeouts().send().orElse(FOR_EVER);
    }

    @Override
    public Draft toQueue(String queue) {
        return new Letter(new Address(Address.Kind.QUEUE, queue));
    }

    @Override
    public Draft toTopic(String topic) {
        return new Letter(new Address(Address.Kind.TOPIC, topic));
    }

    @Override
    public Draft to(String address) {
        return new Letter(new Address(Address.Kind.VERBATIM, address));
    }

    @Override
    public Publisher broker(String other) {
        return other.equals(name) ? this : new MessagePublisher(brokers, jsonb, other);
    }

    private final class Letter implements Draft {

        private final Address target;
        private final Map<String, Object> headers = new LinkedHashMap<>();
        private @Nullable String correlationId;
        private boolean sent;

        Letter(Address target) {
            this.target = target;
        }

        @Override
        public Draft header(String header, Object value) {
            Objects.requireNonNull(header, "name");
            if (!isProperty(value)) {
                throw new IllegalArgumentException("Header '" + header + "' of a message to " + target
                        + " is a " + value.getClass().getName()
                        + ". Legal: String, Boolean, Byte, Short, Integer, Long, Float, Double, Character, UUID, Instant,"
                        + " byte[]. Convert it, or put it into the payload.");
            }
            headers.put(header, value);
            return this;
        }

        @Override
        public Draft correlationId(String id) {
            correlationId = Objects.requireNonNull(id, "id");
            return this;
        }

        @Override
        public void send(Object payload) {
            if (sent) {
                throw new IllegalStateException("a draft is sent once; begin another message");
            }
            sent = true;
            Message message = message(payload);
            try {
                senders.send(target, message, sendTimeout);
            } catch (TransportException refused) {
                throw new PublishException(
                        "A message to " + target + " was not accepted: " + refused.getMessage(),
                        refused.condition().orElse(null),
                        refused);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new PublishException(
                        "Interrupted while a message to " + target + " was sent; the broker may have it", null, e);
            }
        }

        private Message message(Object payload) {
            String type;
            byte[] body;
            if (payload instanceof byte[] bytes) {
                type = "application/octet-stream";
                body = bytes.clone();
            } else if (payload instanceof String text) {
                type = "text/plain; charset=utf-8";
                body = text.getBytes(StandardCharsets.UTF_8);
            } else {
                type = "application/json";
                body = json(Objects.requireNonNull(payload, "payload")).getBytes(StandardCharsets.UTF_8);
            }
            return new Message(
                    true,
                    OptionalLong.empty(),
                    new Message.Properties(
                            Optional.of("ID:" + UUID.randomUUID()),
                            Optional.ofNullable(correlationId),
                            Optional.empty(),
                            Optional.of(type),
                            Optional.empty(),
                            Optional.empty()),
                    headers,
                    new Message.Data(List.of(body)));
        }

        private String json(Object payload) {
            try {
                return jsonb.toJson(payload);
            } catch (JsonbException unwritable) {
                throw new IllegalArgumentException(
                        "A " + payload.getClass().getName() + " cannot be written as JSON: " + unwritable.getMessage(),
                        unwritable);
            }
        }
    }

    private static boolean isProperty(Object value) {
        return value instanceof String
                || value instanceof Boolean
                || value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Float
                || value instanceof Double
                || value instanceof Character
                || value instanceof UUID
                || value instanceof Instant
                || value instanceof byte[];
    }
}

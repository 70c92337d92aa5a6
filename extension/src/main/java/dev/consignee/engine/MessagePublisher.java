package dev.consignee.engine;

import dev.consignee.Publisher;
import dev.consignee.transport.Address;
import dev.consignee.transport.Message;
import dev.consignee.transport.TransportException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Publishes to one broker, over a connection that is opened with the first message. */
public final class MessagePublisher implements Publisher {

    private final Brokers brokers;
    private final PayloadEncoder encoder;
    private final String name;
    private final Senders senders;
    private final Duration sendTimeout;

    /**
     * Publishes to the unnamed broker.
     *
     * @param brokers that may be named; closed by their owner
     * @param encoder writes payloads
     */
    public MessagePublisher(Brokers brokers, PayloadEncoder encoder) {
        this(brokers, encoder, "");
    }

    private MessagePublisher(Brokers brokers, PayloadEncoder encoder, String name) {
        this.brokers = brokers;
        this.encoder = encoder;
        this.name = name;
        Brokers.Broker broker = brokers.broker(name);
        this.senders = broker.senders();
        this.sendTimeout = broker.sendTimeout();
    }

    @Override
    public Draft toQueue(String queue) {
        return draft(Address.Kind.QUEUE, queue);
    }

    @Override
    public Draft toTopic(String topic) {
        return draft(Address.Kind.TOPIC, topic);
    }

    @Override
    public Draft to(String address) {
        return draft(Address.Kind.VERBATIM, address);
    }

    private Draft draft(Address.Kind kind, String address) {
        return new MessageDraft(new Address(kind, address), encoder, this::send, brokers.continuations());
    }

    @Override
    public Publisher broker(String other) {
        return other.equals(name) ? this : new MessagePublisher(brokers, encoder, other);
    }

    private CompletableFuture<@Nullable Void> send(Address target, boolean delayed, Message message)
            throws TransportException, InterruptedException {
        return senders.send(target, delayed, message, sendTimeout);
    }
}

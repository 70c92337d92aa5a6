package dev.consignee.engine;

import static dev.consignee.engine.Eventually.await;

import dev.consignee.declaration.BrokerProfile;
import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.Connection;
import dev.consignee.transport.Transport;
import dev.consignee.transport.TransportException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Brokers that do what a test says. Everything that happens on it is in {@link #events}, in order. */
final class FakeTransport implements Transport {

    /** What happens when somebody connects or attaches: nothing, a wait, or a refusal. */
    interface Script {
        void run(int attempt) throws TransportException;
    }

    final List<String> events = new CopyOnWriteArrayList<>();
    final List<URI> urls = new CopyOnWriteArrayList<>();
    final List<Long> connectedAt = new CopyOnWriteArrayList<>();
    final List<Long> attachedAt = new CopyOnWriteArrayList<>();
    final List<FakeConnection> connections = new CopyOnWriteArrayList<>();
    final List<FakeReceiver> receivers = new CopyOnWriteArrayList<>();
    final List<FakeSender> senders = new CopyOnWriteArrayList<>();
    final AtomicInteger mostAtOnce = new AtomicInteger();
    volatile Script onConnect = attempt -> {};
    volatile Script onReceiver = attempt -> {};
    volatile Script onSender = attempt -> {};
    volatile Consumer<FakeReceiver> onAttached = receiver -> {};
    volatile Consumer<FakeSender> onSenderAttached = sender -> {};
    volatile BrokerProfile profile = BrokerProfile.ARTEMIS;
    private final AtomicInteger atOnce = new AtomicInteger();

    static TransportException refused(String text) {
        return new TransportException(text, "amqp:not-allowed", null);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("fake");
    }

    @Override
    public Connection connect(BrokerSpec broker, URI url, Role role) throws TransportException {
        mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        try {
            connectedAt.add(System.nanoTime());
            urls.add(url);
            events.add("connect " + urls.size());
            onConnect.run(urls.size());
            FakeConnection made = new FakeConnection(this, connections.size() + 1, role);
            connections.add(made);
            return made;
        } finally {
            atOnce.decrementAndGet();
        }
    }

    int attempts() {
        return urls.size();
    }

    /** The connection that was opened as that one, waited for. */
    FakeConnection connection(int number) {
        await().until(() -> connections.size() >= number);
        return connections.get(number - 1);
    }

    /** The sender that was attached as that one, waited for. */
    FakeSender sender(int number) {
        await().until(() -> senders.size() >= number);
        return senders.get(number - 1);
    }

    /** The receiver that was attached as that one, waited for. */
    FakeReceiver receiver(int number) {
        await().until(() -> receivers.size() >= number);
        return receivers.get(number - 1);
    }
}

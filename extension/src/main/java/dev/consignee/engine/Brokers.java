package dev.consignee.engine;

import dev.consignee.time.Backoff;
import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.Transport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The brokers of an application: for each, one connection to receive and one to publish, opened when first needed. */
public final class Brokers implements AutoCloseable {

    private final Map<String, Broker> byName = new LinkedHashMap<>();

    /** Knows no broker yet; to be filled before it is shared between threads. */
    public Brokers() {}

    /**
     * Adds a broker.
     *
     * @param backoff between tries to connect and to attach
     */
    public void add(BrokerSpec spec, Transport transport, Backoff backoff) {
        Connections receiving = new Connections(transport, spec, Transport.Role.RECEIVING, backoff);
        Connections publishing = new Connections(transport, spec, Transport.Role.PUBLISHING, backoff);
        byName.put(spec.name(), new Broker(receiving, publishing, new Senders(publishing), backoff));
    }

    Broker broker(String name) {
        @Nullable Broker broker = byName.get(name);
        if (broker == null) {
            throw new IllegalArgumentException("No broker '" + name + "' is configured. Known: " + names()
                    + ". Set 'consignee.broker." + name + ".url', or name one of those.");
        }
        return broker;
    }

    private String names() {
        TreeSet<String> names = new TreeSet<>();
        byName.keySet().forEach(name -> names.add(name.isEmpty() ? "the unnamed one" : "'" + name + "'"));
        return String.join(", ", names);
    }

    /** Nobody waits for a connection to receive any more. */
    void stopReceiving() {
        byName.values().forEach(broker -> broker.receiving().stop());
    }

    @Override
    public void close() {
        byName.values().forEach(broker -> broker.receiving().close());
        byName.values().forEach(broker -> broker.publishing().close());
    }

    /** A broker's connections. */
    record Broker(Connections receiving, Connections publishing, Senders senders, Backoff backoff) {}
}

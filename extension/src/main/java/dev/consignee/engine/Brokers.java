package dev.consignee.engine;

import dev.consignee.time.Backoff;
import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.Transport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The brokers of an application: for each, one connection to receive and one to publish, opened when first needed. */
public final class Brokers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Brokers.class);

    private static final int CONTINUATION_THREADS = 2;
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final ThreadPoolExecutor continuations;
    private final Map<String, Broker> byName = new LinkedHashMap<>();

    /** Knows no broker yet; to be filled before it is shared between threads. */
    public Brokers() {
        this(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Knows no broker yet; to be filled before it is shared between threads.
     *
     * @param threads makes the threads that run what is chained to an asynchronous send, named here
     */
    public Brokers(ThreadFactory threads) {
        continuations = new ThreadPoolExecutor(
                CONTINUATION_THREADS, CONTINUATION_THREADS, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = threads.newThread(task);
                    thread.setName("consignee-publishing");
                    return thread;
                });
        continuations.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs what is chained to an asynchronous send: never on a connection's own thread, for which a send that is chained to
     * a send would wait for ever.
     */
    Executor continuations() {
        return continuations;
    }

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
        byName.values().forEach(broker -> close(broker.receiving()));
        byName.values().forEach(broker -> close(broker.publishing()));
        continuations.shutdown();
        try {
            if (!continuations.awaitTermination(GRACE.toNanos(), TimeUnit.NANOSECONDS)) {
                continuations.shutdownNow();
            }
        } catch (InterruptedException e) {
            continuations.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private static void close(Connections connections) {
        try {
            connections.close();
        } catch (RuntimeException notClosed) {
            LOG.debug(
                    "a connection to {} could not be closed",
                    connections.broker().display(),
                    notClosed);
        }
    }

    /** A broker's connections. */
    record Broker(Connections receiving, Connections publishing, Senders senders, Backoff backoff) {}
}

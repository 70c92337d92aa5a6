package dev.consignee.engine;

import dev.consignee.time.Backoff;
import dev.consignee.time.ThreadTimers;
import dev.consignee.time.Timers;
import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
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
    private static final int ATTACHING_THREADS = 8;
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final ThreadFactory threads;
    private final ThreadPoolExecutor continuations;
    private final ThreadPoolExecutor attaching;
    private final ThreadTimers timers;
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
        this.threads = threads;
        this.continuations = pool(CONTINUATION_THREADS, "consignee-publishing", new ThreadPoolExecutor.AbortPolicy());
        this.attaching = pool(ATTACHING_THREADS, "consignee-attaching", new ThreadPoolExecutor.DiscardPolicy());
        this.timers = new ThreadTimers(threads, "consignee-timer");
    }

    /** Threads that are there only while they have something to do. */
    private ThreadPoolExecutor pool(int size, String name, RejectedExecutionHandler onceShutDown) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                size,
                size,
                5,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = threads.newThread(task);
                    thread.setName(name);
                    return thread;
                },
                onceShutDown);
        pool.allowCoreThreadTimeOut(true);
        return pool;
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
        ThreadPoolExecutor courier = pool(
                1,
                spec.name().isEmpty() ? "consignee-copies" : "consignee-copies-" + spec.name(),
                new ThreadPoolExecutor.DiscardPolicy());
        byName.put(
                spec.name(),
                new Broker(receiving, publishing, new Senders(publishing), backoff, courier, attaching, timers));
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
        timers.close();
        byName.values().forEach(broker -> broker.courier().shutdownNow());
        attaching.shutdownNow();
        byName.values().forEach(broker -> close(broker.receiving()));
        byName.values().forEach(broker -> close(broker.publishing()));
        continuations.shutdown();
        List<ThreadPoolExecutor> pools = new ArrayList<>(List.of(continuations, attaching));
        byName.values().forEach(broker -> pools.add(broker.courier()));
        long deadline = System.nanoTime() + GRACE.toNanos();
        for (ThreadPoolExecutor pool : pools) {
            end(pool, deadline);
        }
    }

    private static void end(ThreadPoolExecutor pool, long deadline) {
        try {
            if (!pool.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                pool.shutdownNow();
            }
        } catch (InterruptedException e) {
            pool.shutdownNow();
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

    /**
     * A broker's connections, and the threads for what is published on its behalf.
     *
     * @param courier runs one thing after the other, and must not wait for anything
     * @param attaching may wait for the network
     * @param timers must not wait for anything
     */
    record Broker(
            Connections receiving,
            Connections publishing,
            Senders senders,
            Backoff backoff,
            ThreadPoolExecutor courier,
            Executor attaching,
            Timers timers) {

        /** How long the broker may take to confirm a message. */
        Duration sendTimeout() {
            return publishing.broker().timeouts().send().orElse(Timers.LONGEST);
        }
    }
}

package dev.consignee.engine;

import dev.consignee.SettlementFailed;
import dev.consignee.diagnostics.Notice;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import jakarta.json.bind.Jsonb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All subscriptions of an application: starts them, and stops them within a bound.
 *
 * <ul>
 *   <li>G1: it starts once and stops once; what is stopped never starts again.
 *   <li>G2: a stop ends within the shutdown timeout, the close timeouts of the brokers and {@link #GRACE}, whatever
 *       handlers do.
 *   <li>G3: after the shutdown timeout nothing is settled any more.
 * </ul>
 *
 * <p>Any thread; start and stop exclude each other.
 */
public final class Engine {

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    /** How long an interrupted handler gets to end. */
    static final Duration GRACE = Duration.ofSeconds(1);

    /** For applications that observe no event: none is made then. */
    public static final Consumer<SettlementFailed> NOBODY_LISTENS = failed -> {};

    private static final int EVENTS_KEPT = 10_000;

    private final Brokers brokers;
    private final Jsonb jsonb;
    private final Codecs codecs;
    private final ThreadFactory threads;
    private final Duration shutdownTimeout;
    private final Consumer<SettlementFailed> failures;
    private final ThreadPoolExecutor events;
    private final List<Running> running = new ArrayList<>();
    private boolean started;
    private boolean stopped;

    /**
     * Makes an engine without subscriptions.
     *
     * @param brokers closed when the engine stops
     * @param jsonb for payloads; stays open
     * @param codecs for payloads of their content types
     * @param threads makes the threads that handlers run on, named by the engine
     * @param shutdownTimeout how long running handlers get at a stop
     * @param failures told of outcomes that did not reach their delivery, on a thread of its own; {@link
     *     #NOBODY_LISTENS} where nobody wants to know
     */
    public Engine(
            Brokers brokers,
            Jsonb jsonb,
            Codecs codecs,
            ThreadFactory threads,
            Duration shutdownTimeout,
            Consumer<SettlementFailed> failures) {
        this.brokers = brokers;
        this.jsonb = jsonb;
        this.codecs = codecs;
        this.threads = threads;
        this.shutdownTimeout = shutdownTimeout;
        this.failures = failures;
        this.events = new ThreadPoolExecutor(
                1,
                1,
                5,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(EVENTS_KEPT),
                task -> named(task, "consignee-events"),
                new ThreadPoolExecutor.DiscardPolicy());
        this.events.allowCoreThreadTimeOut(true);
    }

    /**
     * Adds a subscription, before the start.
     *
     * @param check looks at each payload before the handler does
     * @throws IllegalArgumentException where its broker is not known
     */
    public synchronized void add(
            SubscriptionSpec spec, Handler.Source handlers, PayloadCheck check, SubscriptionDiagnosis diagnosis) {
        if (started || stopped) {
            throw new IllegalStateException("subscriptions are added before the start");
        }
        Brokers.Broker broker = brokers.broker(spec.broker());
        Subscription subscription = new Subscription(
                spec,
                new PayloadDecoder(spec.payload(), jsonb, codecs, check),
                handlers,
                broker,
                failures == NOBODY_LISTENS ? NOBODY_LISTENS : failed -> events.execute(() -> failures.accept(failed)),
                diagnosis);
        running.add(new Running(subscription, named(subscription, "consignee-" + spec.name())));
    }

    private Thread named(Runnable task, String name) {
        Thread thread = threads.newThread(task);
        thread.setName(name);
        return thread;
    }

    /** Starts the subscriptions; does not wait for a broker. Does nothing once started or stopped (G1). */
    public synchronized void start() {
        if (started || stopped) {
            return;
        }
        started = true;
        running.forEach(each -> each.thread.start());
        if (!running.isEmpty()) {
            Notice.STARTED.log(
                    LOG,
                    "{} to connect: {}",
                    subscriptions(running.size()),
                    running.stream().map(each -> each.subscription.name()).collect(Collectors.joining(", ")));
        }
    }

    /**
     * Stops: withdraws the credit, lets running handlers finish and settle, then closes links and connections (G2, G3).
     * Does nothing once stopped.
     */
    public synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        if (started) {
            stopSubscriptions();
        }
        brokers.close();
        events.shutdown();
        awaitEvents();
        if (started && !running.isEmpty()) {
            Notice.STOPPED.log(LOG, "{} ended", subscriptions(running.size()));
        }
    }

    private static String subscriptions(int count) {
        return count == 1 ? "1 subscription" : count + " subscriptions";
    }

    private void stopSubscriptions() {
        long deadline = System.nanoTime() + shutdownTimeout.toNanos();
        running.forEach(each -> each.subscription.beginStop());
        brokers.stopReceiving();
        running.stream().filter(each -> each.subscription.connecting()).forEach(each -> each.thread.interrupt());
        List<Running> late = running.stream()
                .filter(each -> each.thread != Thread.currentThread()) // a handler that stops its own application
                .filter(each -> !joined(each.thread, deadline))
                .toList();
        running.stream().filter(each -> each.thread == Thread.currentThread()).forEach(own -> {
            own.subscription.awaitDebts(deadline);
            own.subscription.abandon();
        });
        if (late.isEmpty()) {
            return;
        }
        late.forEach(each -> each.subscription.abandon());
        late.forEach(each -> each.thread.interrupt());
        long end = System.nanoTime() + GRACE.toNanos();
        late.stream().filter(each -> !joined(each.thread, end)).forEach(this::reportStuck);
    }

    private void reportStuck(Running stuck) {
        Notice.THREAD_STUCK.log(
                LOG,
                "subscription '{}' did not end within {}; its thread '{}' is at{}",
                stuck.subscription.name(),
                shutdownTimeout,
                stuck.thread.getName(),
                Arrays.stream(stuck.thread.getStackTrace())
                        .map(frame -> System.lineSeparator() + "    " + frame)
                        .collect(Collectors.joining()));
    }

    /** Waits for a thread's end until then; the waiter's own interrupts are kept for later. */
    private static boolean joined(Thread thread, long deadline) {
        boolean interrupted = false;
        try {
            while (thread.isAlive()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                try {
                    TimeUnit.NANOSECONDS.timedJoin(thread, left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void awaitEvents() {
        try {
            if (!events.awaitTermination(GRACE.toNanos(), TimeUnit.NANOSECONDS)) {
                events.shutdownNow();
            }
        } catch (InterruptedException e) {
            events.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private record Running(Subscription subscription, Thread thread) {}
}

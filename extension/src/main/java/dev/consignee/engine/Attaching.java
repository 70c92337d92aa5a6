package dev.consignee.engine;

import dev.consignee.declaration.BrokerProfile;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.diagnostics.Notice;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.time.Tries;
import dev.consignee.transport.Connection;
import dev.consignee.transport.Receiver;
import dev.consignee.transport.TransportException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a subscription gets a link: waits for a connection, finds out whether the broker can do what is asked, and backs off
 * where it cannot. Confined to the consumer's thread, but for {@link #connecting} and {@link #stop}.
 */
final class Attaching {

    private static final Logger LOG = LoggerFactory.getLogger(Attaching.class);

    private final SubscriptionSpec spec;
    private final Settler settler;
    private final Connections connections;
    private final SubscriptionDiagnosis diagnosis;
    private final Tries tries;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile boolean connecting;

    Attaching(SubscriptionSpec spec, Settler settler, Brokers.Broker broker, SubscriptionDiagnosis diagnosis) {
        this.spec = spec;
        this.settler = settler;
        this.connections = broker.receiving();
        this.diagnosis = diagnosis;
        this.tries = new Tries(
                broker.backoff(),
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** Whether its thread waits for the network, where only an interrupt reaches it. */
    boolean connecting() {
        return connecting;
    }

    /** Ends all pauses. Any thread. */
    void stop() {
        stop.countDown();
    }

    private boolean stopping() {
        return stop.getCount() == 0;
    }

    /** The tries to get a link and to keep it. */
    Tries tries() {
        return tries;
    }

    /** Waits so long, or until stopped. */
    void pause(Duration wait) {
        try {
            boolean stopped = stop.await(wait.toNanos(), TimeUnit.NANOSECONDS);
            LOG.trace("subscription '{}' waited, stopped: {}", spec.name(), stopped);
        } catch (InterruptedException e) {
            LOG.debug("subscription '{}' was interrupted while it waited", spec.name());
        }
    }

    /** Attaches, unless stopping; null where that did not come about, after the pause that is due. */
    @Nullable
    Receiver attach(Settler.Link link) throws InterruptedException {
        connecting = true;
        try {
            if (stopping()) {
                return null;
            }
            Connection connection = connections.await();
            return connection == null ? null : attach(connection, link);
        } finally {
            connecting = false;
        }
    }

    private @Nullable Receiver attach(Connection connection, Settler.Link link) throws InterruptedException {
        Receiver attached;
        try {
            Optional<String> objection = prepare(connection);
            if (objection.isPresent()) {
                failed(Notice.NOT_ON_THIS_BROKER, "does not start", objection.get());
                return null;
            }
            attached = connection.openReceiver(spec.receiver(), link);
        } catch (TransportException refused) {
            failed(Notice.ATTACH_FAILED, "cannot attach", refused.getMessage());
            return null;
        }
        tries.succeeded();
        diagnosis.counters().attached();
        diagnosis.state(SubscriptionState.ATTACHED);
        Notice.ATTACHED.log(
                LOG,
                "subscription '{}' is attached to {} at {} with a credit of {}",
                spec.name(),
                spec.receiver().source(),
                connection.remote(),
                spec.receiver().credit());
        return attached;
    }

    /**
     * Attaches the senders that the subscription relies on, before it receives anything (attempt-14), and finds out whether
     * the broker can do what is asked (delay-5, delay-9).
     *
     * @return why the subscription cannot run here
     */
    private Optional<String> prepare(Connection connection) throws TransportException, InterruptedException {
        if (settler.deadLetters().isPresent()) {
            settler.deadLetters().get().attach();
        }
        DelayedRetry delayed = spec.retries().delayed();
        if (delayed == DelayedRetry.BROKER && !settler.copies().attach()) {
            return Optional.of("delayed-retry is 'broker', but " + connection.remote()
                    + " does not offer delayed delivery to " + spec.receiver().source() + ". Legal: hold, in-process");
        }
        boolean rejectedReturns = connection.profile() == BrokerProfile.BROKER_J;
        if (rejectedReturns && delayed == DelayedRetry.IN_PROCESS && !spec.atMostOnce()) {
            return Optional.of("delayed-retry is 'in-process', but " + connection.remote()
                    + " (Broker-J) delivers a rejected message again, so that each copy would be one message more."
                    + " Legal: hold, broker");
        }
        return Optional.empty();
    }

    private void failed(Notice notice, String what, String reason) {
        if (stopping()) {
            return;
        }
        Duration wait = tries.failed();
        notice.log(
                LOG,
                "subscription '{}' {} (try {}, the next in {} ms): {}",
                spec.name(),
                what,
                tries.failures(),
                wait.toMillis(),
                reason);
        pause(wait);
    }
}

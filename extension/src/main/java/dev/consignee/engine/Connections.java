package dev.consignee.engine;

import dev.consignee.diagnostics.Notice;
import dev.consignee.time.Backoff;
import dev.consignee.time.Tries;
import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.Connection;
import dev.consignee.transport.Transport;
import dev.consignee.transport.TransportException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection to a broker for one role, shared by all who need it.
 *
 * <ul>
 *   <li>C1: at most one thread connects at a time; the others wait for what comes of it, and share a failure: none waits
 *       for a second try.
 *   <li>C2: a lost connection is closed before the next one is opened.
 *   <li>C3: once stopped, nobody waits and nothing is opened any more.
 * </ul>
 */
final class Connections implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final Transport transport;
    private final BrokerSpec broker;
    private final Transport.Role role;
    private final Tries tries;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Connection current;
    private boolean lossNoticed;
    private boolean connecting;
    private long tried;
    private @Nullable TransportException failure;
    private long notBefore = System.nanoTime();
    private volatile boolean stopped; // written with the lock held

    Connections(Transport transport, BrokerSpec broker, Transport.Role role, Backoff backoff) {
        this.transport = transport;
        this.broker = broker;
        this.role = role;
        this.tries = new Tries(
                backoff, System::nanoTime, () -> ThreadLocalRandom.current().nextDouble());
    }

    BrokerSpec broker() {
        return broker;
    }

    /** Waits for an open connection, for as long as it takes; null once stopped. */
    @Nullable
    Connection await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (takeTurn()) {
                if (current != null && current.isOpen()) {
                    return current;
                }
                tryToConnect();
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the open connection, or tries once to make one, or shares what came of another's try (C1). */
    Connection now() throws TransportException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (connecting && !stopped) {
                long awaited = tried;
                while (connecting && tried == awaited && !stopped) {
                    changed.await();
                }
                if (failure != null && !stopped) {
                    throw failure.again();
                }
            }
            if (stopped) {
                throw stoppedException();
            }
            return current != null && current.isOpen() ? current : connect();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for its turn to try, or for a connection that is open; no once stopped (C1, C3). Lock released meanwhile. */
    private boolean takeTurn() throws InterruptedException {
        while (!stopped && !(current != null && current.isOpen())) {
            long wait = notBefore - System.nanoTime();
            if (connecting) {
                changed.await();
            } else if (wait > 0) {
                changed.awaitNanos(wait);
            } else {
                break;
            }
        }
        return !stopped;
    }

    /** One step of the back-off; notes when the next may be taken. */
    private void tryToConnect() {
        if (current != null && !lossNoticed) {
            lossNoticed = true;
            Duration wait = backOff();
            Notice.CONNECTION_LOST.log(
                    LOG,
                    "the connection to {} ({}) is lost; connecting again in {} ms",
                    current.remote(),
                    broker.display(),
                    wait.toMillis());
            return;
        }
        try {
            connect();
        } catch (TransportException failed) {
            if (stopped) {
                return;
            }
            Duration wait = backOff();
            Notice.CONNECT_FAILED.log(
                    LOG,
                    "cannot connect to {} (try {}, the next in {} ms): {}",
                    broker.display(),
                    tries.failures(),
                    wait.toMillis(),
                    failed.getMessage());
        }
    }

    private Duration backOff() {
        Duration wait = tries.failed();
        notBefore = System.nanoTime() + wait.toNanos();
        return wait;
    }

    /** Tries each URL in turn, with the lock released. */
    private Connection connect() throws TransportException {
        Connection dead = current;
        current = null;
        connecting = true;
        tried++;
        lock.unlock();
        @Nullable Connection made = null;
        @Nullable TransportException failed = null;
        try {
            if (dead != null) {
                dead.close(); // C2
            }
            made = firstThatConnects();
        } catch (TransportException e) {
            failed = e;
            throw e;
        } finally {
            lock.lock();
            connecting = false;
            failure = failed;
            changed.signalAll();
        }
        if (stopped) {
            closeUnlocked(made);
            throw stoppedException();
        }
        current = made;
        lossNoticed = false;
        tries.succeeded();
        Notice.CONNECTED.log(
                LOG,
                "connected to {} ({}) for {}",
                made.remote(),
                broker.display(),
                role == Transport.Role.RECEIVING ? "receiving" : "publishing");
        return made;
    }

    private void closeUnlocked(Connection tooLate) {
        lock.unlock();
        try {
            tooLate.close();
        } finally {
            lock.lock();
        }
    }

    private Connection firstThatConnects() throws TransportException {
        @Nullable TransportException last = null;
        for (URI url : broker.urls()) {
            if (stopped) {
                break;
            }
            try {
                return transport.connect(broker, url, role);
            } catch (TransportException failed) {
                if (last != null) {
                    failed.addSuppressed(last);
                }
                last = failed;
            }
        }
        throw last != null ? last : stoppedException();
    }

    private TransportException stoppedException() {
        return new TransportException(broker.display() + ": the application has stopped", null, null);
    }

    /** Ends all waiting; what is open stays open until closed (C3). */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        stop();
        @Nullable Connection last;
        lock.lock();
        try {
            last = current;
            current = null;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.close();
        }
    }
}

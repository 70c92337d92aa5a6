package dev.consignee.engine;

import dev.consignee.transport.Address;
import dev.consignee.transport.Connection;
import dev.consignee.transport.Forwarding;
import dev.consignee.transport.Message;
import dev.consignee.transport.Original;
import dev.consignee.transport.Sender;
import dev.consignee.transport.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open senders of a broker, one an address, for as long as their connection lives.
 *
 * <p>At most {@value #MOST} stay open: of those nobody is sending with, the one not used for longest is closed first. Any
 * thread; who attaches holds up only those who send to the same address.
 */
final class Senders {

    static final int MOST = 256;

    private static final Logger LOG = LoggerFactory.getLogger(Senders.class);

    private final Connections connections;
    private final Map<Address, Slot> slots = new LinkedHashMap<>(16, 0.75f, true);

    Senders(Connections connections) {
        this.connections = connections;
    }

    /**
     * Sends, over the sender of the address, attached now where there is none.
     *
     * @throws TransportException where it cannot be attached, or the broker offers no delay and one is asked for
     */
    CompletableFuture<@Nullable Void> send(Address target, boolean delayed, Message message, Duration timeout)
            throws TransportException, InterruptedException {
        Connection connection = connections.now();
        Slot slot = borrow(target);
        boolean underWay = false;
        try {
            Sender sender = slot.openOn(connection);
            refuseDelay(delayed, sender, target);
            CompletableFuture<@Nullable Void> outcome =
                    sender.send(message, timeout).whenComplete((accepted, failed) -> slot.giveBack());
            underWay = true;
            return outcome;
        } finally {
            if (!underWay) {
                slot.giveBack();
            }
        }
    }

    /**
     * Sends a message again that has arrived, over the sender of the address; never waits.
     *
     * @return null where no sender is attached
     * @throws TransportException where the broker offers no delay and one is asked for
     */
    @Nullable
    UnderWay forward(Address target, Original original, Forwarding how, Duration timeout) throws TransportException {
        Slot slot;
        synchronized (slots) {
            slot = slots.get(target);
            if (slot == null) {
                return null;
            }
            slot.borrowed.incrementAndGet();
        }
        boolean delayed =
                how instanceof Forwarding.Copy copy && copy.deliveryTime().isPresent();
        boolean underWay = false;
        try {
            Sender sender = slot.open();
            if (sender == null) {
                return null;
            }
            refuseDelay(delayed, sender, target);
            CompletableFuture<@Nullable Void> outcome = sender.forward(original, how, timeout);
            underWay = true;
            var unused = outcome.whenComplete((accepted, failed) -> slot.giveBack());
            return new UnderWay(sender, outcome);
        } finally {
            if (!underWay) {
                slot.giveBack();
            }
        }
    }

    /**
     * A message on its way.
     *
     * @param sender whose link it goes by
     * @param outcome as that of {@link Sender#forward}
     */
    record UnderWay(Sender sender, CompletableFuture<@Nullable Void> outcome) {}

    private static void refuseDelay(boolean delayed, Sender sender, Address target) throws TransportException {
        if (delayed && !sender.offersDelay()) {
            throw new TransportException(
                    "sending to " + target + ": the broker does not offer delayed delivery", null, null);
        }
    }

    /**
     * Attaches the sender of an address, if it is not.
     *
     * @return whether the broker offers to hold messages to it back
     */
    boolean attach(Address target) throws TransportException, InterruptedException {
        Connection connection = connections.now();
        Slot slot = borrow(target);
        try {
            return slot.openOn(connection).offersDelay();
        } finally {
            slot.giveBack();
        }
    }

    private Slot borrow(Address target) {
        List<Slot> surplus = new ArrayList<>();
        Slot slot;
        synchronized (slots) {
            slot = slots.computeIfAbsent(target, Slot::new);
            slot.borrowed.incrementAndGet(); // before evicting, so that it is not idle
            evict(surplus);
        }
        surplus.forEach(Senders::close);
        return slot;
    }

    private static void close(Slot surplus) {
        try {
            surplus.close();
        } catch (RuntimeException notClosed) {
            LOG.debug("a sender to {} could not be closed", surplus.target, notClosed);
        }
    }

    private void evict(List<Slot> surplus) {
        Iterator<Slot> oldestFirst = slots.values().iterator();
        while (slots.size() > MOST && oldestFirst.hasNext()) {
            Slot candidate = oldestFirst.next();
            if (candidate.borrowed.get() == 0) {
                oldestFirst.remove();
                surplus.add(candidate);
            }
        }
    }

    /**
     * The place of an address's sender. Who needs it first attaches it; the others wait for what comes of that, and share a
     * failure, so that they need not wait for tries of their own.
     */
    private static final class Slot {
        private final Address target;
        private final AtomicInteger borrowed = new AtomicInteger();
        private @Nullable Connection connection;
        private @Nullable Sender sender;
        private @Nullable CompletableFuture<Sender> attaching;

        Slot(Address target) {
            this.target = target;
        }

        Sender openOn(Connection current) throws TransportException, InterruptedException {
            CompletableFuture<Sender> coming;
            boolean mine = false;
            @Nullable Sender over = null;
            synchronized (this) {
                if (sender != null && sender.isOpen() && connection == current) {
                    return sender;
                }
                if (attaching == null) {
                    attaching = new CompletableFuture<>();
                    over = sender;
                    sender = null;
                    mine = true;
                }
                coming = attaching;
            }
            if (mine) {
                attach(current, over, coming);
            }
            return await(coming);
        }

        private void attach(Connection current, @Nullable Sender over, CompletableFuture<Sender> coming) {
            try {
                if (over != null) {
                    over.close(); // its link is gone, its session is not
                }
                Sender attached = current.openSender(target);
                synchronized (this) {
                    sender = attached;
                    connection = current;
                    attaching = null;
                }
                coming.complete(attached);
            } catch (TransportException | RuntimeException | Error refused) {
                synchronized (this) {
                    attaching = null;
                }
                coming.completeExceptionally(refused);
            }
        }

        private static Sender await(CompletableFuture<Sender> coming) throws TransportException, InterruptedException {
            try {
                return coming.get();
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof TransportException refused) {
                    throw refused.again();
                }
                throw new IllegalStateException("a sender could not be attached", failed.getCause());
            }
        }

        /** The sender, where it can be used. */
        synchronized @Nullable Sender open() {
            return sender != null && sender.isOpen() ? sender : null;
        }

        /** Takes no lock: the transport's thread comes here, and whoever attaches waits for that thread. */
        void giveBack() {
            borrowed.decrementAndGet();
        }

        /** Called once nobody has it: nothing is being attached. */
        synchronized void close() {
            if (sender != null) {
                sender.close();
            }
        }
    }
}

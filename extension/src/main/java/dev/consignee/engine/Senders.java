package dev.consignee.engine;

import dev.consignee.transport.Address;
import dev.consignee.transport.Connection;
import dev.consignee.transport.Message;
import dev.consignee.transport.Sender;
import dev.consignee.transport.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The open senders of a broker, one an address, for as long as their connection lives.
 *
 * <p>At most {@value #MOST} stay open: of those nobody is sending with, the one not used for longest is closed first. Any
 * thread; attaching is done by one at a time.
 */
final class Senders {

    static final int MOST = 256;

    private final Connections connections;
    private final Map<Address, Shared> open = new LinkedHashMap<>(16, 0.75f, true);

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
        Shared shared = borrow(target);
        if (delayed && !shared.sender.offersDelay()) {
            giveBack(shared);
            throw new TransportException(
                    "sending to " + target + ": the broker does not offer delayed delivery", null, null);
        }
        try {
            return shared.sender.send(message, timeout).whenComplete((accepted, failed) -> giveBack(shared));
        } catch (RuntimeException notSent) {
            giveBack(shared);
            throw notSent;
        }
    }

    private Shared borrow(Address target) throws TransportException, InterruptedException {
        Connection connection = connections.now();
        List<Sender> surplus = new ArrayList<>();
        Shared shared;
        synchronized (open) {
            @Nullable Shared known = open.get(target);
            if (known == null || !known.sender.isOpen() || known.connection != connection) {
                @Nullable Shared over = known;
                known = new Shared(connection, connection.openSender(target));
                open.put(target, known);
                if (over != null) {
                    surplus.add(over.sender); // its link is gone, its session is not
                }
            }
            known.borrowed.incrementAndGet(); // before evicting, so that it is not idle
            evict(surplus);
            shared = known;
        }
        surplus.forEach(Sender::close);
        return shared;
    }

    /** Takes no lock: the transport's thread comes here, and whoever attaches holds the lock and waits for that thread. */
    private static void giveBack(Shared shared) {
        shared.borrowed.decrementAndGet();
    }

    private void evict(List<Sender> surplus) {
        Iterator<Shared> oldestFirst = open.values().iterator();
        while (open.size() > MOST && oldestFirst.hasNext()) {
            Shared candidate = oldestFirst.next();
            if (candidate.borrowed.get() == 0) {
                oldestFirst.remove();
                surplus.add(candidate.sender);
            }
        }
    }

    private static final class Shared {
        private final Connection connection;
        private final Sender sender;
        private final AtomicInteger borrowed = new AtomicInteger();

        Shared(Connection connection, Sender sender) {
            this.connection = connection;
            this.sender = sender;
        }
    }
}

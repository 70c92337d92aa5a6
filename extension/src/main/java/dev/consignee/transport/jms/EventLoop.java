package dev.consignee.transport.jms;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.qpid.jms.JmsDestination;
import org.apache.qpid.jms.meta.JmsConsumerInfo;
import org.apache.qpid.jms.meta.JmsProducerInfo;
import org.apache.qpid.jms.meta.JmsResource;
import org.apache.qpid.jms.provider.AsyncResult;
import org.apache.qpid.jms.provider.NoOpAsyncResult;
import org.apache.qpid.jms.provider.ProviderException;
import org.apache.qpid.jms.provider.ProviderFutureFactory;
import org.apache.qpid.jms.provider.WrappedAsyncResult;
import org.apache.qpid.jms.provider.amqp.AmqpAbstractResource;
import org.apache.qpid.jms.provider.amqp.AmqpProvider;
import org.apache.qpid.jms.transports.Transport;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.engine.Link;
import org.jspecify.annotations.Nullable;

/**
 * Qpid's provider, whose event loop runs everything of one connection, with the seams that this transport needs.
 *
 * <ul>
 *   <li>L1: a link is handed to its owner before the first frame on it is read.
 *   <li>L2: settlements that were queued together leave in one write, in the order they were queued, and before the credit
 *       that they return: the broker never counts more unsettled deliveries than the credit.
 *   <li>L3: each settlement is reported once, written or lost, also when the loop ends before it ran; nobody is told of a
 *       delivery that arrived settled.
 * </ul>
 */
final class EventLoop extends AmqpProvider {

    private static final NoOpAsyncResult NOBODY_WAITS = new NoOpAsyncResult();
    private static final Duration FOR_EVER = Duration.ofDays(365);

    private final Queue<QpidDelivery> settlements = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final List<QpidDelivery> batch = new ArrayList<>();
    private final Set<QpidReceiver> receivers = new LinkedHashSet<>();
    private volatile boolean over;

    EventLoop(URI remote, Transport transport, ProviderFutureFactory futures) {
        super(remote, transport, futures);
    }

    @Override
    public void create(JmsResource resource, AsyncResult request) throws ProviderException {
        LinkOwner owner = ownerOf(resource);
        if (resource instanceof JmsConsumerInfo consumer && consumer.isShared()) {
            consumer.setExplicitClientID(false); // a shared subscription is no container's: replicas have one each
        }
        super.create(resource, owner == null ? request : new HandOver(request, resource, owner));
    }

    private static @Nullable LinkOwner ownerOf(JmsResource resource) {
        JmsDestination destination = null;
        if (resource instanceof JmsConsumerInfo consumer) {
            destination = consumer.getDestination();
        } else if (resource instanceof JmsProducerInfo producer) {
            destination = producer.getDestination();
        }
        return destination instanceof LinkAddress address ? address.owner() : null;
    }

    /** What the broker says of itself in its open frame. Once connected; any thread. */
    Map<Symbol, Object> remoteProperties() {
        @Nullable Map<Symbol, Object> stated = getProtonConnection().getRemoteProperties();
        return stated == null ? Map.of() : stated;
    }

    /** Runs a task on the loop and then writes what it produced. Any thread. */
    boolean execute(Runnable task) {
        try {
            scheduleExecuteAndPump(task);
            return true;
        } catch (RejectedExecutionException ended) {
            return false;
        }
    }

    /** Runs a task on the loop after a while, unless cancelled. Event loop; a while too long to count is for ever. */
    @Nullable
    Future<?> after(Duration delay, Runnable task) {
        return delay.compareTo(FOR_EVER) >= 0
                ? null
                : scheduleRequestTimeout(new Expiry(task), delay.toMillis(), new ProviderException("expired"));
    }

    /** Qpid schedules failures of requests; this one is no failure, but a task. */
    private record Expiry(Runnable task) implements AsyncResult {
        @Override
        public void onFailure(ProviderException expired) {
            task.run();
        }

        @Override
        public void onSuccess() {
            // Never called: the task is cancelled instead.
        }

        @Override
        public boolean isComplete() {
            return false;
        }
    }

    /** Queues a settlement, or the end of a delivery that arrived settled. Any thread; returns at once. */
    void settle(QpidDelivery delivery) {
        settlements.add(delivery);
        if (over) {
            loseTheRest();
        } else if (scheduled.compareAndSet(false, true) && !execute(this::settleAll)) {
            over();
        }
    }

    private void settleAll() {
        scheduled.set(false);
        for (QpidDelivery next = settlements.poll(); next != null; next = settlements.poll()) {
            if (next.arrivedSettled()) {
                next.receiver().ended();
                receivers.add(next.receiver());
            } else if (next.receiver().apply(next)) {
                batch.add(next);
                receivers.add(next.receiver());
            } else {
                next.lost();
            }
        }
        // Proton writes a flow before the dispositions of the same turn, so they need a turn of their own (L2);
        // flushed,
        // since the turn after it, which flushes only what it wrote itself, may have nothing to write.
        boolean written = batch.isEmpty() || pumpToProtonTransport(NOBODY_WAITS);
        List<QpidDelivery> settled = List.copyOf(batch);
        batch.clear();
        for (QpidDelivery delivery : settled) {
            if (written) {
                delivery.written();
            } else {
                delivery.lost();
            }
        }
        receivers.forEach(QpidReceiver::grantDue);
        receivers.clear();
    }

    /** Whether what is written now can still leave. Event loop. */
    boolean canWrite() {
        return !over && !isFailed() && getTransport().isConnected();
    }

    /** The loop ends or has ended: what it has not settled is lost (L3). Any thread. */
    void over() {
        over = true;
        loseTheRest();
    }

    private void loseTheRest() {
        for (QpidDelivery next = settlements.poll(); next != null; next = settlements.poll()) {
            if (!next.arrivedSettled()) {
                next.lost();
            }
        }
    }

    /** Hands the link to its owner as soon as it is attached, still within the frame's own turn (L1). */
    private final class HandOver extends WrappedAsyncResult {

        private final JmsResource resource;
        private final LinkOwner owner;

        HandOver(AsyncResult request, JmsResource resource, LinkOwner owner) {
            super(request);
            this.resource = resource;
            this.owner = owner;
        }

        @Override
        public void onSuccess() {
            try {
                owner.opened(EventLoop.this, link());
            } catch (RuntimeException broken) {
                onFailure(new ProviderException("the link could not be taken over", broken));
                return;
            }
            super.onSuccess();
        }

        private Link link() {
            Object hint = resource instanceof JmsConsumerInfo consumer
                    ? consumer.getId().getProviderHint()
                    : ((JmsProducerInfo) resource).getId().getProviderHint();
            return (Link) ((AmqpAbstractResource<?, ?>) hint).getEndpoint();
        }
    }
}

package dev.consignee.engine;

import dev.consignee.AckError;
import dev.consignee.MessageId;
import dev.consignee.SettlementFailed;
import dev.consignee.diagnostics.Notice;
import dev.consignee.diagnostics.Seldom;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.time.Backoff;
import dev.consignee.time.Tries;
import dev.consignee.transport.Connection;
import dev.consignee.transport.Disposition;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Receiver;
import dev.consignee.transport.SettlementListener;
import dev.consignee.transport.TransportException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscription: attaches, and attaches again when its link is lost; takes one delivery after the other, and settles
 * each once.
 *
 * <ul>
 *   <li>E1: a delivery is settled on the link it came by, or not at all (settle-2, settle-8).
 *   <li>E2: no handler is called once stopping has begun; what is in hand then and untouched is released (life-4).
 *   <li>E3: whatever a handler or a body does, the loop goes on; only {@code STOP} and a stop end it (failure-1).
 * </ul>
 *
 * <p>{@link #run} is the consumer's thread; the other methods may be called by any.
 */
final class Subscription implements Runnable, SettlementListener {

    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);
    private static final Duration LOOK_UP = Duration.ofSeconds(1);
    private static final Duration DRAIN = Duration.ofSeconds(1);
    private static final Duration SAME_KIND = Duration.ofMinutes(1);

    private final SubscriptionSpec spec;
    private final DeliveryPath path;
    private final Handler.Source handlers;
    private final Connections connections;
    private final Consumer<SettlementFailed> failures;
    private final SubscriptionDiagnosis diagnosis;
    private final Tries tries;
    private final Seldom seldom = new Seldom(SAME_KIND, System::nanoTime);
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile boolean stopping;
    private volatile boolean connecting;
    private volatile @Nullable Receiver receiver;

    Subscription(
            SubscriptionSpec spec,
            PayloadDecoder decoder,
            Handler.Source handlers,
            Connections connections,
            Backoff backoff,
            Consumer<SettlementFailed> failures,
            SubscriptionDiagnosis diagnosis) {
        this.spec = spec;
        this.path = new DeliveryPath(spec, decoder, diagnosis);
        this.handlers = handlers;
        this.connections = connections;
        this.failures = failures;
        this.diagnosis = diagnosis;
        this.tries = new Tries(
                backoff, System::nanoTime, () -> ThreadLocalRandom.current().nextDouble());
    }

    String name() {
        return spec.name();
    }

    // --- the consumer's thread

    @Override
    public void run() {
        diagnosis.state(SubscriptionState.CONNECTING);
        try (Handler handler = handlers.open()) {
            while (!stopping) {
                attachAndConsume(handler);
            }
        } catch (RuntimeException | Error broken) {
            Notice.ENDED.log(LOG, "subscription '{}' has ended, since it cannot call its handler", spec.name(), broken);
        } finally {
            diagnosis.stopped();
        }
    }

    /** One epoch: from attaching to the loss of the link, or the end. Never throws but for a broken virtual machine. */
    private void attachAndConsume(Handler handler) {
        try {
            Receiver attached = attach();
            if (attached == null) {
                return;
            }
            try {
                consume(attached, handler);
            } finally {
                detach(attached);
            }
        } catch (TransportException lost) {
            if (!stopping) {
                Duration wait = tries.failed();
                Notice.LINK_LOST.log(
                        LOG,
                        "subscription '{}': {}; attaching again in {} ms",
                        spec.name(),
                        lost.getMessage(),
                        wait.toMillis());
                pause(wait);
            }
        } catch (InterruptedException e) {
            // Not ours to obey: only a stop ends a subscription, and it has its own sign. The flag is cleared.
            LOG.debug("subscription '{}' was interrupted", spec.name());
        } catch (RuntimeException | Error unexpected) { // E3
            Notice.UNEXPECTED.log(LOG, "subscription '{}' begins anew", spec.name(), unexpected);
            pause(tries.failed());
        }
    }

    /** Attaches, unless stopping; null where that did not come about, after the pause that is due. */
    private @Nullable Receiver attach() throws InterruptedException {
        connecting = true;
        try {
            if (stopping) {
                return null;
            }
            Connection connection = connections.await();
            if (connection == null) {
                return null;
            }
            return attach(connection);
        } finally {
            connecting = false;
        }
    }

    private @Nullable Receiver attach(Connection connection) {
        Receiver attached;
        try {
            attached = connection.openReceiver(spec.receiver(), this);
        } catch (TransportException refused) {
            if (!stopping) {
                Duration wait = tries.failed();
                Notice.ATTACH_FAILED.log(
                        LOG,
                        "subscription '{}' cannot attach (try {}, the next in {} ms): {}",
                        spec.name(),
                        tries.failures(),
                        wait.toMillis(),
                        refused.getMessage());
                pause(wait);
            }
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
        receiver = attached;
        if (stopping) {
            attached.withdrawCredit();
        }
        return attached;
    }

    private void consume(Receiver from, Handler handler) throws TransportException, InterruptedException {
        while (!stopping) {
            InboundDelivery delivery = from.receive(LOOK_UP);
            if (delivery == null) {
                continue;
            }
            if (stopping) {
                delivery.settle(Disposition.RELEASED); // E2
                return;
            }
            diagnosis.counters().delivery();
            carryOut(path.take(delivery, handler), delivery);
            if (!stopping && Thread.interrupted()) {
                // Left behind by a handler or a codec, it would end the wait for the next delivery, and with it the
                // link.
                LOG.debug("subscription '{}': its thread was left interrupted", spec.name());
            }
        }
    }

    private void detach(Receiver attached) {
        try {
            if (stopping) {
                attached.withdrawCredit();
                attached.awaitWithdrawn(DRAIN);
            }
        } catch (InterruptedException e) {
            LOG.debug("subscription '{}' was interrupted while it detached", spec.name());
        } finally {
            diagnosis.detached();
            attached.close();
            receiver = null;
        }
    }

    private void carryOut(SettlementPolicy.Plan plan, InboundDelivery delivery) {
        if (plan instanceof SettlementPolicy.Plan.Settle settle) {
            delivery.settle(settle.disposition());
        } else {
            diagnosis.state(SubscriptionState.STOPPED_BY_POLICY);
            Notice.STOPPED_BY_POLICY.log(
                    LOG, "subscription '{}' has been stopped by its policy; its delivery goes back", spec.name());
            beginStop();
        }
    }

    private void pause(Duration wait) {
        try {
            boolean stopped = stop.await(wait.toNanos(), TimeUnit.NANOSECONDS);
            LOG.trace("subscription '{}' waited, stopped: {}", spec.name(), stopped);
        } catch (InterruptedException e) {
            LOG.debug("subscription '{}' was interrupted while it waited", spec.name());
        }
    }

    // --- the transport's thread

    @Override
    public void written(InboundDelivery delivery, Disposition disposition) {
        switch (disposition) {
            case ACCEPTED -> diagnosis.counters().accepted();
            case MODIFIED_FAILED -> diagnosis.counters().modified();
            case REJECTED -> diagnosis.counters().rejected();
            case RELEASED -> LOG.debug("subscription '{}' gave back an untouched delivery", spec.name());
        }
    }

    @Override
    public void lost(InboundDelivery delivery, Disposition disposition) {
        if (disposition == Disposition.RELEASED) {
            return;
        }
        diagnosis.counters().linkLost();
        long suppressed = seldom.ask(Notice.SETTLEMENT_LOST.id());
        if (suppressed >= 0) {
            Notice.SETTLEMENT_LOST.log(
                    LOG,
                    "subscription '{}': {}, {} was not sent; the message comes back{}",
                    spec.name(),
                    AckError.LINK_LOST,
                    disposition,
                    DeliveryPath.unseen(suppressed));
        }
        failures.accept(new SettlementFailed(spec.name(), AckError.LINK_LOST, messageId(delivery)));
    }

    @Override
    public void linkLost(TransportException reason) {
        diagnosis.detached(); // its thread may still be in a handler, and cannot tell
    }

    private static Optional<MessageId> messageId(InboundDelivery delivery) {
        try {
            return delivery.message().properties().messageId();
        } catch (MalformedMessageException unreadable) {
            return Optional.empty();
        }
    }

    // --- whoever stops it

    /** Withdraws the credit and lets the thread end; does not wait. Further calls do nothing. */
    void beginStop() {
        stopping = true;
        stop.countDown();
        diagnosis.stopping();
        Receiver attached = receiver;
        if (attached != null) {
            attached.withdrawCredit();
        }
    }

    /** Whether its thread waits for the network, where only an interrupt reaches it. */
    boolean connecting() {
        return connecting;
    }

    /** Settles nothing any more. */
    void abandon() {
        Receiver attached = receiver;
        if (attached != null) {
            attached.abandon();
        }
    }
}

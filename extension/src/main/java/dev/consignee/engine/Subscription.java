package dev.consignee.engine;

import dev.consignee.SettlementFailed;
import dev.consignee.diagnostics.Notice;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.transport.Disposition;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.Receiver;
import dev.consignee.transport.TransportException;
import java.time.Duration;
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
 *   <li>E2: no handler is called once stopping has begun; what is in hand then and untouched is released (life-4). What
 *       arrived settled is still handled, whatever became of its link, until its time is over (once-6).
 *   <li>E3: whatever a handler or a body does, the loop goes on; only {@code STOP} and a stop end it (failure-1).
 *   <li>E4: an interrupt ends only what waits for the network; the end of a stop's time is told by {@link #abandon}.
 * </ul>
 *
 * <p>{@link #run} is the consumer's thread; the other methods may be called by any.
 */
final class Subscription implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);
    private static final Duration LOOK_UP = Duration.ofSeconds(1);
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final SubscriptionSpec spec;
    private final DeliveryPath path;
    private final Handler.Source handlers;
    private final Settler settler;
    private final Attaching attaching;
    private final SubscriptionDiagnosis diagnosis;
    private volatile boolean stopping;
    private volatile boolean abandoned;
    private boolean stoppedByPolicy;
    private volatile @Nullable Receiver receiver;

    Subscription(
            SubscriptionSpec spec,
            PayloadDecoder decoder,
            Handler.Source handlers,
            Brokers.Broker broker,
            Consumer<SettlementFailed> failures,
            SubscriptionDiagnosis diagnosis) {
        this.spec = spec;
        this.path = new DeliveryPath(spec, decoder, diagnosis);
        this.handlers = handlers;
        this.settler = new Settler(spec, broker, failures, diagnosis);
        this.attaching = new Attaching(spec, settler, broker, diagnosis);
        this.diagnosis = diagnosis;
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
            finish();
        } catch (RuntimeException | Error broken) {
            Notice.ENDED.log(LOG, "subscription '{}' has ended, since it cannot call its handler", spec.name(), broken);
        } finally {
            settler.close();
            diagnosis.stopped();
        }
    }

    /** Lets what only this process has be published, for as long as there is time (delay-4). */
    private void finish() {
        settler.stop();
        whileThereIsTime(settler::awaitDebts);
    }

    /** One epoch: from attaching to the loss of the link, or the end. Never throws but for a broken virtual machine. */
    private void attachAndConsume(Handler handler) {
        try {
            Settler.Link link = settler.link();
            Receiver attached = attach(link);
            if (attached == null) {
                return;
            }
            try {
                consume(attached, link, handler);
            } finally {
                detach(attached, link, handler);
            }
        } catch (TransportException lost) {
            if (!stopping) {
                Duration wait = attaching.tries().failed();
                Notice.LINK_LOST.log(
                        LOG,
                        "subscription '{}': {}; attaching again in {} ms",
                        spec.name(),
                        lost.getMessage(),
                        wait.toMillis());
                attaching.pause(wait);
            }
        } catch (InterruptedException e) {
            // Not ours to obey: only a stop ends a subscription, and it has its own sign. The flag is cleared.
            LOG.debug("subscription '{}' was interrupted", spec.name());
        } catch (RuntimeException | Error unexpected) { // E3
            Notice.UNEXPECTED.log(LOG, "subscription '{}' begins anew", spec.name(), unexpected);
            attaching.pause(attaching.tries().failed());
        }
    }

    private @Nullable Receiver attach(Settler.Link link) throws InterruptedException {
        Receiver attached = attaching.attach(link);
        receiver = attached;
        if (attached != null) {
            link.attached(attached);
            if (stopping) {
                attached.withdrawCredit();
            }
        }
        return attached;
    }

    private void consume(Receiver from, Settler.Link link, Handler handler)
            throws TransportException, InterruptedException {
        while (!stopping) {
            if (!settler.hasRoom()) {
                awaitRoom(link);
                continue;
            }
            InboundDelivery delivery = from.receive(LOOK_UP);
            if (delivery == null) {
                continue;
            }
            if (stopping && !delivery.arrivedSettled()) {
                delivery.settle(Disposition.RELEASED); // E2
                return;
            }
            handle(delivery, link, handler);
            if (!stopping && Thread.interrupted()) {
                // Left behind by a handler or a codec, it would end the wait for the next delivery, and with it the
                // link.
                LOG.debug("subscription '{}': its thread was left interrupted", spec.name());
            }
        }
    }

    private void awaitRoom(Settler.Link link) throws TransportException, InterruptedException {
        settler.reports().full();
        settler.awaitRoom(link);
        if (link.gone() && !spec.atMostOnce() && !stopping) {
            throw new TransportException("the link is gone", null, null);
        }
    }

    private void handle(InboundDelivery delivery, Settler.Link link, Handler handler) {
        diagnosis.counters().delivery();
        DeliveryPath.Decision decision = path.take(delivery, handler);
        if (decision.plan().stops()) {
            diagnosis.state(SubscriptionState.STOPPED_BY_POLICY);
            Notice.STOPPED_BY_POLICY.log(
                    LOG, "subscription '{}' has been stopped by its policy; its delivery goes back", spec.name());
            stoppedByPolicy = true;
            beginStop();
        } else {
            link.carryOut(decision.plan(), decision.attempt(), delivery);
        }
    }

    private void detach(Receiver attached, Settler.Link link, Handler handler) {
        try {
            if (stopping || spec.atMostOnce()) {
                attached.withdrawCredit();
                whileThereIsTime(() -> attached.awaitWithdrawn(DRAIN));
                whileThereIsTime(() -> takeTheRest(attached, link, handler));
            }
            if (stopping) {
                settler.stop();
                whileThereIsTime(() -> settler.awaitPlans(link));
            }
        } finally {
            attached.close();
            link.over();
            countTheRest(attached);
            receiver = null;
        }
    }

    /** A wait at the end, which a handler's left-behind interrupt must not cut short; only the deadline does. */
    private interface Wait {
        void run() throws InterruptedException;
    }

    private void whileThereIsTime(Wait wait) {
        while (!abandoned) {
            try {
                wait.run();
                return;
            } catch (InterruptedException e) { // E4
                LOG.debug("subscription '{}' was interrupted, its time over: {}", spec.name(), abandoned);
            }
        }
    }

    /** What arrived settled is nobody's but ours: it is still handled, for as long as there is time (once-6). */
    private void takeTheRest(Receiver attached, Settler.Link link, Handler handler) throws InterruptedException {
        try {
            while (!abandoned && !stoppedByPolicy) {
                InboundDelivery delivery = attached.receive(Duration.ZERO);
                if (delivery == null) {
                    return;
                } else if (!delivery.arrivedSettled()) {
                    delivery.settle(Disposition.RELEASED); // E2
                    continue;
                }
                handle(delivery, link, handler);
            }
        } catch (TransportException gone) {
            LOG.debug("subscription '{}' has taken all that its link left behind", spec.name());
        }
    }

    private void countTheRest(Receiver closed) {
        boolean interrupted = Thread.interrupted();
        int unhandled = 0;
        try {
            for (InboundDelivery next = closed.receive(Duration.ZERO);
                    next != null;
                    next = closed.receive(Duration.ZERO)) {
                if (next.arrivedSettled()) {
                    diagnosis.counters().unhandled();
                    unhandled++;
                }
            }
        } catch (TransportException none) {
            LOG.trace("subscription '{}': nothing is left of its link", spec.name());
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (unhandled > 0) {
            Notice.UNHANDLED.log(
                    LOG, "subscription '{}' has ended with {} deliveries unhandled", spec.name(), unhandled);
        }
    }

    // --- whoever stops it

    /** Withdraws the credit and lets the thread end; does not wait. Further calls do nothing. */
    void beginStop() {
        stopping = true;
        attaching.stop();
        settler.stop();
        diagnosis.stopping();
        Receiver attached = receiver;
        if (attached != null) {
            attached.withdrawCredit();
        }
    }

    /** Whether its thread waits for the network, where only an interrupt reaches it. */
    boolean connecting() {
        return attaching.connecting();
    }

    /** Waits until what only this process has is published, at most until then. For whoever cannot join its thread. */
    void awaitDebts(long deadline) {
        settler.awaitDebts(deadline);
    }

    /** Settles nothing any more. */
    void abandon() {
        abandoned = true;
        Receiver attached = receiver;
        if (attached != null) {
            attached.abandon();
        }
        settler.close();
    }
}

package dev.consignee.transport.jms;

import dev.consignee.transport.Receiver;
import dev.consignee.transport.ReceiverSpec;
import dev.consignee.transport.SettlementListener;
import dev.consignee.transport.TransportException;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.qpid.jms.provider.amqp.AmqpProvider;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Released;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Link;
import org.jspecify.annotations.Nullable;

/**
 * A receiving link, attached by Qpid JMS with no credit of its own, fed and settled here.
 *
 * <ul>
 *   <li>R1: a delivery is in {@code arrived}, or in a handler's hand, or settled or ended; never in two of them.
 *   <li>R2: once the link is gone ({@code lost}), nothing of it is handed out and nothing of it is settled, R5 apart.
 *   <li>R3: once the credit is withdrawn nothing is handed out, R5 apart; what was not, and what still arrives, is released
 *       as soon as the broker has no credit left, with which it would hand it over again.
 *   <li>R4: once abandoned, nothing is settled, whoever still holds a delivery.
 *   <li>R5: a delivery that arrived settled is the process's alone: it stays in {@code arrived} until it is handed out,
 *       whatever becomes of credit and link, and is never released (once-6).
 *   <li>R6: nothing is granted that the listener has no room for; it is asked each time.
 * </ul>
 *
 * <p>Whether a delivery arrived settled is its own affair, whatever was agreed for the link: a broker may settle on hand-over
 * though asked not to, delivery by delivery, and one that was asked to and does not is told at once that the delivery is
 * accepted.
 *
 * <p>{@code arrived} and the flags may be used by any thread; window and link only by the event loop.
 */
final class QpidReceiver implements Receiver, LinkOwner {

    private final ReceiverSpec spec;
    private final SettlementListener listener;
    private final Session session;
    private final MessageCodec codec = new MessageCodec();
    private final CreditWindow window;
    private final Intake intake;
    private final BlockingQueue<Arrival> arrived = new LinkedBlockingQueue<>();
    private final AtomicReference<@Nullable TransportException> lost = new AtomicReference<>();
    private final CountDownLatch withdrawn = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Runnable onClose;
    private volatile boolean withdrawing;
    private volatile boolean abandoned;
    private volatile @Nullable EventLoop loop;
    private org.apache.qpid.proton.engine.@Nullable Receiver link;

    QpidReceiver(ReceiverSpec spec, SettlementListener listener, Session session, Runnable onClose) {
        this.spec = spec;
        this.listener = listener;
        this.session = session;
        this.onClose = onClose;
        this.window = new CreditWindow(spec.credit());
        this.intake = new Intake(spec.maxMessageSize());
    }

    // --- the event loop's side

    @Override
    public void opened(EventLoop eventLoop, Link attached) {
        loop = eventLoop;
        link = (org.apache.qpid.proton.engine.Receiver) attached;
        new Events(attached);
        if (!spec.settled() && attached.getRemoteSenderSettleMode() == SenderSettleMode.SETTLED) {
            throw new IllegalStateException("the broker settles deliveries on hand-over, though asked not to");
        }
        grantDue();
    }

    /** Grants what the window allows, unless the credit is being withdrawn, or whoever listens wants none (R6). */
    void grantDue() {
        if (withdrawing || lost.get() != null || !usable() || !listener.mayGrant()) {
            return;
        }
        int more = window.grant();
        if (more > 0) {
            link().flow(more);
        }
    }

    /** Settles one delivery on its own link; says no where that is gone (R2, R4). */
    boolean apply(QpidDelivery delivery) {
        if (abandoned || lost.get() != null || !usable()) {
            return false;
        }
        delivery.proton().disposition(Dispositions.stateOf(delivery.disposition()));
        delivery.proton().settle();
        window.settled();
        return true;
    }

    /** A delivery that arrived settled has ended. */
    void ended() {
        window.settled();
    }

    private boolean usable() {
        return link().getLocalState() == EndpointState.ACTIVE
                && link().getRemoteState() == EndpointState.ACTIVE
                && link().getSession().getLocalState() == EndpointState.ACTIVE
                && link().getSession().getRemoteState() == EndpointState.ACTIVE
                && loop().canWrite();
    }

    private void arrive(Delivery delivery) {
        if (link().current() != delivery) {
            return;
        }
        if (delivery.isAborted()) {
            intake.complete();
            link().advance();
            delivery.settle();
            window.received();
            window.settled();
            grantDue();
            return;
        }
        intake.arrived(link(), delivery);
        if (!delivery.isPartial()) {
            boolean settled = spec.settled() || delivery.remotelySettled();
            QpidDelivery arrival = intake.complete()
                    .map(tooLarge -> new QpidDelivery(this, delivery, settled, tooLarge))
                    .orElseGet(() -> new QpidDelivery(this, delivery, settled, link().recv()));
            link().advance();
            if (settled) {
                delivery.disposition(Accepted.getInstance()); // which is not sent where the broker has settled
                delivery.settle();
            }
            window.received();
            arrived.add(new Arrival(arrival));
        }
    }

    private void release(QpidDelivery untouched) {
        if (usable()) {
            untouched.proton().disposition(Released.getInstance());
            untouched.proton().settle();
            window.settled();
        }
    }

    private void drain() {
        arrived.add(Arrival.WAKE);
        if (usable() && link().getRemoteCredit() > 0) {
            link().drain(0);
        }
        checkWithdrawn();
    }

    /** Where no credit is left, neither with the broker nor in deliveries that have come and were not taken in. */
    private void checkWithdrawn() {
        if (withdrawing && link().getCredit() <= 0) {
            window.drained();
            releaseUntouched();
            withdrawn.countDown();
        }
    }

    private void releaseUntouched() {
        for (Arrival next : arrived) {
            if (next.delivery() != null && !next.delivery().arrivedSettled() && arrived.remove(next)) { // R1, R5
                release(next.delivery());
            }
        }
    }

    /** The link, its session or its connection is gone (R2). Any thread; the first reason counts. */
    void lose(TransportException reason) {
        if (lost.compareAndSet(null, reason)) {
            if (!closed.get()) {
                listener.linkLost(reason); // before its consumer can attach again
            }
            arrived.removeIf(Arrival::unsettled);
            arrived.add(Arrival.WAKE);
            withdrawn.countDown();
        }
    }

    // --- the consumer's side

    @Override
    public @Nullable QpidDelivery receive(Duration timeout) throws TransportException, InterruptedException {
        @Nullable Arrival next = over() ? null : arrived.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        @Nullable QpidDelivery delivery = next == null ? null : next.delivery();
        if (delivery == null || (lost.get() != null && !delivery.arrivedSettled())) {
            delivery = over() ? nextSettled() : null;
        }
        if (delivery == null) {
            throwIfLost();
            return null;
        }
        delivery.decode(codec);
        return delivery;
    }

    /** Whether nothing is handed out any more but what arrived settled. */
    private boolean over() {
        return withdrawing || lost.get() != null;
    }

    /** Takes the next one that arrived settled (R5), without waiting. */
    private @Nullable QpidDelivery nextSettled() {
        for (Arrival next : arrived) {
            if (next.delivery() != null && next.delivery().arrivedSettled() && arrived.remove(next)) {
                return next.delivery();
            }
        }
        return null;
    }

    private void throwIfLost() throws TransportException {
        TransportException reason = lost.get();
        if (reason != null) {
            throw reason.again();
        }
    }

    @Override
    public void grant() {
        loop().execute(this::grantDue);
    }

    @Override
    public void withdrawCredit() {
        withdrawing = true;
        if (!loop().execute(this::drain)) {
            withdrawn.countDown();
        }
    }

    @Override
    public boolean awaitWithdrawn(Duration timeout) throws InterruptedException {
        boolean confirmed = withdrawn.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (!confirmed) {
            loop().execute(this::releaseUntouched); // a broker that answers no drain
        }
        return confirmed;
    }

    @Override
    public void abandon() {
        abandoned = true;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            session.close();
        } catch (JMSException alreadyGone) {
            // A session that cannot be closed is gone with its connection.
        }
        lose(new TransportException("the receiver of " + spec.source() + " is closed", null, null));
        onClose.run();
    }

    Session session() {
        return session;
    }

    SettlementListener listener() {
        return listener;
    }

    Intake intake() {
        return intake;
    }

    EventLoop loop() {
        EventLoop current = loop;
        if (current == null) {
            throw new IllegalStateException("the receiver of " + spec.source() + " is not attached");
        }
        return current;
    }

    private org.apache.qpid.proton.engine.Receiver link() {
        if (link == null) {
            throw new IllegalStateException("the receiver of " + spec.source() + " is not attached");
        }
        return link;
    }

    /** What the consumer takes from the queue: a delivery, or a call to look at the flags. */
    private record Arrival(@Nullable QpidDelivery delivery) {
        private static final Arrival WAKE = new Arrival(null);

        boolean unsettled() {
            return delivery != null && !delivery.arrivedSettled();
        }
    }

    private final class Events extends LinkEvents {

        Events(Link link) {
            super(link);
        }

        @Override
        public void processDeliveryUpdates(AmqpProvider provider, Delivery delivery) {
            arrive(delivery);
            checkWithdrawn();
        }

        @Override
        public void processFlowUpdates(AmqpProvider provider) {
            checkWithdrawn();
        }

        @Override
        void detached(String reason, @Nullable ErrorCondition condition) {
            lose(new TransportException(
                    "the link to " + spec.source() + " is gone: " + reason, Failures.symbol(condition), null));
        }
    }
}

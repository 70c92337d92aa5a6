package dev.consignee.engine;

import dev.consignee.SettlementFailed;
import dev.consignee.diagnostics.Notice;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.time.Timers;
import dev.consignee.transport.Disposition;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.Receiver;
import dev.consignee.transport.SettlementListener;
import dev.consignee.transport.TransportException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the plans of one subscription, over all its links: settles, publishes, waits.
 *
 * <ul>
 *   <li>P1: the steps of a plan happen in their order; what is published is confirmed before the next one (attempt-11).
 *   <li>P2: what nobody else has ({@link Debts}) ends confirmed, or counted as lost.
 *   <li>P3: no more than {@code max-waiting-copies} of that come from retries that wait in the process (delay-8).
 *   <li>P4: the plan of a delivery whose link is gone, and that has not published yet, publishes nothing: the message
 *       comes back.
 * </ul>
 *
 * <p>Any thread; nothing here waits but {@link #awaitRoom}, {@link #awaitPlans} and {@link #awaitDebts}.
 */
final class Settler {

    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);
    private static final long LOOK_UP_MILLIS = 100;

    private final SubscriptionSpec spec;
    private final Timers timers;
    private final SubscriptionDiagnosis diagnosis;
    private final Reports reports;
    private final Outbox copies;
    private final Optional<Outbox> deadLetters;
    private final Debts debts;
    private final Object progress = new Object();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean stopping;
    private volatile @Nullable Link current;

    Settler(
            SubscriptionSpec spec,
            Brokers.Broker broker,
            Consumer<SettlementFailed> failures,
            SubscriptionDiagnosis diagnosis) {
        this.spec = spec;
        this.timers = broker.timers();
        this.diagnosis = diagnosis;
        this.reports = new Reports(spec.name(), failures, diagnosis);
        this.copies = new Outbox(spec.name(), spec.receiver().source(), broker, reports);
        this.deadLetters =
                spec.retries().deadLetter().map(address -> new Outbox(spec.name(), address, broker, reports));
        this.debts = new Debts(spec.retries().onStop(), timers, reports, diagnosis, this::debtEnded);
    }

    /** Where copies go. */
    Outbox copies() {
        return copies;
    }

    /** Where dead letters go, if anywhere. */
    Optional<Outbox> deadLetters() {
        return deadLetters;
    }

    Debts debts() {
        return debts;
    }

    Reports reports() {
        return reports;
    }

    Timers timers() {
        return timers;
    }

    boolean stopping() {
        return stopping;
    }

    /** Begins with a new link. */
    Link link() {
        return new Link();
    }

    static void endIfSettled(InboundDelivery delivery) {
        if (delivery.arrivedSettled()) {
            delivery.end();
        }
    }

    /** Has the deliveries of one link settled on it, and hears what became of that. */
    final class Link implements SettlementListener {

        private final Set<Course> courses = ConcurrentHashMap.newKeySet();
        private final Map<InboundDelivery, Course> unwritten = new ConcurrentHashMap<>();
        private final AtomicBoolean gone = new AtomicBoolean();
        private final AtomicBoolean creditRefused = new AtomicBoolean();
        private volatile @Nullable Receiver receiver;

        private Link() {}

        /** Carries out a plan that does not stop the subscription. */
        void carryOut(Plan plan, Attempt attempt, InboundDelivery delivery) {
            if (plan.steps().isEmpty()) {
                endIfSettled(delivery);
            } else if (plan.steps().size() == 1
                    && plan.steps().get(0) instanceof Plan.Settle settle
                    && !delivery.arrivedSettled()) {
                delivery.settle(settle.disposition());
            } else {
                Course course = new Course(Settler.this, this, plan, attempt, delivery);
                courses.add(course);
                course.goOn();
            }
        }

        /** Has a course go on once its delivery's disposition is written. */
        void awaitWritten(InboundDelivery delivery, Course course) {
            unwritten.put(delivery, course);
        }

        void ended(Course course) {
            courses.remove(course);
            signal();
        }

        /** The receiver that it is of. */
        void attached(Receiver attached) {
            receiver = attached;
            current = this;
            lookForRoom();
        }

        @Override
        public boolean mayGrant() {
            if (hasRoom()) {
                return true;
            }
            creditRefused.set(true);
            return hasRoom(); // what made room meanwhile may not have seen the flag
        }

        private void lookForRoom() {
            Receiver attached = receiver;
            if (attached != null && hasRoom() && creditRefused.compareAndSet(true, false)) {
                attached.grant();
            }
        }

        boolean gone() {
            return gone.get();
        }

        @Override
        public void written(InboundDelivery delivery, Disposition disposition) {
            guarded(() -> hearWritten(delivery, disposition));
        }

        private void hearWritten(InboundDelivery delivery, Disposition disposition) {
            switch (disposition) {
                case ACCEPTED -> diagnosis.counters().accepted();
                case MODIFIED_FAILED -> diagnosis.counters().modified();
                case REJECTED -> diagnosis.counters().rejected();
                case RELEASED -> LOG.debug("subscription '{}' gave back an untouched delivery", spec.name());
            }
            if (!unwritten.isEmpty()) {
                Course course = unwritten.remove(delivery);
                if (course != null) {
                    course.goOn();
                }
            }
        }

        @Override
        public void lost(InboundDelivery delivery, Disposition disposition) {
            guarded(() -> hearLost(delivery, disposition));
        }

        private void hearLost(InboundDelivery delivery, Disposition disposition) {
            Course course = unwritten.remove(delivery);
            if (course != null) {
                course.settlementLost();
            }
            if (disposition != Disposition.RELEASED) {
                reports.linkLost(delivery, disposition);
            }
        }

        @Override
        public void linkLost(TransportException reason) {
            guarded(this::over); // its thread may still be in a handler, and cannot tell
        }

        /** A failure here must not keep the transport from telling of others. */
        private void guarded(Runnable listener) {
            try {
                listener.run();
            } catch (RuntimeException | Error unexpected) {
                Notice.UNEXPECTED.log(LOG, "subscription '{}' goes on", spec.name(), unexpected);
            }
        }

        /** Nothing can be settled on it any more: what it has not published yet is not wanted (P4). Any thread. */
        void over() {
            if (gone.compareAndSet(false, true)) {
                diagnosis.detached();
                courses.forEach(Course::endHold);
                copies.dropUnwanted();
                deadLetters.ifPresent(Outbox::dropUnwanted);
                signal();
            }
        }
    }

    private void debtEnded() {
        Link attached = current;
        if (attached != null) {
            attached.lookForRoom();
        }
        signal();
    }

    // --- waiting

    private void signal() {
        synchronized (progress) {
            progress.notifyAll();
        }
    }

    private void await(BooleanSupplier reached) throws InterruptedException {
        synchronized (progress) {
            while (!reached.getAsBoolean()) {
                progress.wait(LOOK_UP_MILLIS); // also for what nobody signals
            }
        }
    }

    /** Whether one more copy may wait in the process (delay-8). */
    boolean hasRoom() {
        return diagnosis.waitingCopies().get() < spec.retries().maxWaitingCopies();
    }

    /** Waits for that, or for a stop, or for the end of the link, unless what it left behind has to wait too. */
    void awaitRoom(Link link) throws InterruptedException {
        await(() -> hasRoom() || (link.gone() && !spec.atMostOnce()) || stopping);
    }

    /** From now on nothing waits for its time any more. Does not wait; further calls do nothing more. */
    void stop() {
        stopping = true;
        copies.lastCall();
        deadLetters.ifPresent(Outbox::lastCall);
        debts.stop();
        signal();
    }

    /** After {@link #stop()}, lets the plans of a link's deliveries end. */
    void awaitPlans(Link link) throws InterruptedException {
        link.courses.forEach(Course::endHold);
        await(() -> link.courses.isEmpty() || link.gone());
    }

    /** After {@link #stop()}, lets everything be published that nobody else has. */
    void awaitDebts() throws InterruptedException {
        await(debts::isEmpty);
    }

    /** The same, until then at most; another's thread waits, whose interrupts are not for this. */
    void awaitDebts(long deadline) {
        boolean interrupted = false;
        while (!debts.isEmpty() && System.nanoTime() < deadline) {
            try {
                await(() -> debts.isEmpty() || System.nanoTime() >= deadline);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Publishes nothing any more, and tells what is lost by that (P2); a late confirmation is not waited for. */
    void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        int lost = debts.writeOff();
        if (lost > 0) {
            Notice.COPIES_LOST.log(LOG, "subscription '{}' has ended with {} copies unpublished", spec.name(), lost);
        }
        copies.finish();
        deadLetters.ifPresent(Outbox::finish);
    }
}

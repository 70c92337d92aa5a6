package dev.consignee.engine;

import dev.consignee.declaration.OnStop;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.time.Timers;
import dev.consignee.transport.Forwarding;
import dev.consignee.transport.Original;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a subscription that nobody else has: their deliveries are settled, and they are not published yet.
 *
 * <ul>
 *   <li>D1: a debt is there from before its delivery is settled until it is confirmed, found unneeded, or counted as lost;
 *       it never goes unseen (delay-6, once-6).
 *   <li>D2: once stopping, none waits for its time any more: it is published early, or discarded where that is configured
 *       (delay-4).
 * </ul>
 *
 * <p>Any thread; never waits.
 */
final class Debts {

    private final OnStop onStop;
    private final Timers timers;
    private final Reports reports;
    private final SubscriptionDiagnosis diagnosis;
    private final Runnable changed;
    private final Set<Debt> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;
    private volatile boolean writtenOff;

    /**
     * Begins without a debt.
     *
     * @param changed told each time that one ends
     */
    Debts(OnStop onStop, Timers timers, Reports reports, SubscriptionDiagnosis diagnosis, Runnable changed) {
        this.onStop = onStop;
        this.timers = timers;
        this.reports = reports;
        this.diagnosis = diagnosis;
        this.changed = changed;
    }

    /**
     * Takes over a message.
     *
     * @param outbox where it is to go
     * @param paid run once it is confirmed
     */
    Debt open(Original original, Outbox outbox, Forwarding how, Runnable paid) {
        return new Debt(original, outbox, how, paid);
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Lets none wait for its time any more (D2). */
    void stop() {
        stopping = true;
        open.forEach(Debt::early);
    }

    /** Counts what is left as lost; returns how many. */
    int writeOff() {
        writtenOff = true;
        int lost = 0;
        for (Debt debt : open) {
            if (debt.real && debt.lost()) {
                lost++;
            }
        }
        return lost;
    }

    /** One of them. */
    final class Debt {

        private final Original original;
        private final Outbox outbox;
        private final Forwarding how;
        private final Runnable paid;
        private final AtomicBoolean due = new AtomicBoolean();
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile boolean real;
        private volatile Timers.@Nullable Timer timer;

        private Debt(Original original, Outbox outbox, Forwarding how, Runnable paid) {
            this.original = original;
            this.outbox = outbox;
            this.how = how;
            this.paid = paid;
            diagnosis.waitingCopies().incrementAndGet();
            open.add(this);
        }

        /** Publishes it after a while. */
        void after(Duration delay) {
            becomeReal();
            timer = timers.after(delay, this::atOnce);
            if (stopping) {
                early();
            }
        }

        /** Publishes it now. */
        void atOnce() {
            becomeReal();
            if (due.compareAndSet(false, true)) {
                outbox.post(Outbox.Posting.owed(original, how, this::published, this::lost));
            }
        }

        /** From now on nobody else has it. */
        private void becomeReal() {
            real = true;
            if (writtenOff && lost()) {
                reports.tooLate(); // of a handler that ended after its time
            }
        }

        /** Its delivery was not settled after all. */
        void unneeded() {
            if (due.compareAndSet(false, true)) {
                end(() -> {});
            }
        }

        private void early() {
            Timers.Timer waiting = timer;
            if (waiting == null || !waiting.cancel()) {
                return; // not waiting, or due already
            }
            if (onStop == OnStop.PUBLISH) {
                atOnce();
            } else if (due.compareAndSet(false, true)) {
                reports.discarded();
                lost();
            }
        }

        private void published() {
            end(() -> {
                reports.published(how);
                paid.run();
            });
        }

        private boolean lost() {
            return end(diagnosis.counters()::lostCopy);
        }

        /** Ends once (D1); whoever waits for that sees what came of it. */
        private boolean end(Runnable how) {
            if (!over.compareAndSet(false, true)) {
                return false;
            }
            try {
                how.run();
            } finally {
                open.remove(this);
                diagnosis.waitingCopies().decrementAndGet();
                changed.run();
            }
            return true;
        }
    }
}

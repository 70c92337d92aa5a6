package dev.consignee.engine;

import dev.consignee.MessageId;
import dev.consignee.time.Timers;
import dev.consignee.transport.Disposition;
import dev.consignee.transport.Forwarding;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.Original;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one delivery through its plan, step by step; it waits where a step does, without a thread.
 *
 * <p>One thread at a time: each step hands over to the next. Only {@link #endHold} may come from any thread.
 */
final class Course {

    private static final Logger LOG = LoggerFactory.getLogger(Course.class);

    private final Settler settler;
    private final Settler.Link link;
    private final Plan plan;
    private final Attempt attempt;
    private final InboundDelivery delivery;
    private final AtomicBoolean holding = new AtomicBoolean();
    private volatile Timers.@Nullable Timer hold;
    private Debts.@Nullable Debt later;
    private int next;

    Course(Settler settler, Settler.Link link, Plan plan, Attempt attempt, InboundDelivery delivery) {
        this.settler = settler;
        this.link = link;
        this.plan = plan;
        this.attempt = attempt;
        this.delivery = delivery;
    }

    /** Takes steps until one has to wait, or none is left. */
    void goOn() {
        while (next < plan.steps().size()) {
            Plan.Step step = plan.steps().get(next++);
            if (!take(step)) {
                return;
            }
        }
        end();
    }

    /** Takes a step; says no where the course goes on later, or has ended. */
    private boolean take(Plan.Step step) {
        if (step instanceof Plan.Settle settle) {
            return settle(settle.disposition());
        } else if (step instanceof Plan.Copy copy) {
            return publish(settler.copies(), copyAfter(copy.delay()));
        } else if (step instanceof Plan.DeadLetter) {
            return publish(settler.deadLetters().orElseThrow(), new Forwarding.DeadLetter());
        } else if (step instanceof Plan.CopyLater copy) {
            copyLater(copy.delay());
        } else if (step instanceof Plan.Hold held) {
            return hold(held.time());
        } else if (step instanceof Plan.GiveUp) {
            settler.reports().givenUp(delivery);
        } else if (step instanceof Plan.Report) {
            settler.reports().unsupported(delivery);
        } else {
            throw new IllegalStateException("no step of a settlement: " + step);
        }
        return true;
    }

    private boolean settle(Disposition disposition) {
        if (delivery.arrivedSettled()) {
            return true; // a broker may settle what it was asked not to
        }
        if (next == plan.steps().size()) {
            delivery.settle(disposition);
            return true;
        }
        later = debt(); // from before it is settled, so that it is never nobody's
        link.awaitWritten(delivery, this); // and goes on from there (delay-1)
        delivery.settle(disposition);
        return false;
    }

    /** The disposition was not written: the message comes back, and no copy is due (settle-8). */
    void settlementLost() {
        if (later != null) {
            later.unneeded();
        }
        end();
    }

    private void copyLater(Duration delay) {
        (later != null ? later : debt()).after(delay);
    }

    private Debts.Debt debt() {
        Original original = delivery.original().orElseThrow();
        return settler.debts().open(original, settler.copies(), copyAfter(Duration.ZERO), () -> {});
    }

    private Forwarding copyAfter(Duration delay) {
        Duration wait = delay.compareTo(Timers.LONGEST) > 0 ? Timers.LONGEST : delay;
        return new Forwarding.Copy(
                MessageId.of("ID:" + UUID.randomUUID()),
                attempt.number(),
                wait.isZero() ? Optional.empty() : Optional.of(Instant.now().plus(wait)));
    }

    private boolean publish(Outbox outbox, Forwarding how) {
        Optional<Original> original = delivery.original();
        if (original.isEmpty()) {
            notKept();
        } else if (delivery.arrivedSettled()) {
            settler.debts().open(original.get(), outbox, how, this::goOn).atOnce();
        } else {
            outbox.post(Outbox.Posting.wanted(
                    original.get(), how, () -> !link.gone(), () -> confirmed(how), this::givenBack));
        }
        return false;
    }

    private void confirmed(Forwarding how) {
        settler.reports().published(how);
        goOn();
    }

    /** Nothing was published: the delivery stays unsettled, and goes back with its link (settle-7). */
    private void givenBack() {
        LOG.debug("a delivery goes back, since this was not done: {}", plan);
        if (link.gone()) {
            settler.reports().linkLost(delivery, "'" + plan + "'");
        }
        end();
    }

    private void notKept() {
        settler.reports().notKept();
        if (!delivery.arrivedSettled()) {
            delivery.settle(Disposition.REJECTED);
        }
        end();
    }

    private boolean hold(Duration time) {
        holding.set(true);
        hold = settler.timers().after(time, this::endHold);
        if (settler.stopping() || link.gone()) {
            endHold();
        }
        return false;
    }

    /** Goes on after a hold, if this has not happened yet; early where the subscription stops or the link is gone. */
    void endHold() {
        if (holding.compareAndSet(true, false)) {
            Timers.Timer timer = hold;
            if (timer != null) {
                timer.cancel();
            }
            goOn();
        }
    }

    private void end() {
        Settler.endIfSettled(delivery);
        link.ended(this);
    }
}

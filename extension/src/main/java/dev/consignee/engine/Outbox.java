package dev.consignee.engine;

import dev.consignee.diagnostics.Notice;
import dev.consignee.time.Backoff;
import dev.consignee.time.Timers;
import dev.consignee.time.Tries;
import dev.consignee.transport.Address;
import dev.consignee.transport.Forwarding;
import dev.consignee.transport.Original;
import dev.consignee.transport.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a subscription publishes to one address, until the broker has confirmed it (attempt-11, delay-6).
 *
 * <ul>
 *   <li>O1: a posting ends once: confirmed, or given up. One that is owed is given up only by the end of the process.
 *   <li>O2: a posting that its delivery's link no longer needs is not sent: the message comes back.
 *   <li>O3: no hot loop. Where the address cannot be reached, all wait together, with back-off; where the broker refuses
 *       a message, that message waits by itself.
 *   <li>O4: no message stops another. Who was under way when the link went is suspected of it, and is sent alone from then
 *       on; who is alone when the link goes has been found out, and waits by itself.
 * </ul>
 *
 * <p>Confined to the broker's courier thread, which never waits for the network, but for what any thread may call.
 */
final class Outbox {

    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    private static final int MOST_IN_FLIGHT = 256;
    private static final Duration LAST_TRY = Duration.ofSeconds(1);

    private enum Way {
        OPEN,
        ATTACHING,
        PAUSED
    }

    private final String subscription;
    private final Address target;
    private final Senders senders;
    private final Duration timeout;
    private final Executor courier;
    private final Executor attaching;
    private final Timers timers;
    private final Backoff backoff;
    private final Tries tries;
    private final Reports reports;
    private final Deque<Posting> due = new ArrayDeque<>();
    private final Map<Posting, Timers.Timer> resting = new HashMap<>();
    private final Map<Posting, Senders.UnderWay> flying = new HashMap<>();
    private Way way = Way.OPEN;
    private Timers.@Nullable Timer pause;
    private int inFlight;
    private boolean alone;
    private boolean justAttached;
    private volatile boolean used;
    private volatile boolean lastCall;
    private volatile boolean finished;

    Outbox(String subscription, Address target, Brokers.Broker broker, Reports reports) {
        this.subscription = subscription;
        this.target = target;
        this.senders = broker.senders();
        this.timeout = broker.sendTimeout();
        this.courier = broker.courier();
        this.attaching = broker.attaching();
        this.timers = broker.timers();
        this.backoff = broker.backoff();
        this.tries = new Tries(
                backoff, System::nanoTime, () -> ThreadLocalRandom.current().nextDouble());
        this.reports = reports;
    }

    /** One message on its way. What comes of it is told on the courier's thread, once (O1). */
    static final class Posting {
        private final Original original;
        private final Forwarding how;
        private final boolean owed;
        private final BooleanSupplier wanted;
        private final Runnable confirmed;
        private final Runnable givenUp;
        private int refusals;
        private boolean suspect;

        private Posting(
                Original original,
                Forwarding how,
                boolean owed,
                BooleanSupplier wanted,
                Runnable confirmed,
                Runnable givenUp) {
            this.original = original;
            this.how = how;
            this.owed = owed;
            this.wanted = wanted;
            this.confirmed = confirmed;
            this.givenUp = givenUp;
        }

        /** One whose delivery is unsettled: where it cannot be sent, the broker still has the message. */
        static Posting wanted(
                Original original, Forwarding how, BooleanSupplier wanted, Runnable confirmed, Runnable givenUp) {
            return new Posting(original, how, false, wanted, confirmed, givenUp);
        }

        /** One that nobody else has: it is tried for as long as there is time. */
        static Posting owed(Original original, Forwarding how, Runnable confirmed, Runnable givenUp) {
            return new Posting(original, how, true, () -> true, confirmed, givenUp);
        }
    }

    /** Attaches its sender, so that a wrong address shows (attempt-14); says whether the broker offers a delay there. */
    boolean attach() throws TransportException, InterruptedException {
        return senders.attach(target);
    }

    Address target() {
        return target;
    }

    /** Publishes. Any thread; does not wait. */
    void post(Posting posting) {
        used = true;
        onCourier(() -> {
            if (finished) {
                posting.givenUp.run();
                return;
            }
            due.add(posting);
            sendDue();
        });
    }

    /** Gives up what is not wanted any more. Any thread. */
    void dropUnwanted() {
        inCourse(() -> {
            List<Posting> unwanted = Stream.concat(due.stream(), resting.keySet().stream())
                    .filter(each -> !each.wanted.getAsBoolean())
                    .toList();
            unwanted.forEach(each -> {
                due.remove(each);
                Timers.Timer rest = resting.remove(each);
                if (rest != null) {
                    rest.cancel();
                }
                each.givenUp.run();
            });
            takeBack(each -> !each.wanted.getAsBoolean());
        });
    }

    /** What waits for the broker's credit need not leave; what has left is awaited. */
    private void takeBack(Predicate<Posting> which) {
        List.copyOf(flying.entrySet()).stream()
                .filter(each -> which.test(each.getKey()))
                .forEach(each -> each.getValue().outcome().cancel(false));
    }

    /** From now on each is tried once more, and only what is owed again. Any thread. */
    void lastCall() {
        lastCall = true;
        inCourse(() -> {
            if (!flying.isEmpty()) { // what has only just been sent gets its try
                timers.after(LAST_TRY, () -> onCourier(() -> takeBack(each -> !each.owed)));
            }
            List<Posting> rested = new ArrayList<>(resting.keySet());
            resting.values().forEach(Timers.Timer::cancel);
            resting.clear();
            due.addAll(rested);
            if (pause != null) {
                pause.cancel();
                resume();
            }
            sendDue();
        });
    }

    /** Sends nothing any more. Any thread. */
    void finish() {
        finished = true;
        inCourse(() -> {
            List<Posting> left = new ArrayList<>(due);
            left.addAll(resting.keySet());
            due.clear();
            resting.values().forEach(Timers.Timer::cancel);
            resting.clear();
            left.forEach(each -> each.givenUp.run());
        });
    }

    private void onCourier(Senders.UnderWay underWay, Posting posting) {
        var unused = underWay.outcome().whenComplete((confirmed, failed) -> {
            boolean linkLives = underWay.sender().isOpen();
            onCourier(() -> ended(posting, failed, linkLives));
        });
    }

    private void onCourier(Runnable task) {
        courier.execute(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error unexpected) {
                Notice.UNEXPECTED.log(LOG, "subscription '{}' publishes on", subscription, unexpected);
            }
        });
    }

    /** Nothing is started for a subscription that never publishes anything. */
    private void inCourse(Runnable task) {
        if (used) {
            onCourier(task);
        }
    }

    // --- the courier's thread

    private void sendDue() {
        while (!due.isEmpty() && way == Way.OPEN && mayFly(due.element())) {
            Posting next = due.remove();
            if (next.wanted.getAsBoolean()) {
                send(next);
            } else {
                next.givenUp.run(); // O2
            }
        }
    }

    private boolean mayFly(Posting next) {
        return next.suspect ? inFlight == 0 : !alone && inFlight < MOST_IN_FLIGHT; // O4
    }

    private void send(Posting posting) {
        Senders.@Nullable UnderWay underWay;
        try {
            underWay = senders.forward(target, posting.original, posting.how, timeout);
        } catch (TransportException | RuntimeException | Error unsendable) { // an Error may be due to its size
            refused(posting, unsendable);
            return;
        }
        if (underWay == null) {
            due.addFirst(posting);
            if (justAttached) {
                unreachable(new TransportException("the link to " + target + " went at once", null, null));
            } else {
                attachFirst();
            }
            return;
        }
        flying.put(posting, underWay);
        inFlight++;
        alone = posting.suspect;
        onCourier(underWay, posting);
    }

    private void attachFirst() {
        way = Way.ATTACHING;
        attaching.execute(() -> {
            try {
                boolean offersDelay = attach();
                LOG.debug("subscription '{}' publishes to {}, delays offered: {}", subscription, target, offersDelay);
                onCourier(this::attached);
            } catch (TransportException | RuntimeException | Error unreachable) {
                onCourier(() -> unreachable(unreachable));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the application ends
                onCourier(() -> unreachable(e));
            }
        });
    }

    private void attached() {
        way = Way.OPEN;
        justAttached = true;
        sendDue();
        justAttached = false;
    }

    private void ended(Posting posting, @Nullable Throwable failure, boolean linkLives) {
        inFlight--;
        flying.remove(posting);
        boolean wasAlone = alone;
        alone = false;
        try {
            if (failure instanceof CancellationException) {
                posting.givenUp.run(); // taken back
            } else if (failure == null) {
                tries.succeeded();
                posting.confirmed.run();
            } else if (linkLives) {
                refused(posting, cause(failure));
            } else {
                linkWent(posting, wasAlone, cause(failure));
            }
        } finally {
            sendDue();
        }
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** It could not be sent, or the broker has answered for this message: it waits by itself (O3). */
    private void refused(Posting posting, Throwable reason) {
        if (finished || (lastCall && !posting.owed)) {
            posting.givenUp.run();
            return;
        }
        posting.refusals++;
        Duration wait =
                backoff.delay(posting.refusals, ThreadLocalRandom.current().nextDouble());
        reports.log(
                Notice.PUBLISH_REFUSED,
                ": a message to " + target + " was not accepted (try " + posting.refusals + ", the next in "
                        + wait.toMillis() + " ms): " + reason.getMessage());
        Runnable again = () -> {
            if (resting.remove(posting) != null) {
                due.add(posting);
                sendDue();
            }
        };
        resting.put(posting, timers.after(wait, () -> onCourier(again)));
    }

    /** The link went while this was under way; perhaps because of it (O4). */
    private void linkWent(Posting posting, boolean wasAlone, Throwable reason) {
        posting.suspect = true;
        if (wasAlone) {
            refused(posting, reason);
        } else {
            due.add(posting);
        }
        unreachable(reason);
    }

    /** All wait together (O3); at a stop, only what is owed. */
    private void unreachable(Throwable reason) {
        if (lastCall) {
            List<Posting> hopeless =
                    due.stream().filter(each -> finished || !each.owed).toList();
            due.removeAll(hopeless);
            hopeless.forEach(each -> each.givenUp.run());
        }
        if (way == Way.PAUSED) {
            return;
        }
        way = Way.PAUSED;
        Duration wait = tries.failed();
        Notice.PUBLISH_FAILED.log(
                LOG,
                "subscription '{}' cannot publish to {} (try {}, the next in {} ms, {} waiting): {}",
                subscription,
                target,
                tries.failures(),
                wait.toMillis(),
                due.size(),
                String.valueOf(reason.getMessage()));
        pause = timers.after(
                wait,
                () -> onCourier(() -> {
                    resume();
                    sendDue();
                }));
    }

    private void resume() {
        if (way == Way.PAUSED) {
            way = Way.OPEN;
            pause = null;
        }
    }
}

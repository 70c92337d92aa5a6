package dev.consignee.engine;

import dev.consignee.AckError;
import dev.consignee.MessageId;
import dev.consignee.SettlementFailed;
import dev.consignee.diagnostics.Notice;
import dev.consignee.diagnostics.Seldom;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.transport.Forwarding;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.MalformedMessageException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what became of deliveries: counts each, logs the first of a kind and then at most one a minute, and lets the
 * application know which outcomes did not reach theirs. Any thread; never waits.
 */
final class Reports {

    private static final Logger LOG = LoggerFactory.getLogger(Reports.class);
    private static final Duration SAME_KIND = Duration.ofMinutes(1);

    private final String subscription;
    private final Consumer<SettlementFailed> failures;
    private final SubscriptionDiagnosis diagnosis;
    private final Seldom seldom = new Seldom(SAME_KIND, System::nanoTime);

    Reports(String subscription, Consumer<SettlementFailed> failures, SubscriptionDiagnosis diagnosis) {
        this.subscription = subscription;
        this.failures = failures;
        this.diagnosis = diagnosis;
    }

    /** What the broker confirmed. */
    void published(Forwarding how) {
        if (how instanceof Forwarding.Copy) {
            diagnosis.counters().copy();
        } else {
            diagnosis.counters().deadLetter();
        }
    }

    /** The link went before an outcome was carried out (settle-8). */
    void linkLost(InboundDelivery delivery, Object what) {
        diagnosis.counters().linkLost();
        log(Notice.SETTLEMENT_LOST, ": " + AckError.LINK_LOST + ", " + what + " was not sent; the message comes back");
        tell(AckError.LINK_LOST, delivery);
    }

    /** An outcome had nothing to settle (once-2). */
    void unsupported(InboundDelivery delivery) {
        diagnosis.counters().unsupported();
        log(
                Notice.UNSUPPORTED,
                ": UNSUPPORTED, a handler returned an outcome, but at most once there is nothing to" + " settle");
        tell(AckError.UNSUPPORTED, delivery);
    }

    /** A message has had its attempts (attempt-8). */
    void givenUp(InboundDelivery delivery) {
        log(
                Notice.ATTEMPTS_SPENT,
                delivery.arrivedSettled()
                        ? ": a message has had its attempts and is given up"
                        : ": a message has had its attempts and is given up: rejected");
    }

    /** There are no bytes to publish. */
    void notKept() {
        log(Notice.NOT_KEPT, ": a dead letter cannot be published, nothing of the message was kept");
    }

    /** A copy that waited is dropped, as configured. */
    void discarded() {
        log(Notice.COPIES_DISCARDED, " stops and discards the copies that wait in it");
    }

    /** A copy came after its time. */
    void tooLate() {
        log(Notice.COPIES_LOST, " has ended with a copy unpublished, of a handler that returned after its time");
    }

    /** No more copies may wait. */
    void full() {
        log(Notice.WAITING_COPIES_FULL, " takes no more deliveries, too many copies wait in it");
    }

    /**
     * Logs the first of a kind, and later ones at most one a minute.
     *
     * @param text what follows the subscription's name
     */
    void log(Notice notice, String text) {
        long suppressed = seldom.ask(notice.id());
        if (suppressed >= 0) {
            notice.log(LOG, "subscription '{}'{}{}", subscription, text, DeliveryPath.unseen(suppressed));
        }
    }

    private void tell(AckError error, InboundDelivery delivery) {
        if (failures != Engine.NOBODY_LISTENS) {
            failures.accept(new SettlementFailed(subscription, error, messageId(delivery)));
        }
    }

    private static Optional<MessageId> messageId(InboundDelivery delivery) {
        try {
            return delivery.message().properties().messageId();
        } catch (MalformedMessageException unreadable) {
            return Optional.empty();
        }
    }
}

package dev.consignee.engine;

import dev.consignee.HandlerOutcome;
import dev.consignee.diagnostics.Notice;
import dev.consignee.diagnostics.Seldom;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.transport.Forwarding;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.Message;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one delivery: decode, invoke, decide. Whatever a body or a handler does on it ends in a plan (failure-1).
 * Confined to the consumer's thread.
 */
final class DeliveryPath {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryPath.class);
    private static final Duration SAME_KIND = Duration.ofMinutes(1);

    private final SubscriptionSpec spec;
    private final SettlementPolicy policy;
    private final PayloadDecoder decoder;
    private final SubscriptionDiagnosis diagnosis;
    private final Seldom seldom = new Seldom(SAME_KIND, System::nanoTime);

    DeliveryPath(SubscriptionSpec spec, PayloadDecoder decoder, SubscriptionDiagnosis diagnosis) {
        this.spec = spec;
        this.policy = SettlementPolicy.of(spec);
        this.decoder = decoder;
        this.diagnosis = diagnosis;
    }

    /**
     * What is to be done about a delivery.
     *
     * @param attempt which one it was
     */
    record Decision(Attempt attempt, Plan plan) {}

    /** Takes a delivery along it, and returns what to do about it. */
    Decision take(InboundDelivery delivery, Handler handler) {
        Attempt attempt = Attempt.UNREADABLE;
        Message message;
        Object payload;
        try {
            message = delivery.message();
            attempt = attempt(message);
            payload = decoder.decode(message);
        } catch (Throwable undecodable) { // also an Error of an adapter of the application's
            diagnosis.counters().decodeFailure();
            Plan plan = policy.undecodable(attempt);
            notice(Notice.DECODE_FAILED, "cannot decode a body", spec.failures().onDecodeError(), plan, undecodable);
            return new Decision(attempt, plan);
        }
        try {
            HandlerOutcome outcome = handler.handle(
                    payload, new ReceivedDelivery(spec.receiver().source().name(), message, attempt));
            if (outcome != null) {
                return new Decision(attempt, policy.returned(outcome, attempt));
            }
            Throwable nothing = new NullPointerException("the handler returned null, and no outcome");
            return failed(nothing, attempt, policy.failed(attempt, random()));
        } catch (Throwable thrown) { // also an Error of the application's
            return failed(thrown, attempt, policy.threw(thrown, attempt, random()));
        }
    }

    private Attempt attempt(Message message) {
        Object copies = message.applicationProperties().get(Forwarding.RETRY_COUNT);
        if (copies != null && Attempt.retryCount(copies).isEmpty()) {
            long suppressed = seldom.ask(Notice.BAD_RETRY_COUNT.id());
            if (suppressed >= 0) {
                Notice.BAD_RETRY_COUNT.log(
                        LOG,
                        "subscription '{}': the {} of a message is a {} and no whole number, it counts as zero{}",
                        spec.name(),
                        Forwarding.RETRY_COUNT,
                        copies.getClass().getSimpleName(),
                        unseen(suppressed));
            }
        }
        return Attempt.of(message);
    }

    private static double random() {
        return ThreadLocalRandom.current().nextDouble();
    }

    private Decision failed(Throwable thrown, Attempt attempt, Plan plan) {
        diagnosis.counters().handlerFailure();
        notice(Notice.HANDLER_FAILED, "its handler failed", spec.failures().onException(), plan, thrown);
        return new Decision(attempt, plan);
    }

    private void notice(Notice notice, String what, Enum<?> policyApplied, Plan plan, Throwable cause) {
        LOG.debug("subscription '{}': {}, {} means {}", spec.name(), what, policyApplied, plan, cause);
        long suppressed = seldom.ask(notice.id() + cause.getClass().getName());
        if (suppressed >= 0) {
            notice.log(
                    LOG,
                    "subscription '{}': {}, settled by {}: {}{}",
                    spec.name(),
                    what,
                    policyApplied,
                    plan,
                    unseen(suppressed),
                    cause);
        }
    }

    /** What a line says of those of its kind that were left out. */
    static String unseen(long suppressed) {
        return suppressed == 0 ? "" : " (and " + suppressed + " more of the kind since the last such line)";
    }
}

package dev.consignee.engine;

import dev.consignee.HandlerOutcome;
import dev.consignee.diagnostics.Notice;
import dev.consignee.diagnostics.Seldom;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.Message;
import java.time.Duration;
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
        this.policy = new SettlementPolicy(spec.onException(), spec.onDecodeError());
        this.decoder = decoder;
        this.diagnosis = diagnosis;
    }

    /** Takes a delivery along it, and returns what to do about it. */
    SettlementPolicy.Plan take(InboundDelivery delivery, Handler handler) {
        Message message;
        Object payload;
        try {
            message = delivery.message();
            payload = decoder.decode(message);
        } catch (Throwable undecodable) { // also an Error of an adapter of the application's
            diagnosis.counters().decodeFailure();
            notice(Notice.DECODE_FAILED, "cannot decode a body", policy.onDecodeError(), undecodable);
            return policy.undecodable();
        }
        try {
            HandlerOutcome outcome = handler.handle(
                    payload, new ReceivedDelivery(spec.receiver().source().name(), message));
            if (outcome != null) {
                return policy.returned(outcome);
            }
            return failed(new NullPointerException("the handler returned null, and no outcome"));
        } catch (Throwable thrown) { // also an Error of the application's
            return failed(thrown);
        }
    }

    private SettlementPolicy.Plan failed(Throwable thrown) {
        diagnosis.counters().handlerFailure();
        notice(Notice.HANDLER_FAILED, "its handler failed", policy.onException(), thrown);
        return policy.threw();
    }

    private void notice(Notice notice, String what, Enum<?> policyApplied, Throwable cause) {
        LOG.debug("subscription '{}': {}, to be settled by {}", spec.name(), what, policyApplied, cause);
        long suppressed = seldom.ask(notice.id() + cause.getClass().getName());
        if (suppressed >= 0) {
            notice.log(
                    LOG,
                    "subscription '{}': {}, settled by {}{}",
                    spec.name(),
                    what,
                    policyApplied,
                    unseen(suppressed),
                    cause);
        }
    }

    /** What a line says of those of its kind that were left out. */
    static String unseen(long suppressed) {
        return suppressed == 0 ? "" : " (and " + suppressed + " more of the kind since the last such line)";
    }
}

package dev.consignee.engine;

import dev.consignee.HandlerOutcome;
import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.transport.Disposition;

/**
 * Decides what becomes of a delivery. Never reads a clock, a configuration or a broker.
 *
 * @param onException for handlers that throw
 * @param onDecodeError for bodies that are no payload
 */
record SettlementPolicy(OnException onException, OnDecodeError onDecodeError) {

    /** What to do about one delivery; the subscription only carries it out. */
    sealed interface Plan {

        /** Tell the broker. */
        record Settle(Disposition disposition) implements Plan {}

        /** Leave it unsettled and end the subscription. */
        record Stop() implements Plan {}
    }

    private static final Plan ACCEPT = new Plan.Settle(Disposition.ACCEPTED);
    private static final Plan MODIFY = new Plan.Settle(Disposition.MODIFIED_FAILED);
    private static final Plan REJECT = new Plan.Settle(Disposition.REJECTED);
    private static final Plan STOP = new Plan.Stop();

    /** The handler returned an outcome. */
    Plan returned(HandlerOutcome outcome) {
        if (outcome instanceof HandlerOutcome.Ack) {
            return ACCEPT; // settle-3
        } else if (outcome instanceof HandlerOutcome.Retry) {
            return MODIFY; // settle-4
        } else if (outcome instanceof HandlerOutcome.Drop) {
            return REJECT; // settle-5
        }
        throw new IllegalStateException("no such outcome: " + outcome);
    }

    /** The handler threw, or returned null where an outcome was due (failure-1, failure-4). */
    Plan threw() {
        return switch (onException) {
            case RETRY -> MODIFY;
            case DROP -> REJECT;
            case ACK -> ACCEPT;
            case STOP -> STOP;
        };
    }

    /** The body is no payload of the handler's, which was not called (failure-2). */
    Plan undecodable() {
        return switch (onDecodeError) {
            case RETRY -> MODIFY;
            case DROP -> REJECT;
            case ACK -> ACCEPT;
            case STOP -> STOP;
        };
    }
}

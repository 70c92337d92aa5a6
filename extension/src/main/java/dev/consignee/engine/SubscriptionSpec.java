package dev.consignee.engine;

import dev.consignee.transport.ReceiverSpec;
import java.lang.reflect.Type;

/**
 * A subscription, as declared and configured.
 *
 * @param name the subscriber's name
 * @param broker the broker's name; empty for the unnamed one
 * @param receiver what it consumes, and with which credit
 * @param retries how often and how a message comes back
 * @param failures what becomes of a delivery that was not handled
 * @param payload the type that a body is decoded to
 * @param hasOutcome whether the handler returns one; a method without a result has none to report
 */
public record SubscriptionSpec(
        String name,
        String broker,
        ReceiverSpec receiver,
        RetrySpec retries,
        FailureSpec failures,
        Type payload,
        boolean hasOutcome) {

    /** Whether deliveries arrive settled. */
    boolean atMostOnce() {
        return receiver.settled();
    }
}

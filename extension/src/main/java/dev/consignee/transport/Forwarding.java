package dev.consignee.transport;

import dev.consignee.MessageId;
import java.time.Instant;
import java.util.Optional;

/**
 * How a message that has arrived is published again. Either way its delivery annotations, its delivery count and its
 * first-acquirer flag stay behind: they belong to the hop that it has come by.
 */
public sealed interface Forwarding {

    /** The application property that says which attempt of a message was copied. */
    String RETRY_COUNT = "x-ruststream-retry-count";

    /**
     * As a new message that brings the old one back: without the duplicate-detection id ({@code _AMQ_DUPL_ID}), which would
     * have a broker discard it, and without {@code x-opt-delivery-*} annotations; the rest as it arrived (attempt-13).
     *
     * @param messageId its own id
     * @param retryCount the number of the attempt that it copies
     * @param deliveryTime when the broker is to deliver it; empty for at once
     */
    record Copy(MessageId messageId, long retryCount, Optional<Instant> deliveryTime) implements Forwarding {}

    /** As it arrived (attempt-7). */
    record DeadLetter() implements Forwarding {}
}

package dev.consignee.diagnostics;

/**
 * A subscription's state and counters at one moment.
 *
 * @param name the subscriber's name
 * @param address where it consumes from, as it is sent
 * @param broker the broker's name; empty for the unnamed one
 * @param state where it is in its life
 * @param deliveries received for handling
 * @param accepted settled as {@code accepted}
 * @param modified settled as {@code modified} with {@code delivery-failed}
 * @param rejected settled as {@code rejected}
 * @param linkLost whose outcome came too late for their link
 * @param decodeFailures whose body was no payload of the handler's
 * @param handlerFailures whose handler threw or returned no outcome
 * @param attached how many times its link was attached
 * @param copies published to its own address and confirmed
 * @param deadLetters published to its dead-letter address and confirmed
 * @param waitingCopies that nobody else has and that are still to be published
 * @param lostCopies of those, how many never were: discarded, or not published before the end
 * @param unsupported whose outcome had nothing to settle
 * @param unhandled that arrived settled and were not handled before the end
 */
public record SubscriptionStatus(
        String name,
        String address,
        String broker,
        SubscriptionState state,
        long deliveries,
        long accepted,
        long modified,
        long rejected,
        long linkLost,
        long decodeFailures,
        long handlerFailures,
        long attached,
        long copies,
        long deadLetters,
        long waitingCopies,
        long lostCopies,
        long unsupported,
        long unhandled) {}

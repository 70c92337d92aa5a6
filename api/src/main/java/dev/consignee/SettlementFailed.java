package dev.consignee;

import java.util.Objects;
import java.util.Optional;

/**
 * The event an application may observe when an outcome did not reach its delivery: {@code void lost(@Observes
 * SettlementFailed event)}.
 *
 * <p>Fired on a thread of the library's own, one event after the other; an observer that throws is logged and changes
 * nothing. Where observers cannot keep up, events beyond ten thousand waiting ones are dropped.
 *
 * @param subscription the subscriber's name, as in {@code consignee.subscriber.<name>}
 * @param error why
 * @param messageId the message's id, where it has one
 */
public record SettlementFailed(String subscription, AckError error, Optional<MessageId> messageId) {

    /**
     * Refuses nulls.
     *
     * @param subscription the subscriber's name
     * @param error why
     * @param messageId the message's id
     */
    public SettlementFailed {
        Objects.requireNonNull(subscription, "subscription");
        Objects.requireNonNull(error, "error");
        Objects.requireNonNull(messageId, "messageId");
    }
}

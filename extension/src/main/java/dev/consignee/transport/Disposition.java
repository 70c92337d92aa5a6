package dev.consignee.transport;

/** What a receiver may tell the broker of a delivery. There are no others. */
public enum Disposition {
    /** {@code accepted}: the message leaves the queue. */
    ACCEPTED,
    /** {@code modified} with {@code delivery-failed}, without {@code undeliverable-here}: the broker counts and redelivers. */
    MODIFIED_FAILED,
    /** {@code rejected}: the broker's dead-letter policy decides. */
    REJECTED,
    /** {@code released}: only for a delivery that no handler has touched; its count stays as it was. */
    RELEASED
}

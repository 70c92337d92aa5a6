package dev.consignee;

/** Says why an outcome did not reach its delivery. It is logged, counted, and fired as {@link SettlementFailed}. */
public enum AckError {
    /**
     * The link went before the disposition could be sent. Nothing was settled: the broker returns the message to the
     * queue, and it comes back, to this subscription or another.
     */
    LINK_LOST,

    /**
     * The subscription is {@link Settle#AT_MOST_ONCE}: the delivery arrived settled, and the outcome had nothing to settle.
     * Let the handler return {@code void}, or consume at least once.
     */
    UNSUPPORTED
}

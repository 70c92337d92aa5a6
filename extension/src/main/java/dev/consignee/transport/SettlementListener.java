package dev.consignee.transport;

/**
 * Told what becomes of a receiver's settlements, exactly once a settled delivery, and of its link. Called on threads of the
 * transport's, which must not be blocked.
 */
public interface SettlementListener {

    /** The disposition has been written to the delivery's own link. */
    void written(InboundDelivery delivery, Disposition disposition);

    /** The link went first: nothing was sent and nothing will be; the message is the broker's. */
    void lost(InboundDelivery delivery, Disposition disposition);

    /** Whether credit may be granted now; asked before each grant, the first one included. What was granted stays. */
    default boolean mayGrant() {
        return true;
    }

    /** The link is gone, and nobody here has closed it. */
    default void linkLost(TransportException reason) {}
}

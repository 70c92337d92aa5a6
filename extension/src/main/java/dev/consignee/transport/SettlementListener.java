package dev.consignee.transport;

/** Told what became of each settlement, exactly once a settled delivery, on a thread of the transport's. */
public interface SettlementListener {

    /** The disposition has been written to the delivery's own link. */
    void written(InboundDelivery delivery, Disposition disposition);

    /** The link went first: nothing was sent and nothing will be; the message is the broker's. */
    void lost(InboundDelivery delivery, Disposition disposition);
}

package dev.consignee.tck.weld;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.impl.AckReason;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerMessagePlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;

/** Keeps how each message left the soak's queues, as the broker carries it out, on its threads. */
final class SoakBook implements ActiveMQServerMessagePlugin {

    /** The application property with a message's id, which copies keep. */
    static final String ID = "soakId";

    private static final String RETRY_COUNT = "x-ruststream-retry-count";

    /**
     * A message's end in the broker.
     *
     * @param id which message it is, or is a copy of
     * @param copies its count of copies, 0 for an original
     * @param deliveries how often the broker counts it delivered, the last time included
     * @param reason accepted (NORMAL), rejected or delivered too often (KILLED), or something that has no business here
     */
    record End(int id, int copies, int deliveries, AckReason reason) {

        int attempt() {
            return copies + deliveries;
        }
    }

    private final Queue<End> ends = new ConcurrentLinkedQueue<>();

    @Override
    public void messageAcknowledged(
            Transaction transaction, MessageReference reference, AckReason reason, ServerConsumer consumer) {
        Message message = reference.getMessage();
        if (reference.getQueue().getName().toString().startsWith("soak.")) {
            Object copies = message.getObjectProperty(RETRY_COUNT);
            ends.add(new End(
                    ((Number) message.getObjectProperty(ID)).intValue(),
                    copies == null ? 0 : Integer.parseInt(copies.toString()),
                    reference.getDeliveryCount(),
                    reason));
        }
    }

    /** All so far, in the order that they happened, nearly. */
    Collection<End> ends() {
        return ends;
    }
}

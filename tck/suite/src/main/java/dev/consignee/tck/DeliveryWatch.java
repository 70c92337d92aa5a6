package dev.consignee.tck;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerMessagePlugin;

/**
 * Reads a queue's count of messages in delivery at each delivery, and keeps the highest. Called on the broker's
 * delivery threads.
 *
 * <p>Artemis calls no plugin when a message is released or modified, so the counts can't be kept here; but they rise
 * only where a message is handed to a consumer, and {@code beforeDeliver} is called right after that.
 */
final class DeliveryWatch implements ActiveMQServerMessagePlugin {

    private final Map<String, LongAccumulator> highest = new ConcurrentHashMap<>();

    @Override
    public void beforeDeliver(ServerConsumer consumer, MessageReference reference) {
        String queue = reference.getQueue().getName().toString();
        highest.computeIfAbsent(queue, name -> new LongAccumulator(Math::max, 0))
                .accumulate(reference.getQueue().getDeliveringCount());
    }

    int highest(String queue) {
        LongAccumulator count = highest.get(queue);
        return count == null ? 0 : count.intValue();
    }

    void reset(String queue) {
        highest.remove(queue);
    }
}

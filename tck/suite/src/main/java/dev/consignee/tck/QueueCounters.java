package dev.consignee.tck;

/**
 * What the broker counts for one queue, read at one moment. All 0 for a queue that does not exist.
 *
 * @param queue the queue's name
 * @param exists whether there is such a queue
 * @param messageCount messages on the queue, those in delivery and those scheduled for later included
 * @param deliveringCount messages in delivery: handed to a consumer and not yet settled
 * @param scheduledCount messages that wait for their delivery time
 * @param messagesAdded messages ever routed to the queue; a redelivery adds none
 * @param messagesAcknowledged messages that left the queue because a consumer accepted them
 * @param messagesKilled messages that the broker took away to the dead-letter address, for a rejection or for too many
 *     deliveries
 * @param acknowledgeAttempts acknowledgements asked for, whatever became of them
 * @param consumerCount consumers attached
 */
public record QueueCounters(
        String queue,
        boolean exists,
        long messageCount,
        int deliveringCount,
        int scheduledCount,
        long messagesAdded,
        long messagesAcknowledged,
        long messagesKilled,
        long acknowledgeAttempts,
        int consumerCount) {

    static QueueCounters none(String queue) {
        return new QueueCounters(queue, false, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}

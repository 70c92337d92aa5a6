package dev.consignee.sample.demo;

/**
 * What the broker has counted of one queue.
 *
 * @param published messages put into it since it exists
 * @param attempts deliveries to the consumers that are attached now
 * @param acknowledged messages that a consumer accepted
 * @param givenUp messages the broker took off for good: rejected, or delivered too often
 * @param deadLettered messages from this queue that lie in its dead-letter queue
 * @param left messages in it, those in delivery included
 * @param attemptLimit how often the broker delivers a message before it gives up; below 1 there is no limit
 */
record QueueCount(
        long published,
        long attempts,
        long acknowledged,
        long givenUp,
        long deadLettered,
        long left,
        long attemptLimit) {

    /** Of a queue that the broker doesn't know yet. */
    static final QueueCount NONE = new QueueCount(0, 0, 0, 0, 0, 0, 0);

    /** Returns what has been counted since an earlier count; what is left, and the limit, are those of this one. */
    QueueCount since(QueueCount earlier) {
        return new QueueCount(
                published - earlier.published,
                attempts,
                acknowledged - earlier.acknowledged,
                givenUp - earlier.givenUp,
                deadLettered - earlier.deadLettered,
                left,
                attemptLimit);
    }
}

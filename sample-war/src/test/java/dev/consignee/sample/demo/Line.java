package dev.consignee.sample.demo;

import java.util.Optional;

/**
 * One subscription and its queues, as both sides have counted them.
 *
 * @param tally the extension's numbers
 * @param count the broker's numbers of its queue; empty where it is no Artemis
 * @param deadLetters those of its dead-letter queue; all zero where there is none, or it is no Artemis
 */
record Line(Tally tally, Optional<QueueCount> count, QueueCount deadLetters) {}

package dev.consignee.sample.demo;

import java.util.Optional;

/**
 * One subscription and its queue, as both sides have counted them.
 *
 * @param tally the extension's numbers
 * @param count the broker's numbers; empty where it is no Artemis
 */
record Line(Tally tally, Optional<QueueCount> count) {}

package dev.consignee.tck.app;

import java.util.OptionalInt;

/**
 * One call of a handler.
 *
 * @param subscription the subscriber's name
 * @param script what the message said, or the payload's text
 * @param messageId the message's id in text form; empty where it has none
 * @param attempt the number of the attempt
 * @param redeliveryCount the broker's count plus one; empty where it has none
 */
public record Handled(String subscription, String script, String messageId, int attempt, OptionalInt redeliveryCount) {}

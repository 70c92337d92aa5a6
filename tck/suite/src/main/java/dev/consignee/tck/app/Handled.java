package dev.consignee.tck.app;

import java.util.OptionalInt;

/**
 * One call of a handler.
 *
 * @param subscription the subscriber's name
 * @param script what the message said, or the payload's text
 * @param message the message's correlation id, or else its id, in text form; empty where it has neither
 * @param attempt the number of the attempt
 * @param redeliveryCount the broker's count plus one; empty where it has none
 * @param request the request that the call ran in
 * @param thread the thread's name
 * @param ownClasses whether the thread's context class loader is one of the application's
 */
public record Handled(
        String subscription,
        String script,
        String message,
        int attempt,
        OptionalInt redeliveryCount,
        String request,
        String thread,
        boolean ownClasses) {}

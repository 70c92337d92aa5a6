package dev.consignee.transport.jms;

import dev.consignee.transport.TransportException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/** Turns what Qpid JMS and the broker say of a failure into ours. */
final class Failures {

    private static final Pattern CONDITION = Pattern.compile("\\[condition = ([^\\]\\s]+)\\]");

    private Failures() {}

    /** The failure with the text of its deepest cause that has one. */
    static TransportException of(String what, Throwable failure) {
        String reason = failure.getClass().getSimpleName();
        @Nullable String condition = null;
        int depth = 0;
        for (Throwable t = failure; t != null && depth < 20; t = t.getCause(), depth++) {
            String message = t.getMessage();
            if (message == null || message.isBlank()) {
                continue;
            }
            reason = message;
            Matcher matcher = CONDITION.matcher(message);
            if (condition == null && matcher.find()) {
                condition = matcher.group(1);
            }
        }
        return new TransportException(what + ": " + reason, condition, failure);
    }

    static TransportException of(String what, @Nullable ErrorCondition condition, String otherwise) {
        return new TransportException(what + ": " + text(condition, otherwise), symbol(condition), null);
    }

    static String text(@Nullable ErrorCondition condition, String otherwise) {
        if (condition == null || condition.getCondition() == null) {
            return otherwise;
        }
        String description = condition.getDescription();
        return condition.getCondition()
                + (description == null || description.isBlank() ? "" : " (" + description + ")");
    }

    static @Nullable String symbol(@Nullable ErrorCondition condition) {
        return condition == null || condition.getCondition() == null
                ? null
                : condition.getCondition().toString();
    }
}

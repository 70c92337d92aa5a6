package dev.consignee.config;

import dev.consignee.declaration.Quoted;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shows what should be a URL, right or wrong, without what may be a credential. */
final class Redaction {

    private static final Pattern BEGINNING = Pattern.compile("(?i)(failover:(//)?\\(?)?(amqps?:(//)?)?");

    private Redaction() {}

    /** Leaves out all between the scheme and the last {@code @}, and the values of secret options. */
    static String url(String text) {
        int at = text.lastIndexOf('@');
        if (at < 0) {
            return Quoted.plain(text);
        }
        Matcher beginning = BEGINNING.matcher(text);
        String shown = beginning.lookingAt() ? beginning.group() : "";
        return Quoted.plain(shown + "***" + text.substring(at));
    }
}

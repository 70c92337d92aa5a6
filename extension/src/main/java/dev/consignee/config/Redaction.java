package dev.consignee.config;

import dev.consignee.declaration.Quoted;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shows what should be a URL, right or wrong, without what may be a credential. */
final class Redaction {

    private static final Pattern BEGINNING = Pattern.compile("(?i)(failover:(//)?\\(?)?(amqps?:(//)?)?");

    /** A host whose port is no number: a user and a password, perhaps, of a URL whose host was forgotten. */
    private static final Pattern NO_PORT = Pattern.compile("(?<=//)[^/?,):]*:(?=[^/?,)]*[^0-9/?,)])[^/?,)]+");

    private Redaction() {}

    /** Leaves out all between the scheme and the last {@code @}, what cannot be a port, and the values of secret options. */
    static String url(String text) {
        int at = text.lastIndexOf('@');
        if (at < 0) {
            return Quoted.plain(NO_PORT.matcher(text).replaceAll("***"));
        }
        Matcher beginning = BEGINNING.matcher(text);
        String shown = beginning.lookingAt() ? beginning.group() : "";
        return Quoted.plain(shown + "***" + text.substring(at));
    }
}

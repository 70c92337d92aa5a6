package dev.consignee.declaration;

import java.util.Locale;
import java.util.regex.Pattern;

/** Shows a text that someone else wrote in a message of ours. */
public final class Quoted {

    private static final int LONGEST = 200;

    /** The user-info of a URL, to the last {@code @}: what is before it may be part of a password. */
    private static final Pattern USER_INFO = Pattern.compile("(://|\\bamqps?:(?!//)).*@", Pattern.DOTALL);

    /** A URL's option, or whatever looks like one, whose name says that its value is a secret. */
    private static final Pattern SECRET_OPTION =
            Pattern.compile("([\\w.-]*(?:username|password|secret|token)[\\w.-]*=)[^&]*", Pattern.CASE_INSENSITIVE);

    private Quoted() {}

    /**
     * Quotes a text.
     *
     * @param text any text
     * @return the text between single quotes, as {@link #plain} shows it
     */
    public static String of(String text) {
        return "'" + plain(text) + "'";
    }

    /**
     * Makes a text fit for a line of a message: what looks like a credential is masked, control characters are escaped so
     * that they cannot forge a line, and a long text is cut.
     *
     * @param text any text
     * @return the text on one line, of at most 200 characters
     */
    public static String plain(String text) {
        String masked = SECRET_OPTION
                .matcher(USER_INFO.matcher(text).replaceAll("$1***@"))
                .replaceAll("$1***");
        StringBuilder shown = new StringBuilder();
        masked.codePoints().limit(LONGEST).forEach(character -> {
            if (unprintable(character)) {
                shown.append(String.format(Locale.ROOT, "\\u%04x", character));
            } else {
                shown.appendCodePoint(character);
            }
        });
        return masked.codePointCount(0, masked.length()) > LONGEST ? shown + "…" : shown.toString();
    }

    private static boolean unprintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }
}

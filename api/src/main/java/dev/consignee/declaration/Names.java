package dev.consignee.declaration;

import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Names that are part of configuration keys. */
public final class Names {

    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*");

    /**
     * The words of a camel-case name: an acronym's plural (URLs), an acronym with digits (HTTP2), an acronym (HTTP in
     * HTTPServer), a word with the digits in it (Pick, sha256, 2nd), letters without case.
     */
    private static final Pattern WORD = Pattern.compile("\\p{Lu}{2,}s(?![\\p{Ll}0-9])"
            + "|\\p{Lu}+[0-9]+[\\p{Ll}0-9]*"
            + "|\\p{Lu}+(?![\\p{Ll}])"
            + "|\\p{Lu}?[\\p{Ll}0-9]+"
            + "|[\\p{L}&&[^\\p{Lu}\\p{Ll}]]+");

    private Names() {}

    /**
     * Turns a method's name into kebab case: {@code logPick} into {@code log-pick}.
     *
     * <p>An acronym is one word ({@code onHTTPError}, {@code on-http-error}), digits belong to the word before them
     * ({@code sha256Sum}, {@code sha256-sum}), and {@code _} and {@code $} end a word.
     *
     * @param camelCase a Java identifier
     * @return the name in kebab case; the identifier itself where it has neither letter nor digit
     */
    public static String kebab(String camelCase) {
        String kebab = WORD.matcher(camelCase)
                .results()
                .map(MatchResult::group)
                .map(word -> word.toLowerCase(Locale.ROOT))
                .collect(Collectors.joining("-"));
        return kebab.isEmpty() ? camelCase : kebab;
    }

    /**
     * Tells whether a text may stand between the dots of a key.
     *
     * @param name the text
     * @return whether it consists of ASCII letters, digits, {@code -} and {@code _}, the first a letter or a digit
     */
    public static boolean legal(String name) {
        return LEGAL.matcher(name).matches();
    }

    /** The class's name without package and outer classes. */
    static String simple(String className) {
        return className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
    }
}

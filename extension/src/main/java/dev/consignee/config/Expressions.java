package dev.consignee.config;

import java.util.Optional;
import java.util.function.Function;

/**
 * Expands <code>${key}</code> and <code>${key:default}</code> in a text of an annotation, nested in keys and defaults;
 * <code>\${</code> stays <code>${</code>. What a key's value expands to is MicroProfile Config's affair, and is not
 * expanded again.
 */
final class Expressions {

    private static final int DEEPEST = 16;

    private final String text;
    private final Function<String, Optional<String>> values;
    private int next;

    private Expressions(String text, Function<String, Optional<String>> values) {
        this.text = text;
        this.values = values;
    }

    /** Says which expression cannot be expanded, and why. */
    static final class BadExpressionException extends Exception {
        private static final long serialVersionUID = 1L;

        BadExpressionException(String message) {
            super(message);
        }
    }

    static String expand(String text, Function<String, Optional<String>> values) throws BadExpressionException {
        return new Expressions(text, values).until("", 0);
    }

    /** Reads to the first of the ends, which is left unread, or to the end of the text where there are none. */
    private String until(String ends, int depth) throws BadExpressionException {
        StringBuilder expanded = new StringBuilder();
        while (next < text.length() && ends.indexOf(text.charAt(next)) < 0) {
            if (text.startsWith("\\${", next)) {
                expanded.append("${");
                next += 3;
            } else if (text.startsWith("${", next)) {
                next += 2;
                expanded.append(expression(depth + 1));
            } else {
                expanded.append(text.charAt(next++));
            }
        }
        return expanded.toString();
    }

    private String expression(int depth) throws BadExpressionException {
        if (depth > DEEPEST) {
            throw new BadExpressionException("expressions are nested more than " + DEEPEST + " deep");
        }
        String key = until(":}", depth);
        Optional<Default> fallback = Optional.empty();
        if (next < text.length() && text.charAt(next) == ':') {
            next++;
            fallback = Optional.of(fallback(depth));
        }
        if (next == text.length()) {
            throw new BadExpressionException("an expression does not end");
        }
        next++;
        Optional<String> value = key.isBlank() ? Optional.empty() : values.apply(key);
        if (value.isPresent()) {
            return value.get();
        }
        return fallback.orElseThrow(() -> new BadExpressionException(
                        key.isBlank() ? "an expression has no key" : "the key '" + key + "' has no value"))
                .text();
    }

    /** A default whose own expressions have no value is wrong only where it is needed. */
    private interface Default {
        String text() throws BadExpressionException;
    }

    private Default fallback(int depth) throws BadExpressionException {
        int start = next;
        try {
            String expanded = until("}", depth);
            return () -> expanded;
        } catch (BadExpressionException e) {
            next = endOfDefault(start);
            return () -> {
                throw e;
            };
        }
    }

    private int endOfDefault(int start) throws BadExpressionException {
        int open = 0;
        for (int i = start; i < text.length(); i++) {
            if (text.startsWith("\\${", i)) {
                i += 2;
            } else if (text.startsWith("${", i)) {
                open++;
                i++;
            } else if (text.charAt(i) == '}' && open-- == 0) {
                return i;
            }
        }
        throw new BadExpressionException("an expression does not end");
    }
}

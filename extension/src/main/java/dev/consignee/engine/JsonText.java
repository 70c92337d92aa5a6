package dev.consignee.engine;

/**
 * Looks at the outline of a JSON text: that it is one value and no more, nested no deeper than is good. What is within is
 * left to JSON-B, which stops at the end of the first value and so would take half a body for the whole.
 */
final class JsonText {

    /** No honest payload is nested deeper; parsers that recurse still have stack left. */
    static final int DEEPEST = 200;

    private JsonText() {}

    /**
     * Checks the outline.
     *
     * @param text not blank
     * @throws DecodeException where the nesting is too deep, or something follows the value
     */
    static void check(String text) throws DecodeException {
        int end = endOfValue(text, skipBlanks(text, 0));
        int next = skipBlanks(text, end);
        if (next < text.length()) {
            throw new DecodeException("the body goes on after its JSON value, at character " + next, null);
        }
    }

    /** Where the value that begins there ends; the text's end where it never does. */
    private static int endOfValue(String text, int begin) throws DecodeException {
        int depth = 0;
        int at = begin;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"') {
                at = endOfString(text, at);
            } else {
                if (c == '{' || c == '[') {
                    depth++;
                } else if (c == '}' || c == ']') {
                    depth--;
                } else if (depth == 0 && isBlank(c)) {
                    return at;
                }
                at++;
            }
            if (depth > DEEPEST) {
                throw new DecodeException("the body is nested deeper than " + DEEPEST + " levels", null);
            }
            if (depth <= 0 && (c == '"' || c == '}' || c == ']')) {
                return at;
            }
        }
        return at;
    }

    private static int endOfString(String text, int quote) {
        int at = quote + 1;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '\\') {
                at++;
            } else if (c == '"') {
                return at;
            }
        }
        return text.length();
    }

    private static int skipBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }
}

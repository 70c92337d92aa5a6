package dev.consignee.engine;

import dev.consignee.declaration.Quoted;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Optional;

/**
 * A content type, taken apart as far as decoding asks. Whatever was sent can be parsed: nothing hangs on its grammar but
 * the two parts below.
 *
 * @param mediaType without parameters, in lower case; empty where there is none
 * @param charset what the parameter says, the first where there are several; empty where it is absent or says nothing
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-media-type">RFC 9110, §8.3.1 media type</a>
 */
record ContentType(String mediaType, Optional<String> charset) {

    static ContentType parse(String text) {
        int end = text.indexOf(';');
        String mediaType = (end < 0 ? text : text.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return new ContentType(mediaType, end < 0 ? Optional.empty() : charsetName(text, end));
    }

    /**
     * The charset that is named.
     *
     * @throws DecodeException where it is not known
     */
    static Optional<Charset> charset(String contentType) throws DecodeException {
        Optional<String> name = parse(contentType).charset();
        try {
            return name.map(Charset::forName);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new DecodeException(
                    "the content type names a charset that is not known: " + Quoted.plain(name.orElse("")), e);
        }
    }

    /** Walks along the parameters; a quoted value may contain what would end a bare one. */
    private static Optional<String> charsetName(String text, int from) {
        int at = from;
        while (at < text.length()) {
            StringBuilder parameter = new StringBuilder();
            at = parameter(text, at + 1, parameter);
            int equals = parameter.indexOf("=");
            if (equals >= 0 && parameter.substring(0, equals).strip().equalsIgnoreCase("charset")) {
                return Optional.of(parameter.substring(equals + 1).strip()).filter(name -> !name.isEmpty());
            }
        }
        return Optional.empty();
    }

    /** Collects one parameter without its quotes; returns where the semicolon after it is, or the text's end. */
    private static int parameter(String text, int from, StringBuilder parameter) {
        boolean quoted = false;
        int at = from;
        while (at < text.length() && (quoted || text.charAt(at) != ';')) {
            char c = text.charAt(at);
            if (c == '"') {
                quoted = !quoted;
            } else if (quoted && c == '\\' && at + 1 < text.length()) {
                at++;
                parameter.append(text.charAt(at));
            } else {
                parameter.append(c);
            }
            at++;
        }
        return at;
    }
}

package dev.consignee.engine;

import dev.consignee.Codec;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The application's codecs by content type. Immutable; any thread. */
public final class Codecs {

    /** An application's that has none. */
    public static final Codecs NONE = new Codecs(Map.of());

    private final Map<String, Codec> byMediaType;

    /**
     * Keeps them.
     *
     * @param byContentType the codecs by what they take over, in any case
     * @throws IllegalArgumentException where two of the content types are one
     */
    public Codecs(Map<String, Codec> byContentType) {
        Map<String, Codec> copy = new HashMap<>();
        byContentType.forEach((contentType, codec) -> {
            if (copy.put(mediaType(contentType), codec) != null) {
                throw new IllegalArgumentException("two codecs for " + mediaType(contentType));
            }
        });
        byMediaType = Map.copyOf(copy);
    }

    /**
     * Finds a codec.
     *
     * @param contentType with or without parameters, in any case
     */
    public Optional<Codec> of(String contentType) {
        return byMediaType.isEmpty() ? Optional.empty() : Optional.ofNullable(byMediaType.get(mediaType(contentType)));
    }

    /** What content types are compared by: without parameters, in lower case. */
    public static String mediaType(String contentType) {
        return ContentType.parse(contentType).mediaType();
    }
}

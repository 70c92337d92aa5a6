package dev.consignee.cdi;

import dev.consignee.Codec;
import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.declaration.Quoted;
import dev.consignee.engine.Codecs;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Finds the application's codecs; a content type that two claim, and a codec that claims none, are problems. */
final class CodecBeans {

    /** Two tokens of RFC 9110 with a slash between. */
    private static final Pattern MEDIA_TYPE =
            Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private static final String LEGAL = "media types without parameters, such as application/cbor";

    private final BeanManager beans;
    private final CreationalContext<?> own;
    private final List<Problem> problems;

    CodecBeans(BeanManager beans, CreationalContext<?> own, List<Problem> problems) {
        this.beans = beans;
        this.own = own;
        this.problems = problems;
    }

    Codecs find() {
        Map<Bean<?>, Codec> references = new HashMap<>();
        Map<String, Set<Bean<?>>> claims = new TreeMap<>();
        for (Bean<?> bean : beans.getBeans(Codec.class, Any.Literal.INSTANCE)) {
            for (String contentType : contentTypes(bean, references)) {
                claims.computeIfAbsent(Codecs.mediaType(contentType), key -> new HashSet<>())
                        .add(bean);
            }
        }
        Map<String, Codec> byContentType = new HashMap<>();
        claims.forEach((contentType, claiming) -> {
            Bean<?> preferred = ContextualReferences.preferred(beans, claiming);
            Codec codec = references.get(preferred);
            if (codec == null) {
                problems.add(contested(contentType, claiming));
            } else {
                byContentType.put(contentType, codec);
            }
        });
        return new Codecs(byContentType);
    }

    /** What a bean takes over; nothing where that cannot be told, which is a problem. */
    private Set<String> contentTypes(Bean<?> bean, Map<Bean<?>, Codec> references) {
        try {
            Codec codec = (Codec) beans.getReference(bean, Codec.class, own);
            references.put(bean, codec);
            Set<String> named = codec.contentTypes();
            if (named.isEmpty()) {
                problems.add(wrong(bean, "names no content types"));
            }
            named.stream()
                    .filter(each -> !MEDIA_TYPE.matcher(each).matches())
                    .forEach(
                            each -> problems.add(wrong(bean, "names " + Quoted.of(each) + ", which is no media type")));
            return named;
        } catch (RuntimeException broken) {
            problems.add(wrong(bean, "cannot be asked for its content types: " + broken));
            return Collections.emptySet();
        }
    }

    private static Problem wrong(Bean<?> bean, String what) {
        return new Problem(
                ProblemId.BAD_CODEC,
                new Place(bean.getBeanClass().getName(), ""),
                "",
                "the codec " + bean.getBeanClass().getName() + " " + what,
                LEGAL);
    }

    private static Problem contested(String contentType, Set<Bean<?>> claiming) {
        return new Problem(
                ProblemId.SEVERAL_CODECS,
                Place.CONFIGURATION,
                "",
                "the content type " + contentType + " has " + claiming.size() + " codecs: " + Payloads.names(claiming),
                "one for each content type");
    }
}

package dev.consignee.cdi;

import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.declaration.Quoted;
import dev.consignee.discovery.HandlerMethod;
import dev.consignee.engine.Codecs;
import dev.consignee.engine.PayloadCheck;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What payloads need: the application's own JSON-B, codecs and validator where it has them. Looked up once, when the
 * application is deployed; closed when it has stopped. Any thread may use what it holds.
 */
final class Payloads implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Payloads.class);

    private static final String NOBODY = "no Bean Validation is there to look at it";

    private final BeanManager beans;
    private final List<Problem> problems;
    private final CreationalContext<?> own;
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final Jsonb jsonb;
    private final Codecs codecs;
    private final PayloadCheck validation;

    private Payloads(Collection<ConsigneeExtension.Deployed> deployed, BeanManager beans, List<Problem> problems) {
        this.beans = beans;
        this.problems = problems;
        this.own = beans.createCreationalContext(null);
        this.jsonb = findJsonb();
        this.codecs = new CodecBeans(beans, own, problems).find();
        this.validation = findValidation(deployed.stream()
                .filter(each ->
                        each.found().handler().filter(HandlerMethod::validated).isPresent())
                .toList());
    }

    /** Looks everything up; what cannot be used is a problem. */
    static Payloads of(Collection<ConsigneeExtension.Deployed> deployed, BeanManager beans, List<Problem> problems) {
        return new Payloads(deployed, beans, problems);
    }

    private Jsonb findJsonb() {
        Set<Bean<?>> found = beans.getBeans(Jsonb.class);
        Bean<?> bean = ContextualReferences.preferred(beans, found);
        if (bean != null) {
            return (Jsonb) beans.getReference(bean, Jsonb.class, own);
        }
        if (!found.isEmpty()) {
            problems.add(new Problem(
                    ProblemId.SEVERAL_JSONBS,
                    Place.CONFIGURATION,
                    "",
                    "the application has " + found.size() + " Jsonb beans: " + names(found),
                    "one, or one that CDI prefers"));
        }
        Jsonb created = JsonbBuilder.create();
        toClose.add(created);
        return created;
    }

    /** The beans by their classes, in an order. */
    static String names(Collection<Bean<?>> found) {
        return found.stream()
                .map(bean -> bean.getBeanClass().getName())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** Bean Validation, for the handlers that ask for it; nothing of it is touched where none does. */
    private PayloadCheck findValidation(List<ConsigneeExtension.Deployed> asking) {
        if (asking.isEmpty()) {
            return PayloadCheck.NONE;
        }
        try {
            Optional<BeanValidation> found = BeanValidation.of(beans, own);
            found.ifPresent(toClose::add);
            if (found.isPresent()) {
                return found.get();
            }
            asking.forEach(each -> tell(ProblemId.VALIDATION_ABSENT, each, NOBODY));
        } catch (BeanValidationException unusable) {
            asking.forEach(each -> tell(ProblemId.BAD_VALIDATION, each, unusable.getMessage()));
        } catch (LinkageError absent) {
            LOG.debug("Bean Validation cannot be loaded", absent);
            asking.forEach(each -> tell(ProblemId.VALIDATION_ABSENT, each, NOBODY));
        }
        return PayloadCheck.NONE;
    }

    private void tell(ProblemId id, ConsigneeExtension.Deployed deployed, @Nullable String why) {
        Declaration declaration = deployed.found().declaration();
        problems.add(new Problem(
                id,
                Place.of(declaration),
                "",
                "the payload of subscriber " + Quoted.of(declaration.name()) + " is @Valid, but " + why,
                ""));
    }

    Jsonb jsonb() {
        return jsonb;
    }

    Codecs codecs() {
        return codecs;
    }

    /** What looks at the payloads of a handler. */
    PayloadCheck check(HandlerMethod handler) {
        return handler.validated() ? validation : PayloadCheck.NONE;
    }

    /** Closes what is ours, and lets go of the application's. */
    @Override
    public void close() {
        toClose.forEach(Payloads::close);
        close(own::release);
    }

    private static void close(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception e) {
            LOG.debug("{} could not be closed", each, e);
        }
    }
}

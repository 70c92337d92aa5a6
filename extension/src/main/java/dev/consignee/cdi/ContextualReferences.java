package dev.consignee.cdi;

import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.discovery.HandlerMethod;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.AmbiguousResolutionException;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the contextual reference that each handler is called through; what cannot be called is a problem. */
final class ContextualReferences {

    private final BeanManager beans;
    private final List<Problem> problems;

    ContextualReferences(BeanManager beans, List<Problem> problems) {
        this.beans = beans;
        this.problems = problems;
    }

    Optional<ContextualHandlers> of(ConsigneeExtension.Deployed deployed, HandlerMethod handler) {
        Bean<?> bean = deployed.bean();
        Optional<Class<?>> type = callableType(bean, handler);
        if (type.isEmpty()) {
            problems.add(notCallable(deployed, "its bean types, " + bean.getTypes() + ", do not have the method"));
            return Optional.empty();
        }
        try {
            handler.method().setAccessible(true);
            if (beans.isNormalScope(bean.getScope())) {
                // A client proxy, which finds the instance of the moment; this makes none.
                Object proxy = beans.getReference(bean, type.get(), beans.createCreationalContext(bean));
                return Optional.of(new ContextualHandlers(beans, bean, handler, type.get(), Optional.of(proxy), false));
            }
            boolean oneForEachCall = bean.getScope() == Dependent.class;
            return Optional.of(
                    new ContextualHandlers(beans, bean, handler, type.get(), Optional.empty(), oneForEachCall));
        } catch (RuntimeException refused) {
            problems.add(notCallable(deployed, refused.toString()));
            return Optional.empty();
        }
    }

    /** The one of several beans that CDI would inject; null where there is none, or it cannot tell. */
    static @Nullable Bean<?> preferred(BeanManager beans, Set<Bean<?>> found) {
        try {
            return beans.resolve(found);
        } catch (AmbiguousResolutionException cannotTell) {
            return null;
        }
    }

    private static Optional<Class<?>> callableType(Bean<?> bean, HandlerMethod handler) {
        if (bean.getTypes().contains(bean.getBeanClass())) {
            return Optional.of(bean.getBeanClass());
        }
        Class<?> declaring = handler.method().getDeclaringClass();
        return bean.getTypes().contains(declaring) ? Optional.of(declaring) : Optional.empty();
    }

    private static Problem notCallable(ConsigneeExtension.Deployed deployed, String why) {
        return new Problem(
                ProblemId.NOT_CALLABLE,
                Place.of(deployed.found().declaration()),
                "",
                "the bean cannot be called: " + why,
                "");
    }
}

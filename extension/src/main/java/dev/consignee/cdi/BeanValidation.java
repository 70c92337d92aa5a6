package dev.consignee.cdi;

import dev.consignee.declaration.Quoted;
import dev.consignee.engine.PayloadCheck;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.AmbiguousResolutionException;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.NoProviderFoundException;
import jakarta.validation.Path;
import jakarta.validation.Validation;
import jakarta.validation.ValidationException;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Has Bean Validation look at payloads. The one class that refers to it: it may be absent, and then this class is not
 * loaded, unless a payload is {@code @Valid}.
 *
 * @see <a href="https://jakarta.ee/specifications/bean-validation/3.0/">Jakarta Bean Validation 3.0</a>
 */
final class BeanValidation implements PayloadCheck, AutoCloseable {

    private static final int MOST_TOLD = 10;

    private final Validator validator;
    private final Runnable onClose;

    private BeanValidation(Validator validator, Runnable onClose) {
        this.validator = validator;
        this.onClose = onClose;
    }

    /**
     * Takes the application's Validator bean, or else the default validator, which is closed with this.
     *
     * @return empty where there is no provider
     * @throws BeanValidationException where there is one, and it cannot be used
     */
    static Optional<BeanValidation> of(BeanManager beans, CreationalContext<?> own) throws BeanValidationException {
        try {
            Bean<?> bean = beans.resolve(beans.getBeans(Validator.class));
            if (bean != null) {
                return Optional.of(
                        new BeanValidation((Validator) beans.getReference(bean, Validator.class, own), () -> {}));
            }
            ValidatorFactory factory = Validation.buildDefaultValidatorFactory();
            return Optional.of(new BeanValidation(factory.getValidator(), factory::close));
        } catch (NoProviderFoundException none) {
            return Optional.empty();
        } catch (AmbiguousResolutionException several) {
            throw new BeanValidationException("CDI prefers none of several Validator beans", several);
        } catch (ValidationException broken) {
            throw new BeanValidationException("Bean Validation does not start: " + broken, broken);
        }
    }

    @Override
    public Optional<String> objection(Object payload) {
        SortedSet<String> violations = new TreeSet<>();
        check(payload, "", violations);
        if (violations.isEmpty()) {
            return Optional.empty();
        }
        String told = violations.stream().limit(MOST_TOLD).collect(Collectors.joining("; "));
        int untold = violations.size() - MOST_TOLD;
        return Optional.of("the payload is not valid: " + told + (untold > 0 ? "; and " + untold + " more" : ""));
    }

    /** As for a parameter with {@code @Valid}, the elements of a container are looked at, and it is not itself. */
    private void check(Object payload, String path, Set<String> violations) {
        if (payload instanceof Object[] array) {
            checkElements(Arrays.asList(array), path, violations);
        } else if (payload instanceof Iterable<?> elements) {
            checkElements(elements, path, violations);
        } else if (payload instanceof Map<?, ?> map) {
            map.values().stream().filter(each -> each != null).forEach(each -> check(each, path + "[]", violations));
        } else {
            validator.validate(payload).forEach(each -> violations.add(text(path, each)));
        }
    }

    private void checkElements(Iterable<?> elements, String path, Set<String> violations) {
        int index = 0;
        for (Object element : elements) {
            if (element != null) {
                check(element, path + "[" + index + "]", violations);
            }
            index++;
        }
    }

    private static String text(String container, ConstraintViolation<?> violation) {
        String path = join(container, path(violation.getPropertyPath()));
        return (path.isEmpty() ? "" : path + " ") + Quoted.plain(violation.getMessage());
    }

    /** The path without the keys of maps, which are values of the payload. */
    private static String path(Path path) {
        String text = "";
        for (Path.Node node : path) {
            if (node.isInIterable()) {
                text += node.getIndex() == null ? "[]" : "[" + node.getIndex() + "]";
            }
            text = join(text, node.getName() == null || node.getName().startsWith("<") ? "" : node.getName());
        }
        return text;
    }

    private static String join(String path, String rest) {
        boolean dot = !path.isEmpty() && !rest.isEmpty() && !rest.startsWith("[");
        return path + (dot ? "." : "") + rest;
    }

    @Override
    public void close() {
        onClose.run();
    }
}

package dev.consignee.declaration;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One subscriber, as it is declared: right or wrong. A neutral model, made from a compiler's elements, from reflection,
 * and once more with configuration laid over the annotation.
 *
 * @param beanClass the qualified name of the bean's class, which may have inherited the method
 * @param methodName the method's name
 * @param modifiers those of the method's modifiers that matter
 * @param parameters the types of its parameters, with the type variables of generic superclasses bound
 * @param returns its return type
 * @param scope the bean's scope
 * @param settings what is written for which attribute; what is not written is not there
 */
public record Declaration(
        String beanClass,
        String methodName,
        Set<Modifier> modifiers,
        List<Shape> parameters,
        Shape returns,
        Scope scope,
        Map<Attribute, Setting> settings) {

    /**
     * Copies the collections.
     *
     * @param beanClass the bean's class
     * @param methodName the method's name
     * @param modifiers the method's modifiers
     * @param parameters the types of its parameters
     * @param returns its return type
     * @param scope the bean's scope
     * @param settings what is written
     */
    public Declaration {
        EnumSet<Modifier> sortedModifiers = EnumSet.noneOf(Modifier.class);
        sortedModifiers.addAll(modifiers);
        modifiers = Collections.unmodifiableSet(sortedModifiers);
        parameters = List.copyOf(parameters);
        EnumMap<Attribute, Setting> sortedSettings = new EnumMap<>(Attribute.class);
        sortedSettings.putAll(settings);
        settings = Collections.unmodifiableMap(sortedSettings);
    }

    /**
     * Returns the subscriber's name: what is written, or the method's name in kebab case.
     *
     * @return the key under {@code consignee.subscriber.}
     */
    public String name() {
        return setting(Attribute.NAME).map(Setting::text).orElseGet(() -> Names.kebab(methodName));
    }

    /**
     * Returns the method as a reader would look for it.
     *
     * @return simple names, such as {@code Warehouse.pick(Shipment)}
     */
    public String method() {
        return parameters.stream()
                .map(Shape::text)
                .collect(Collectors.joining(", ", Names.simple(beanClass) + "." + methodName + "(", ")"));
    }

    /**
     * Returns what is written for an attribute.
     *
     * @param attribute the attribute
     * @return the setting; empty where nothing is written
     */
    public Optional<Setting> setting(Attribute attribute) {
        return Optional.ofNullable(settings.get(attribute));
    }

    /**
     * Returns the text that holds for an attribute.
     *
     * @param attribute the attribute
     * @return what is written, or the built-in default; empty where there is neither
     */
    public Optional<String> text(Attribute attribute) {
        return setting(attribute).map(Setting::text).or(attribute::defaultText);
    }

    /**
     * Replaces the settings.
     *
     * @param others what to put in their place
     * @return the same method with other settings
     */
    public Declaration withSettings(Map<Attribute, Setting> others) {
        return new Declaration(beanClass, methodName, modifiers, parameters, returns, scope, others);
    }

    /** The addresses that are written, in the order of the attributes. */
    List<Attribute> addresses() {
        return settings.keySet().stream().filter(Attribute::isAddress).toList();
    }

    /** Whether the text that holds for a truth value is "true"; a wrong one is not. */
    boolean isTrue(Attribute attribute) {
        return text(attribute).flatMap(Kind.TruthValue::parse).orElse(false);
    }
}

package dev.consignee.discovery;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which methods a class has, its superclasses and interfaces included, and which of them override which (the Java Language
 * Specification, §8.4.8).
 */
final class Inheritance {

    private final Class<?> beanClass;
    private final TypeVariables variables;

    Inheritance(Class<?> beanClass) {
        this.beanClass = beanClass;
        this.variables = TypeVariables.of(beanClass);
    }

    List<Method> methods(Predicate<Method> annotated) {
        List<Method> moreSpecific = new ArrayList<>();
        List<Method> handlers = new ArrayList<>();
        for (Class<?> type : mostSpecificFirst()) {
            List<Method> declared = declared(type);
            for (Method method : declared) {
                if (annotated.test(method) && counts(method, moreSpecific, annotated)) {
                    handlers.add(method);
                }
            }
            moreSpecific.addAll(declared);
        }
        return handlers;
    }

    private boolean counts(Method method, List<Method> moreSpecific, Predicate<Method> annotated) {
        boolean isAbstract = Modifier.isAbstract(method.getModifiers());
        return moreSpecific.stream()
                .filter(other -> !isAbstract || annotated.test(other))
                .noneMatch(other -> overrides(other, method));
    }

    /** The class, its superclasses, then all interfaces, each before those that it extends. */
    private List<Class<?>> mostSpecificFirst() {
        List<Class<?>> classes = new ArrayList<>();
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> type = beanClass; type != null && type != Object.class; type = type.getSuperclass()) {
            if (!type.isInterface()) {
                classes.add(type);
            }
            collectInterfaces(type, interfaces);
        }
        List<Class<?>> remaining = new ArrayList<>(interfaces);
        while (!remaining.isEmpty()) {
            Class<?> next = remaining.stream()
                    .filter(candidate -> remaining.stream()
                            .noneMatch(other -> other != candidate && candidate.isAssignableFrom(other)))
                    .findFirst()
                    .orElseThrow();
            classes.add(next);
            remaining.remove(next);
        }
        return classes;
    }

    private static void collectInterfaces(Class<?> type, Set<Class<?>> interfaces) {
        if (type.isInterface()) {
            interfaces.add(type);
        }
        for (Class<?> parent : type.getInterfaces()) {
            collectInterfaces(parent, interfaces);
        }
    }

    /** Reflection lists methods in no order; ours is the same at each start. */
    private static List<Method> declared(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isBridge() && !method.isSynthetic())
                .sorted(Comparator.comparing(Method::getName)
                        .thenComparing(method -> Arrays.toString(method.getParameterTypes())))
                .toList();
    }

    private boolean overrides(Method specific, Method general) {
        return specific.getName().equals(general.getName())
                && specific.getParameterCount() == general.getParameterCount()
                && isOverridable(specific)
                && isOverridable(general)
                && reaches(specific, general)
                && sameParameters(specific, general);
    }

    private static boolean isOverridable(Method method) {
        return (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) == 0;
    }

    private static boolean reaches(Method specific, Method general) {
        Class<?> owner = general.getDeclaringClass();
        if (owner.isInterface()) { // a class goes before an interface, an interface before those that it extends
            return !specific.getDeclaringClass().isInterface() || owner.isAssignableFrom(specific.getDeclaringClass());
        }
        boolean packagePrivate = (general.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0;
        return !packagePrivate || samePackage(specific.getDeclaringClass(), owner);
    }

    private static boolean samePackage(Class<?> one, Class<?> other) {
        return one.getPackageName().equals(other.getPackageName()) && one.getClassLoader() == other.getClassLoader();
    }

    /** The same once type variables are bound, or the same as the other's erasure (§8.4.2). */
    private boolean sameParameters(Method specific, Method general) {
        List<Class<?>> parameters = boundParameters(specific);
        return parameters.equals(boundParameters(general)) || parameters.equals(List.of(general.getParameterTypes()));
    }

    private List<Class<?>> boundParameters(Method method) {
        List<Class<?>> parameters = new ArrayList<>();
        for (var type : method.getGenericParameterTypes()) {
            parameters.add(TypeVariables.erasure(variables.bind(type)));
        }
        return parameters;
    }
}

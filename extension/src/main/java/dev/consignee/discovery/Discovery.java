package dev.consignee.discovery;

import dev.consignee.Delivery;
import dev.consignee.Subscriber;
import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.Modifier;
import dev.consignee.declaration.Rules;
import dev.consignee.declaration.Scope;
import dev.consignee.declaration.Shape;
import dev.consignee.discovery.HandlerMethod.Result;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Makes data of {@code @Subscriber} methods. A wrong one is data too: the rules tell what is wrong with it. */
public final class Discovery {

    private Discovery() {}

    /**
     * Reads one method.
     *
     * @param beanClass the bean's class
     * @param method the method, declared by the bean's class or by one that it inherits from
     * @param subscriber its annotation
     * @param scope the bean's scope
     * @return the declaration, and the handler where the signature is legal
     */
    public static Found read(Class<?> beanClass, Method method, Subscriber subscriber, Scope scope) {
        TypeVariables variables = TypeVariables.of(beanClass);
        List<Type> parameters = Arrays.stream(method.getGenericParameterTypes())
                .map(variables::bind)
                .toList();
        Declaration declaration = new Declaration(
                beanClass.getName(),
                method.getName(),
                modifiers(method),
                parameters.stream().map(Shapes::of).toList(),
                Shapes.of(variables.bind(method.getGenericReturnType())),
                scope,
                Written.settings(subscriber));
        Optional<HandlerMethod> handler = Rules.signature(declaration).isEmpty()
                ? Optional.of(handler(beanClass, method, parameters, declaration, subscriber))
                : Optional.empty();
        return new Found(declaration, handler);
    }

    private static HandlerMethod handler(
            Class<?> beanClass, Method method, List<Type> parameters, Declaration declaration, Subscriber subscriber) {
        int delivery = IntStream.range(0, parameters.size())
                .filter(index -> parameters.get(index) == Delivery.class)
                .findFirst()
                .orElse(-1);
        int payload = delivery == 0 ? 1 : 0;
        Result result = declaration.returns() instanceof Shape.Nothing ? Result.VOID : Result.OUTCOME;
        return new HandlerMethod(
                beanClass, method, payload, delivery, parameters.get(payload), result, List.of(subscriber.dropOn()));
    }

    private static Set<Modifier> modifiers(Method method) {
        Set<Modifier> modifiers = EnumSet.noneOf(Modifier.class);
        if (java.lang.reflect.Modifier.isStatic(method.getModifiers())) {
            modifiers.add(Modifier.STATIC);
        }
        if (java.lang.reflect.Modifier.isPrivate(method.getModifiers())) {
            modifiers.add(Modifier.PRIVATE);
        }
        if (java.lang.reflect.Modifier.isAbstract(method.getModifiers())) {
            modifiers.add(Modifier.ABSTRACT);
        }
        return modifiers;
    }

    /**
     * Lists the methods of a bean's class that {@code @Subscriber} stands on.
     *
     * @param beanClass the bean's class
     * @return its handlers, right and wrong, as {@link #handlerMethods(Class, Predicate)} finds them
     */
    public static List<Method> handlerMethods(Class<?> beanClass) {
        return handlerMethods(beanClass, method -> method.isAnnotationPresent(Subscriber.class));
    }

    /**
     * Lists the methods of a bean's class that are handlers.
     *
     * <p>Inherited methods count, default methods of interfaces too. Of methods that override each other only the most
     * specific one counts, whether or not it is annotated: an override without the annotation takes the subscription
     * away. Private, static and abstract methods are listed as well, wherever they are declared, for the rules to refuse:
     * an abstract one unless its implementation is a handler. What the compiler made is not.
     *
     * @param beanClass the bean's class
     * @param annotated tells whether a method is annotated; a container may know more than reflection does
     * @return the methods, those of the bean's class first, by name and parameters within a class
     */
    public static List<Method> handlerMethods(Class<?> beanClass, Predicate<Method> annotated) {
        return new Inheritance(beanClass).methods(annotated);
    }
}

package dev.consignee.discovery;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a class binds the type variables of its generic superclasses and interfaces to. */
final class TypeVariables {

    private final Map<TypeVariable<?>, Type> bindings = new HashMap<>();

    private TypeVariables() {}

    static TypeVariables of(Class<?> type) {
        TypeVariables variables = new TypeVariables();
        variables.collect(type);
        return variables;
    }

    private void collect(Class<?> type) {
        Type superclass = type.getGenericSuperclass();
        if (superclass != null) {
            collectParent(superclass);
        }
        for (Type parent : type.getGenericInterfaces()) {
            collectParent(parent);
        }
    }

    private void collectParent(Type parent) {
        if (parent instanceof ParameterizedType parameterized) {
            TypeVariable<?>[] variables = erasure(parent).getTypeParameters();
            Type[] arguments = parameterized.getActualTypeArguments();
            for (int i = 0; i < variables.length; i++) {
                bindings.put(variables[i], bind(arguments[i]));
            }
        }
        collect(erasure(parent));
    }

    /** Replaces the variables in a type by what they are bound to; a variable that is not bound stays. */
    Type bind(Type type) {
        if (type instanceof TypeVariable<?> variable) {
            return bindings.getOrDefault(variable, variable);
        }
        if (type instanceof ParameterizedType parameterized) {
            Type[] arguments = bindAll(parameterized.getActualTypeArguments());
            return Arrays.equals(arguments, parameterized.getActualTypeArguments())
                    ? type
                    : new BoundType.Parameterized(
                            erasure(type), List.of(arguments), BoundType.Parameterized.owner(parameterized));
        }
        if (type instanceof GenericArrayType array) {
            Type component = bind(array.getGenericComponentType());
            return component instanceof Class<?> elements
                    ? Array.newInstance(elements, 0).getClass()
                    : new BoundType.ArrayOf(component);
        }
        if (type instanceof WildcardType wildcard) {
            return new BoundType.Wildcard(
                    List.of(bindAll(wildcard.getUpperBounds())), List.of(bindAll(wildcard.getLowerBounds())));
        }
        return type;
    }

    private Type[] bindAll(Type[] types) {
        return Arrays.stream(types).map(this::bind).toArray(Type[]::new);
    }

    /** The class of a type at run time. */
    static Class<?> erasure(Type type) {
        if (type instanceof Class<?> raw) {
            return raw;
        }
        if (type instanceof ParameterizedType parameterized) {
            return erasure(parameterized.getRawType());
        }
        if (type instanceof GenericArrayType array) {
            return Array.newInstance(erasure(array.getGenericComponentType()), 0)
                    .getClass();
        }
        if (type instanceof TypeVariable<?> variable) {
            return erasure(variable.getBounds()[0]);
        }
        if (type instanceof WildcardType wildcard) {
            return erasure(wildcard.getUpperBounds()[0]);
        }
        throw new IllegalArgumentException("a type of no known kind: " + type);
    }
}

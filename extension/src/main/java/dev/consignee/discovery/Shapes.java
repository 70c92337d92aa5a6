package dev.consignee.discovery;

import dev.consignee.declaration.Shape;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes the neutral model's types of reflection's. */
final class Shapes {

    private Shapes() {}

    static Shape of(Type type) {
        if (type instanceof Class<?> raw) {
            return ofClass(raw);
        }
        if (type instanceof ParameterizedType parameterized) {
            return declared(
                    TypeVariables.erasure(type),
                    Arrays.stream(parameterized.getActualTypeArguments())
                            .map(Shapes::of)
                            .toList());
        }
        if (type instanceof GenericArrayType array) {
            return new Shape.Array(of(array.getGenericComponentType()));
        }
        if (type instanceof WildcardType wildcard) {
            return wildcard(wildcard);
        }
        if (type instanceof TypeVariable<?> variable) {
            return new Shape.Variable(variable.getName());
        }
        throw new IllegalArgumentException("a type of no known kind: " + type);
    }

    private static Shape ofClass(Class<?> type) {
        if (type == void.class) {
            return new Shape.Nothing();
        }
        if (type.isPrimitive()) {
            return new Shape.Primitive(type.getName());
        }
        return type.isArray() ? new Shape.Array(of(type.getComponentType())) : declared(type, List.of());
    }

    private static Shape declared(Class<?> type, List<Shape> arguments) {
        Set<String> supertypes = new HashSet<>();
        collectSupertypes(type, supertypes);
        return new Shape.Declared(type.getName(), arguments, supertypes);
    }

    private static void collectSupertypes(Class<?> type, Set<String> names) {
        Class<?> superclass = type.getSuperclass();
        if (superclass != null) {
            names.add(superclass.getName());
            collectSupertypes(superclass, names);
        }
        for (Class<?> parent : type.getInterfaces()) {
            names.add(parent.getName());
            collectSupertypes(parent, names);
        }
    }

    private static Shape wildcard(WildcardType wildcard) {
        Type[] lower = wildcard.getLowerBounds();
        if (lower.length > 0) {
            return new Shape.Wildcard("? super ", of(lower[0]));
        }
        Type upper = wildcard.getUpperBounds()[0];
        return new Shape.Wildcard(upper == Object.class ? "?" : "? extends ", of(upper));
    }
}

package dev.consignee.discovery;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Generic types whose type variables have been replaced; what JSON-B asks of them is the interfaces of reflection. */
final class BoundType {

    private BoundType() {}

    record Parameterized(Class<?> raw, List<Type> arguments, Optional<Type> owner) implements ParameterizedType {

        static Optional<Type> owner(ParameterizedType type) {
            return Optional.ofNullable(type.getOwnerType());
        }

        @Override
        public Type[] getActualTypeArguments() {
            return arguments.toArray(Type[]::new);
        }

        @Override
        public Type getRawType() {
            return raw;
        }

        @Override
        public @Nullable Type getOwnerType() {
            return owner.orElse(null);
        }

        @Override
        public String toString() {
            return arguments.stream()
                    .map(Type::getTypeName)
                    .collect(Collectors.joining(", ", raw.getName() + "<", ">"));
        }
    }

    record ArrayOf(Type component) implements GenericArrayType {
        @Override
        public Type getGenericComponentType() {
            return component;
        }

        @Override
        public String toString() {
            return component.getTypeName() + "[]";
        }
    }

    record Wildcard(List<Type> upper, List<Type> lower) implements WildcardType {
        @Override
        public Type[] getUpperBounds() {
            return upper.toArray(Type[]::new);
        }

        @Override
        public Type[] getLowerBounds() {
            return lower.toArray(Type[]::new);
        }

        @Override
        public String toString() {
            return lower.isEmpty()
                    ? "? extends " + upper.get(0).getTypeName()
                    : "? super " + lower.get(0).getTypeName();
        }
    }
}

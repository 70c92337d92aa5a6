package dev.consignee.declaration;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A parameter's or return type, as far as the rules look: made from a compiler's model or from reflection. */
public sealed interface Shape {

    /**
     * Returns the type as a reader would write it.
     *
     * @return the type with simple names, such as {@code List<Shipment>}
     */
    String text();

    /**
     * Tells whether the type depends on a type variable that nothing has bound.
     *
     * @return whether it is open
     */
    default boolean isOpen() {
        return false;
    }

    /**
     * Tells whether the type is the given one or a subtype of it.
     *
     * @param typeName the qualified name of a class or interface
     * @return whether it is; false for all but classes and interfaces
     */
    default boolean isA(String typeName) {
        return false;
    }

    /**
     * A class or interface.
     *
     * @param name its qualified name
     * @param arguments its type arguments
     * @param supertypes the qualified names of all its superclasses and interfaces
     */
    record Declared(String name, List<Shape> arguments, Set<String> supertypes) implements Shape {

        /**
         * Copies the collections.
         *
         * @param name its qualified name
         * @param arguments its type arguments
         * @param supertypes its superclasses and interfaces
         */
        public Declared {
            arguments = List.copyOf(arguments);
            supertypes = Set.copyOf(supertypes);
        }

        @Override
        public String text() {
            return arguments.isEmpty()
                    ? Names.simple(name)
                    : arguments.stream()
                            .map(Shape::text)
                            .collect(Collectors.joining(", ", Names.simple(name) + "<", ">"));
        }

        @Override
        public boolean isOpen() {
            return arguments.stream().anyMatch(Shape::isOpen);
        }

        @Override
        public boolean isA(String typeName) {
            return name.equals(typeName) || supertypes.contains(typeName);
        }
    }

    /**
     * An array.
     *
     * @param component the type of its elements
     */
    record Array(Shape component) implements Shape {
        @Override
        public String text() {
            return component.text() + "[]";
        }

        @Override
        public boolean isOpen() {
            return component.isOpen();
        }
    }

    /**
     * A primitive type.
     *
     * @param name its keyword
     */
    record Primitive(String name) implements Shape {
        @Override
        public String text() {
            return name;
        }
    }

    /**
     * A type variable that nothing has bound.
     *
     * @param name its name
     */
    record Variable(String name) implements Shape {
        @Override
        public String text() {
            return name;
        }

        @Override
        public boolean isOpen() {
            return true;
        }
    }

    /**
     * A wildcard, which stands among type arguments only.
     *
     * @param bounds the keyword and the bound, such as {@code ? extends } before a type
     * @param bound the bounding type; {@code Object} where there is none
     */
    record Wildcard(String bounds, Shape bound) implements Shape {
        @Override
        public String text() {
            return bounds.equals("?") ? bounds : bounds + bound.text();
        }

        @Override
        public boolean isOpen() {
            return bound.isOpen();
        }
    }

    /** The return type of a method that returns nothing. */
    record Nothing() implements Shape {
        @Override
        public String text() {
            return "void";
        }
    }
}

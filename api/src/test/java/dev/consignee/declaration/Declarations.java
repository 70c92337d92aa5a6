package dev.consignee.declaration;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Right declarations for tests, to be made wrong in one way at a time. */
final class Declarations {

    static final Shape SHIPMENT = new Shape.Declared("shop.Shipment", List.of(), Set.of("java.lang.Object"));
    static final Shape DELIVERY = new Shape.Declared("dev.consignee.Delivery", List.of(), Set.of());
    static final Shape OUTCOME = new Shape.Declared("dev.consignee.HandlerOutcome", List.of(), Set.of());
    static final Shape STRING = new Shape.Declared("java.lang.String", List.of(), Set.of("java.lang.Object"));

    private Declarations() {}

    static Declaration pick(Map<Attribute, String> written) {
        return declaration("pick", Set.of(), List.of(SHIPMENT), OUTCOME, Scope.NORMAL, written);
    }

    static Declaration named(String method, Map<Attribute, String> written) {
        return declaration(method, Set.of(), List.of(SHIPMENT), OUTCOME, Scope.NORMAL, written);
    }

    static Declaration method(Set<Modifier> modifiers, List<Shape> parameters, Shape returns, Scope scope) {
        return declaration("pick", modifiers, parameters, returns, scope, Map.of(Attribute.QUEUE, "shipments"));
    }

    static Declaration taking(Shape... parameters) {
        return method(Set.of(), List.of(parameters), OUTCOME, Scope.NORMAL);
    }

    static Declaration returning(Shape returns) {
        return method(Set.of(), List.of(SHIPMENT), returns, Scope.NORMAL);
    }

    private static Declaration declaration(
            String method,
            Set<Modifier> modifiers,
            List<Shape> parameters,
            Shape returns,
            Scope scope,
            Map<Attribute, String> written) {
        Map<Attribute, Setting> settings = new EnumMap<>(Attribute.class);
        written.forEach((attribute, text) -> settings.put(attribute, Setting.annotated(attribute, List.of(text))));
        return new Declaration("shop.Warehouse", method, modifiers, parameters, returns, scope, settings);
    }
}

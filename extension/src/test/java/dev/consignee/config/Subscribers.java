package dev.consignee.config;

import dev.consignee.declaration.Attribute;
import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.Scope;
import dev.consignee.declaration.Setting;
import dev.consignee.declaration.Shape;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Declarations for tests, as an annotation would make them. */
final class Subscribers {

    private Subscribers() {}

    static Declaration method(String name, Map<Attribute, String> written) {
        Map<Attribute, Setting> settings = new EnumMap<>(Attribute.class);
        written.forEach((attribute, text) -> settings.put(attribute, Setting.annotated(attribute, List.of(text))));
        return new Declaration(
                "shop.Warehouse",
                name,
                Set.of(),
                List.of(new Shape.Declared("shop.Shipment", List.of(), Set.of())),
                new Shape.Nothing(),
                Scope.NORMAL,
                settings);
    }
}

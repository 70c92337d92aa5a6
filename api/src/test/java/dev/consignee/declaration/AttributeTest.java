package dev.consignee.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.Subscriber;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttributeTest {

    @Test
    void annotationHasExactlyTheAttributesThatMayStandOnIt() {
        Set<String> onAnnotation = Arrays.stream(Attribute.values())
                .filter(Attribute::onAnnotation)
                .map(Attribute::camelCase)
                .collect(Collectors.toSet());

        assertThat(Arrays.stream(Subscriber.class.getDeclaredMethods()).map(method -> method.getName()))
                .containsExactlyInAnyOrderElementsOf(onAnnotation);
    }

    @ParameterizedTest
    @EnumSource(Attribute.class)
    void defaultsAreLegal(Attribute attribute) {
        assertThat(attribute.defaultText().flatMap(attribute.kind()::objection)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Attribute.class)
    void addressesAndNamesHaveNoCommonDefault(Attribute attribute) {
        boolean ownOnly = attribute.isAddress() || attribute == Attribute.NAME;

        assertThat(attribute.inDefaults()).isEqualTo(!ownOnly);
    }
}

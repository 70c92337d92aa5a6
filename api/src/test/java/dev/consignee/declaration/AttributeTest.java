package dev.consignee.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.Subscriber;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    void addressesNamesAndTypesHaveNoCommonDefault(Attribute attribute) {
        boolean ownOnly = attribute.isAddress() || attribute == Attribute.NAME || attribute == Attribute.DROP_ON;

        assertThat(attribute.inDefaults()).isEqualTo(!ownOnly);
    }

    @ParameterizedTest
    @EnumSource(Attribute.class)
    void whatHasADefaultForAllIsConfiguredForOneToo(Attribute attribute) {
        assertThat(attribute.inDefaults() && !attribute.inConfiguration()).isFalse();
    }

    @Test
    void typesAndNamesAreTheAnnotationsAlone() {
        assertThat(Arrays.stream(Attribute.values()).filter(attribute -> !attribute.inConfiguration()))
                .containsExactly(Attribute.NAME, Attribute.DROP_ON);
    }

    @ParameterizedTest
    @EnumSource(Attribute.class)
    void onlyTypesOfExceptionsMayBeSeveral(Attribute attribute) {
        assertThat(attribute.takesSeveral()).isEqualTo(attribute == Attribute.DROP_ON);
    }

    @ParameterizedTest
    @CsvSource({
        "MAX_ATTEMPTS, ''",
        "DEAD_LETTER, ''",
        "BACKOFF, ''",
        "DROP_ON, ''",
        "DELAYED_RETRY, IN_PROCESS",
        "ON_STOP, PUBLISH",
        "MAX_WAITING_COPIES, 10000",
        "ATTEMPT_SOURCE, HEADER"
    })
    void retriesHaveTheirDefaults(Attribute attribute, String text) {
        assertThat(attribute.defaultText().orElse("")).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "QUEUE, a, queue = \"a\"",
        "DEAD_LETTER, topic:a, deadLetter = \"topic:a\"",
        "BACKOFF, 1s..5m, backoff = \"1s..5m\"",
        "MAX_ATTEMPTS, 5, maxAttempts = 5",
        "SHARED, true, shared = true",
        "ON_EXCEPTION, DROP, onException = DROP",
        "DROP_ON, java.io.IOException, dropOn = IOException.class"
    })
    void whatIsWrittenOnTheAnnotationIsShownAsJava(Attribute attribute, String text, String shown) {
        assertThat(Setting.annotated(attribute, List.of(text)).origin()).isEqualTo("@Subscriber(" + shown + ")");
    }

    @Test
    void severalTypesAreShownInBraces() {
        assertThat(Setting.annotated(Attribute.DROP_ON, List.of("shop.Wrong", "shop.Api$Gone"))
                        .origin())
                .isEqualTo("@Subscriber(dropOn = {Wrong.class, Gone.class})");
    }
}

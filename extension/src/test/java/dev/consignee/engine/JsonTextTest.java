package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " {\"a\":[1,2,{\"b\":\"}]\"}]} \r\n\t",
                "[]",
                "\"text with } and \\\" in it\"",
                "\"ends in a backslash \\\\\"",
                "17",
                " true ",
                "-1.5e3\n"
            })
    void oneValueIsWhole(String text) {
        assertThatCode(() -> JsonText.check(text)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}{}",
                "{\"a\":1}}",
                "{\"a\":1}, shipped by night run",
                "[1] [2]",
                "\"a\" \"b\"",
                "\"a\"b",
                "1 2",
                "true false",
                "{} x"
            })
    void whatFollowsTheValueIsRefused(String text) {
        assertThatThrownBy(() -> JsonText.check(text))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("goes on after its JSON value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[1,", "\"never ends", "\"never ends \\", "{\"a"})
    void whatNeverEndsIsLeftToTheParser(String text) {
        assertThatCode(() -> JsonText.check(text)).doesNotThrowAnyException();
    }

    @Test
    void nestingIsBounded() {
        String fits = "[".repeat(JsonText.DEEPEST) + "]".repeat(JsonText.DEEPEST);
        assertThatCode(() -> JsonText.check(fits)).doesNotThrowAnyException();
        assertThatThrownBy(() -> JsonText.check("[" + fits + "]"))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("nested deeper than 200");
        assertThatThrownBy(() -> JsonText.check("[".repeat(1_000_000))).isInstanceOf(DecodeException.class);
    }
}

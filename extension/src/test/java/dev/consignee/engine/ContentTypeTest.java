package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentTypeTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json|application/json",
                "Application/JSON|application/json",
                "' application/json ; a=b'|application/json",
                "text/plain;|text/plain",
                "''|''",
                ";charset=x|''",
                "nonsense|nonsense"
            })
    void mediaTypeHasNoParametersAndNoCase(String text, String mediaType) {
        assertThat(ContentType.parse(text).mediaType()).isEqualTo(mediaType);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain;charset=utf-16",
                "text/plain; charset=utf-16",
                "text/plain;CHARSET=utf-16",
                "text/plain; charset=\"utf-16\"",
                "text/plain; charset = \"utf-16\" ; a=b",
                "text/plain; a=b; charset=utf-16",
                "text/plain; charset=utf-16; charset=utf-8",
                "text/plain; title=\"a; charset=utf-8\"; charset=utf-16",
                "text/plain; title=\"a \\\" ; charset=utf-8\"; charset=utf-16",
                "text/plain; charset=\"u\\tf-16\"",
                ";charset=utf-16"
            })
    void charsetIsTheFirstParameterOfThatName(String text) {
        assertThat(ContentType.parse(text).charset()).contains("utf-16");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "text/plain; charset",
                "text/plain; charset=",
                "text/plain; charset=\"\"",
                "text/plain; xcharset=utf-16",
                "text/plain; title=\"charset=utf-16",
                "text/plain; title=\"; charset=utf-16\"",
                "charset=utf-16",
                ";;;",
                "\"\\"
            })
    void charsetIsEmptyWhereNoneIsNamed(String text) {
        assertThat(ContentType.parse(text).charset()).isEmpty();
    }

    @Test
    void codecIsFoundByMediaTypeAlone() {
        Codecs codecs = new Codecs(Map.of("Application/X", new BodyCornersTest.Reversing()));
        assertThat(codecs.of("application/x; charset=utf-8")).isPresent();
        assertThat(codecs.of("APPLICATION/X")).isPresent();
        assertThat(codecs.of("application/xy")).isEmpty();
        assertThat(codecs.of("")).isEmpty();
    }
}

package dev.consignee.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemTest {

    @Test
    void idsAreUnique() {
        assertThat(Arrays.stream(ProblemId.values()).map(ProblemId::id)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(ProblemId.class)
    void catalogueHasACauseAndACureForEachId(ProblemId id) {
        assertThat(id.id()).matches("CONS01[0-9]{2}");
        assertThat(id.cause()).endsWith(".");
        assertThat(id.cure()).endsWith(".");
    }

    @Test
    void problemWithoutOriginAndLegalValuesHasNoGapsInItsText() {
        Problem problem = new Problem(ProblemId.UNKNOWN_KEY, Place.CONFIGURATION, "", "'consignee.x' is no key", "");

        assertThat(problem.text()).isEqualTo("""
            CONS0152: 'consignee.x' is no key.
                      Correct the key, take it out, or ignore this.\
            """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://joe:sesame@host",
                "amqp://joe:ses@me/sesame@host",
                "failover:(amqp://joe:sesame@a,amqp://joe:sesame@b)",
                "amqps:joe:sesame@host",
                "amqp://host?jms.password=sesame",
                "amqp://host?transport.trustStorePassword=sesame&amqp.idleTimeout=1"
            })
    void credentialsAreNotShown(String text) {
        assertThat(Quoted.of(text)).doesNotContain("sesame").contains("***");
    }

    @Test
    void strangeCharactersCannotForgeALine() {
        assertThat(Quoted.of("a\nCONS0101: b\u001b[0m\u202e")).isEqualTo("'a\\u000aCONS0101: b\\u001b[0m\\u202e'");
    }

    @Test
    void longTextsAreCut() {
        assertThat(Quoted.plain("x".repeat(1000))).hasSize(201).endsWith("…");
    }
}

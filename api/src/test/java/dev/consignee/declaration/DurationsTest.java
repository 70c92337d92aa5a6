package dev.consignee.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "50ms, PT0.05S",
        "2s, PT2S",
        "5m, PT5M",
        "1h, PT1H",
        "1d, P1D",
        "0s, PT0S",
        " 2s , PT2S",
        "PT1M30S, PT1M30S",
        "pt0.5s, PT0.5S",
        "24d, P24D"
    })
    void durationsAreReadInBothForms(String text, Duration duration) {
        assertThat(Durations.parse(text)).contains(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "s",
                "-1s",
                "1.5s",
                "1 s",
                "1S",
                "1w",
                "PT-1S",
                "25d",
                "99999999999999999999ms",
                "9223372036854775807d",
                "9223372036854775807ms",
                "P10000000000000000D",
                "none",
                "٣s"
            })
    void whatIsNoDurationOrOutOfRangeIsRefused(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }
}

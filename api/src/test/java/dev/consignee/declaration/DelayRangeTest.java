package dev.consignee.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelayRangeTest {

    @ParameterizedTest
    @CsvSource({
        "1s..5m, PT1S, PT5M",
        "50ms..50ms, PT0.05S, PT0.05S",
        "PT0.5S..PT1.5S, PT0.5S, PT1.5S",
        "1s..PT1M, PT1S, PT1M",
        "1ms..24d, PT0.001S, P24D",
        "' 1s .. 2s ', PT1S, PT2S"
    })
    void rangeIsTwoDurations(String text, Duration least, Duration greatest) {
        assertThat(DelayRange.parse(text)).contains(new DelayRange(least, greatest));
        assertThat(new Kind.Backoff().objection(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', not two durations",
        "1s, not two durations",
        "1s-5m, not two durations",
        "1s.5m, not two durations",
        ".., '' is no duration",
        "1s.., '' is no duration",
        "..5m, '' is no duration",
        "1s...5m, '.5m' is no duration",
        "1s..5m..9m, '5m..9m' is no duration",
        "1..5m, '1' is no duration",
        "1s..25d, '25d' is no duration",
        "-1s..5m, '-1s' is no duration",
        "PT-1S..5m, 'PT-1S' is no duration",
        "0s..5m, the first delay is zero",
        "0s..0s, the first delay is zero",
        "5m..1s, the first delay is longer than the longest",
        "${x}, not two durations"
    })
    void whatIsNoRangeIsRefusedWithTheReason(String text, String reason) {
        assertThat(DelayRange.parse(text)).isEmpty();
        assertThat(Rules.check(Declarations.pick(Map.of(Attribute.QUEUE, "q", Attribute.BACKOFF, text))))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.id()).isEqualTo(ProblemId.BAD_BACKOFF);
                    assertThat(problem.text())
                            .contains(
                                    "backoff of subscriber 'pick' is '" + text + "': " + reason,
                                    "Legal: two durations, min..max, such as 1s..5m");
                });
    }

    @Test
    void rangeThatIsNoneCannotBeMade() {
        assertThatThrownBy(() -> new DelayRange(Duration.ZERO, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DelayRange(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

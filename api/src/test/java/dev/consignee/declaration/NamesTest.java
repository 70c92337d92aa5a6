package dev.consignee.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTest {

    @ParameterizedTest
    @CsvSource({
        "pick, pick",
        "logPick, log-pick",
        "LogPick, log-pick",
        "onHTTPError, on-http-error",
        "HTTPServer, http-server",
        "onJSON, on-json",
        "readURLs, read-urls",
        "readIDsNow, read-ids-now",
        "xAxis, x-axis",
        "aB, a-b",
        "pick2, pick2",
        "pick2Items, pick2-items",
        "sha256Sum, sha256-sum",
        "on2ndTry, on2nd-try",
        "http2Server, http2-server",
        "HTTP2Server, http2-server",
        "B2BOrder, b2-b-order",
        "log_pick, log-pick",
        "LOG_PICK, log-pick",
        "_pick$1, pick-1",
        "__, __",
        "größeÄndern, größe-ändern",
        "注文, 注文"
    })
    void methodNamesBecomeKebabCase(String method, String name) {
        assertThat(Names.kebab(method)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "credits, credit",
        "creidt, credit",
        "on-excepton, on-exception",
        "max-attemps, max-attempts",
        "concurrency, ''",
        "x, ''"
    })
    void nearestNameIsSuggestedOnlyWhereItIsNear(String wrong, String nearest) {
        assertThat(Nearest.of(wrong, Attribute.keys()).orElse("")).isEqualTo(nearest);
    }

    @Test
    void attributesHaveTheirNamesInBothPlaces() {
        assertThat(Attribute.ON_DECODE_ERROR.key()).isEqualTo("on-decode-error");
        assertThat(Attribute.ON_DECODE_ERROR.camelCase()).isEqualTo("onDecodeError");
        assertThat(Attribute.MAX_ATTEMPTS.camelCase()).isEqualTo("maxAttempts");
        assertThat(Attribute.ofKey("name")).isEmpty();
        assertThat(Attribute.ofKey("drop-on")).isEmpty();
        assertThat(Attribute.keys())
                .isEqualTo(List.of(
                        "value",
                        "queue",
                        "topic",
                        "broker",
                        "durable",
                        "shared",
                        "selector",
                        "credit",
                        "settle",
                        "max-attempts",
                        "dead-letter",
                        "on-exception",
                        "backoff",
                        "on-decode-error",
                        "enabled",
                        "delayed-retry",
                        "on-stop",
                        "max-waiting-copies",
                        "attempt-source",
                        "max-message-size"));
    }
}

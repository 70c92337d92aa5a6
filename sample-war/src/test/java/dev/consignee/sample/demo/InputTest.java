package dev.consignee.sample.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the demo is given: options, the broker's URL, and bodies. */
class InputTest {

    @Test
    void optionsNameAFileAndABroker() {
        Options options =
                Options.of(Map.of("warehouse.shipments", "mine.jsonl", "warehouse.url", "amqp://broker:5672"));

        assertThat(options.shipments()).isEqualTo(Path.of("mine.jsonl"));
        assertThat(options.url()).contains("amqp://broker:5672");
    }

    @Test
    void emptyOptionsAreNone() {
        Options options = Options.of(Map.of("warehouse.shipments", "", "warehouse.url", " "));

        assertThat(options).isEqualTo(Options.of(Map.of()));
        assertThat(options.shipments()).exists();
        assertThat(options.url()).isEmpty();
    }

    @Test
    void userInfoIsTakenOutOfTheUrl() {
        assertThat(Endpoint.of("amqp://anna:secret@broker:5672?amqp.idleTimeout=5000"))
                .isEqualTo(new Endpoint("amqp://broker:5672?amqp.idleTimeout=5000", "anna", "secret"));
    }

    @Test
    void urlWithoutUserInfoMeansTheConfiguredUser() {
        assertThat(Endpoint.of("amqp://broker:5672"))
                .isEqualTo(new Endpoint("amqp://broker:5672", "artemis", "artemis"));
    }

    @Test
    void everyLineIsABody() {
        assertThat(bodies("one\ntwo\r\n\n\"\"\nlast")).containsExactly("one", "two", "", "\"\"", "last");
        assertThat(bodies("one\n")).containsExactly("one");
        assertThat(bodies("")).isEmpty();
    }

    @Test
    void theSampleHasAThousandBodies() throws Exception {
        List<byte[]> bodies = Bodies.of(Options.of(Map.of()).shipments());

        assertThat(bodies).hasSize(1000).doesNotContain(new byte[0]);
    }

    private static List<String> bodies(String text) {
        return Bodies.lines(text.getBytes(UTF_8)).stream()
                .map(body -> new String(body, UTF_8))
                .toList();
    }
}

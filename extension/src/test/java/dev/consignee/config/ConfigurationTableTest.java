package dev.consignee.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.declaration.Attribute;
import dev.consignee.diagnostics.ManualPage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConfigurationTableTest {

    @Test
    void manualHasTheAttributesOfTheCode() throws IOException {
        Stream<String> head = Stream.of(
                ManualPage.row("annotation", "key", "values", "default", "`consignee.defaults.`", "remarks"),
                "|---|---|---|---|---|---|");
        List<String> table = Stream.concat(
                        head, Arrays.stream(Attribute.values()).map(ConfigurationTableTest::row))
                .toList();

        ManualPage.of("configuration.md").assertGenerated("attributes", table);
    }

    private static String row(Attribute attribute) {
        return ManualPage.row(
                attribute.onAnnotation() ? ManualPage.code(attribute.camelCase()) : "no",
                attribute.inConfiguration() ? ManualPage.code(attribute.key()) : "no",
                ManualPage.plain(attribute.kind().legal()),
                attribute.defaultText().map(ManualPage::code).orElse("none"),
                attribute.inDefaults() ? "yes" : "no",
                remarks(attribute));
    }

    private static String remarks(Attribute attribute) {
        return Stream.of(
                        attribute.isAddress() ? "one of the three" : "",
                        attribute.onlyForTopics() ? "topics only" : "",
                        attribute.takesSeveral() ? "one or several" : "",
                        attribute.expanded() ? "`${…}` on the annotation" : "")
                .filter(remark -> !remark.isEmpty())
                .collect(Collectors.joining("; "));
    }

    @Test
    void manualHasTheKeysOfTheCode() throws IOException {
        Stream<String> head = Stream.of(ManualPage.row("key", "of", "values", "default"), "|---|---|---|---|");
        List<String> table = Stream.concat(head, Arrays.stream(Key.values()).map(ConfigurationTableTest::row))
                .toList();

        ManualPage.of("configuration.md").assertGenerated("keys", table);
    }

    private static String row(Key key) {
        return ManualPage.row(
                ManualPage.code(key.key()),
                Key.ofBrokers().contains(key.key()) ? "broker" : "application",
                ManualPage.plain(key.legal()),
                key.defaultText().map(ManualPage::code).orElse("none"));
    }

    @Test
    void manualSaysWhatEachAttributeIsFor() throws IOException {
        String byHand = ManualPage.of("configuration.md").without("attributes");
        assertThat(Attribute.values())
                .allSatisfy(attribute -> assertThat(byHand).contains("\n| `" + attribute.key() + "` | "));
    }
}

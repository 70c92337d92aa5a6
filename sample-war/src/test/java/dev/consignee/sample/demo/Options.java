package dev.consignee.sample.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What the demo is asked for.
 *
 * @param shipments a file, each line of which is the body of one message
 * @param url an external broker; empty for one of the demo's own
 */
record Options(Path shipments, Optional<String> url) {

    private static final Path SHIPMENTS = Path.of("data", "shipments.jsonl");

    /** Reads {@code warehouse.shipments} and {@code warehouse.url}; an empty value is none. */
    static Options of(Map<?, ?> properties) {
        return new Options(
                text(properties, "warehouse.shipments").map(Path::of).orElseGet(Options::shippedWithTheSample),
                text(properties, "warehouse.url"));
    }

    /** Maven starts programs in the module or at the top, depending on how. */
    private static Path shippedWithTheSample() {
        return Files.exists(SHIPMENTS) ? SHIPMENTS : Path.of("sample-war").resolve(SHIPMENTS);
    }

    private static Optional<String> text(Map<?, ?> properties, String key) {
        return Optional.ofNullable(properties.get(key)).map(Object::toString).filter(value -> !value.isBlank());
    }
}

package dev.consignee.sample.demo;

import dev.consignee.diagnostics.Diagnostics;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.util.List;
import java.util.Map;

/** The warehouse's beans in a Weld SE container, consuming from when it opens to when it closes. */
final class OpenWarehouse implements AutoCloseable {

    private final Map<String, String> configuration;
    private final SeContainer container;

    private OpenWarehouse(Map<String, String> configuration, SeContainer container) {
        this.configuration = configuration;
        this.container = container;
    }

    /** Starts the container, with its subscriptions at this broker. */
    static OpenWarehouse at(Endpoint endpoint) {
        Map<String, String> configuration = Map.of(
                "consignee.url", endpoint.url(),
                "consignee.username", endpoint.username(),
                "consignee.password", endpoint.password());
        configuration.forEach(System::setProperty);
        return new OpenWarehouse(
                configuration, SeContainerInitializer.newInstance().initialize());
    }

    /** Returns what the extension has counted so far. */
    List<Tally> tallies() {
        return container.select(Diagnostics.class).get().subscriptions().stream()
                .map(Tally::of)
                .toList();
    }

    @Override
    public void close() {
        container.close();
        configuration.keySet().forEach(System::clearProperty);
    }
}

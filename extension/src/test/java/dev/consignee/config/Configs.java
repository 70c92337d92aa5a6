package dev.consignee.config;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.eclipse.microprofile.config.Config;

/** Configurations for tests: one file, and an environment. */
final class Configs {

    private Configs() {}

    static Config of(Map<String, String> properties) {
        return of(properties, Map.of());
    }

    static Config of(Map<String, String> properties, Map<String, String> environment) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(
                        new PropertiesConfigSource(properties, "shop.properties", 100),
                        new EnvConfigSource(environment, 300))
                .build();
    }
}

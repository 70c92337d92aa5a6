package dev.consignee.tck.weld;

import dev.consignee.cdi.ConsigneeExtension;
import dev.consignee.diagnostics.Diagnostics;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.diagnostics.SubscriptionStatus;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.inject.spi.Extension;
import java.lang.annotation.Annotation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/**
 * An application on Weld SE with the extension, its own class loader for configuration, and the beans a test names; as a
 * user's is, but for the discovery of beans.
 */
final class WeldApplication implements AutoCloseable {

    /** The source that a test's configuration comes from, as problems name it. */
    static final String CONFIG_SOURCE = "application.properties";

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    static {
        Awaitility.setDefaultTimeout(PATIENCE); // of all tests with an application: machines are busy
    }

    private final ClassLoader loader;
    private final WeldContainer container;

    private WeldApplication(ClassLoader loader, WeldContainer container) {
        this.loader = loader;
        this.container = container;
    }

    static Builder of(Class<?>... beans) {
        return new Builder(beans);
    }

    /** The one bean of a type. */
    <T> T bean(Class<T> type) {
        return container.select(type).get();
    }

    WeldContainer container() {
        return container;
    }

    ClassLoader loader() {
        return loader;
    }

    SubscriptionStatus status(String name) {
        return bean(Diagnostics.class).subscriptions().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no subscription '" + name + "'"));
    }

    /** Waits until every enabled subscription is attached. */
    WeldApplication awaitAttached() {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> bean(Diagnostics.class).subscriptions().forEach(each -> {
                    if (each.state() != SubscriptionState.ATTACHED && each.state() != SubscriptionState.DISABLED) {
                        throw new AssertionError(each.name() + " is " + each.state());
                    }
                }));
        return this;
    }

    /** Stops the subscriptions as the end of the application does, and leaves the container as it is, to be asked. */
    void stopSubscriptions() {
        container.event().fire(new Shutdown());
    }

    @Override
    public void close() {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            if (container.isRunning()) {
                container.shutdown();
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** What a test configures. */
    static final class Builder {

        private final List<Class<?>> beans;
        private final List<Extension> extensions = new ArrayList<>();
        private final List<Class<?>> interceptors = new ArrayList<>();
        private final List<Class<?>> decorators = new ArrayList<>();
        private final Map<String, String> config = new LinkedHashMap<>();
        private final Map<String, String> environment = new LinkedHashMap<>();

        private Builder(Class<?>... beans) {
            this.beans = new ArrayList<>(Arrays.asList(beans));
            config.put("consignee.reconnect.delay", "20ms");
            config.put("consignee.reconnect.max-delay", "200ms");
            config.put("consignee.shutdown-timeout", "10s");
        }

        Builder url(String url) {
            return config("consignee.url", url);
        }

        Builder config(String key, String value) {
            config.put(key, value);
            return this;
        }

        /** Sets an environment variable, which goes before {@link #config}. */
        Builder environment(String variable, String value) {
            environment.put(variable, value);
            return this;
        }

        Builder extension(Extension extension) {
            extensions.add(extension);
            return this;
        }

        Builder interceptor(Class<?> interceptor) {
            interceptors.add(interceptor);
            return this;
        }

        Builder decorator(Class<?> decorator) {
            decorators.add(decorator);
            return this;
        }

        /** Starts it; a deployment that fails leaves nothing behind. */
        WeldApplication start() {
            ClassLoader loader = new ClassLoader(WeldApplication.class.getClassLoader()) {};
            ConfigProviderResolver.instance()
                    .registerConfig(
                            new SmallRyeConfigBuilder()
                                    .addDefaultInterceptors()
                                    .withSources(
                                            new PropertiesConfigSource(config, CONFIG_SOURCE, 100),
                                            new EnvConfigSource(environment, 300))
                                    .build(),
                            loader);
            ClassLoader before = Thread.currentThread().getContextClassLoader();
            Thread.currentThread().setContextClassLoader(loader);
            try {
                Weld weld = new Weld()
                        .disableDiscovery()
                        .setClassLoader(loader)
                        .addExtensions(new ConsigneeExtension())
                        .addBeanClasses(beans.toArray(Class<?>[]::new))
                        .addBeanClasses(interceptors.toArray(Class<?>[]::new))
                        .addBeanClasses(decorators.toArray(Class<?>[]::new))
                        .interceptors(interceptors.toArray(Class<?>[]::new))
                        .decorators(decorators.toArray(Class<?>[]::new));
                extensions.forEach(weld::addExtension);
                return new WeldApplication(loader, weld.initialize());
            } finally {
                Thread.currentThread().setContextClassLoader(before);
            }
        }
    }

    /** The one bean of a type with qualifiers. */
    <T> T bean(Class<T> type, Annotation... qualifiers) {
        return container.select(type, qualifiers).get();
    }
}

package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Bean Validation is optional: an application runs without it, and is told that nobody looks at its payloads. */
class ValidationAbsentTest {

    private static final String LOADED_ONLY_WHERE_VALIDATION_IS = "dev.consignee.cdi.BeanValidation";

    /** A class path without some of its jars, whose classes nobody else has loaded. */
    private static final class Without extends URLClassLoader {

        Without(String... jars) {
            super(urls(jars), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] urls(String... jars) {
            String[] path = System.getProperty("java.class.path").split(File.pathSeparator, -1);
            List<String> there = Arrays.stream(path)
                    .filter(entry -> Stream.of(jars)
                            .noneMatch(jar -> new File(entry).getName().startsWith(jar)))
                    .toList();
            assertThat(path.length - there.size()).as("jars left out").isEqualTo(jars.length);
            return there.stream().map(Without::url).toArray(URL[]::new);
        }

        private static URL url(String entry) {
            try {
                return new File(entry).toURI().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(entry, e);
            }
        }

        /** Runs the application there; returns what it logged. */
        String run() throws Exception {
            PrintStream before = System.out;
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            Thread.currentThread().setContextClassLoader(this);
            try {
                loadClass(WithoutValidation.class.getName()).getMethod("run").invoke(null);
            } finally {
                Thread.currentThread().setContextClassLoader(context);
                System.setOut(before);
            }
            return out.toString(StandardCharsets.UTF_8);
        }

        boolean hasLoaded(String name) {
            return findLoadedClass(name) != null;
        }
    }

    @Test
    void withoutAProviderItIsTold() throws Exception {
        try (Without provider = new Without("hibernate-validator-")) {
            assertThat(provider.run())
                    .contains("CONS0504", "CONS0130", "subscriber 'orders' is @Valid", "no Bean Validation is there");
        }
    }

    @Test
    void withoutTheApiNobodyCanTellAndNothingOfItIsLoaded() throws Exception {
        try (Without api = new Without("hibernate-validator-", "jakarta.validation-api-")) {
            assertThat(api.run()).contains("CONS0503").doesNotContain("CONS0130");
            assertThat(api.hasLoaded("dev.consignee.cdi.Payloads")).isTrue();
            assertThat(api.hasLoaded(LOADED_ONLY_WHERE_VALIDATION_IS)).isFalse();
        }
    }

    @Test
    void providerThatDoesNotStartStopsTheDeployment() throws Exception {
        try (Without expressions = new Without("expressly-")) {
            assertThatThrownBy(expressions::run)
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .hasMessageContainingAll("CONS0131", "Bean Validation does not start", "Orders.orders(Order)");
        }
    }
}

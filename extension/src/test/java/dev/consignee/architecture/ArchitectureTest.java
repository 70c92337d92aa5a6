package dev.consignee.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.GeneralCodingRules;
import dev.consignee.engine.Engine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The arrows of the architecture: which package may see which. With the amendments of docs/decisions/0002: the engine and
 * the container's side may use the diagnostics, and the container's side may use time.
 */
class ArchitectureTest {

    private static final String BASE = "dev.consignee.";
    private static final String[] API = {"dev.consignee", "dev.consignee.declaration"};
    private static final String[] PLATFORM = {"java..", "org.slf4j..", "org.jspecify.annotations.."};

    /** What each package may see besides itself, the API and the platform. */
    private static final Map<String, String[]> ARROWS = new TreeMap<>(Map.of(
            "cdi", packages("discovery", "config", "engine", "transport", "time", "diagnostics"),
            "discovery", packages("diagnostics"),
            "config", packages("diagnostics"),
            "engine", packages("transport", "time", "diagnostics"),
            "transport", packages(),
            "transport.jms", packages("transport"),
            "time", packages(),
            "diagnostics", packages()));

    /** What each package may see of the world outside; no other package may. */
    private static final Map<String, String[]> OUTSIDE = Map.of(
            "cdi",
                    new String[] {
                        "jakarta.enterprise..", "jakarta.annotation..", "jakarta.json.bind..", "jakarta.validation.."
                    },
            "config", new String[] {"org.eclipse.microprofile.config.."},
            "engine", new String[] {"jakarta.json.bind.."},
            "transport.jms", new String[] {"jakarta.jms..", "org.apache.qpid..", "io.netty.."});

    /** How many classes each package has at least: a rule about fewer has not seen the package. */
    private static final Map<String, Integer> AT_LEAST = Map.of(
            "cdi", 9,
            "discovery", 9,
            "config", 20,
            "engine", 18,
            "transport", 18,
            "transport.jms", 20,
            "time", 2,
            "diagnostics", 8);

    private static final JavaClasses CLASSES = imported();

    private static JavaClasses imported() {
        Path main = Path.of(
                Engine.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPath(main);
    }

    private static String[] packages(String... names) {
        return Arrays.stream(names).map(name -> BASE + name).toArray(String[]::new);
    }

    private static String[] and(String[]... groups) {
        return Arrays.stream(groups).flatMap(Arrays::stream).toArray(String[]::new);
    }

    private static JavaClasses of(String name) {
        JavaClasses own = CLASSES.that(resideInAPackage(BASE + name));
        assertThat(own.size()).as("classes seen of " + name).isGreaterThanOrEqualTo(AT_LEAST.get(name));
        return own;
    }

    static Stream<Arguments> arrows() {
        return ARROWS.entrySet().stream().map(arrow -> Arguments.of(arrow.getKey(), arrow.getValue()));
    }

    @Test
    void theRulesSeeTheWholeModuleAndNothingElse() {
        assertThat(CLASSES.size()).isGreaterThanOrEqualTo(100);
        assertThat(CLASSES.stream().map(JavaClass::getPackageName).distinct().sorted())
                .containsExactlyElementsOf(
                        ARROWS.keySet().stream().map(name -> BASE + name).toList());
        assertThat(CLASSES.stream().map(JavaClass::getSimpleName)).noneMatch(name -> name.endsWith("Test"));
        assertThat(AT_LEAST.keySet()).isEqualTo(ARROWS.keySet());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("arrows")
    void aPackageSeesItselfTheApiThePlatformAndWhereItsArrowsPoint(String name, String[] arrows) {
        String[] legal =
                and(new String[] {BASE + name}, API, PLATFORM, arrows, OUTSIDE.getOrDefault(name, new String[0]));

        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(legal).or(primitivesAndArrays()))
                .check(of(name));
    }

    private static DescribedPredicate<JavaClass> primitivesAndArrays() {
        return DescribedPredicate.describe(
                "primitives and arrays of them",
                type -> type.isPrimitive() || type.getBaseComponentType().isPrimitive());
    }

    @Test
    void onlyTheContainersSideSeesTheContainer() {
        onlySeenBy("jakarta.enterprise..", BASE + "cdi");
    }

    @Test
    void onlyConfigSeesMicroProfileConfig() {
        onlySeenBy("org.eclipse.microprofile.config..", BASE + "config");
    }

    /** Bean Validation may be absent: whoever else referred to it could not be loaded then. */
    @Test
    void onlyOneClassSeesBeanValidation() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(BASE + "cdi.BeanValidation")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jakarta.validation..")
                .check(CLASSES);
        onlySeenBy("jakarta.validation..", BASE + "cdi");
    }

    @Test
    void onlyTheJmsTransportSeesJmsQpidAndNetty() {
        onlySeenBy("jakarta.jms..", BASE + "transport.jms");
        onlySeenBy("org.apache.qpid..", BASE + "transport.jms");
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + "transport.jms")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .check(CLASSES);
    }

    private static void onlySeenBy(String outside, String by) {
        JavaClasses others = CLASSES.that(DescribedPredicate.not(resideInAPackage(by)));
        assertThat(others.size()).isGreaterThanOrEqualTo(60);
        noClasses().should().dependOnClassesThat(resideInAPackage(outside)).check(others);
        assertThat(CLASSES.that(resideInAPackage(by)).stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .filter(dependency -> resideInAPackage(outside).test(dependency.getTargetClass())))
                .as("who may see " + outside + " does; if not, the rule has lost its subject")
                .isNotEmpty();
    }

    @Test
    void nobodyDependsOnTheContainersSide() {
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + "cdi")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BASE + "cdi")
                .check(CLASSES);
    }

    @Test
    void nobodyButTheServiceLoaderDependsOnTheJmsTransport() {
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + "transport.jms")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BASE + "transport.jms")
                .check(CLASSES);
    }

    @Test
    void noPackagesAreInACircle() {
        slices().matching(BASE + "(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void nothingIsWrittenToTheStandardStreams() {
        noClasses().should(GeneralCodingRules.ACCESS_STANDARD_STREAMS).check(CLASSES);
        noClasses().should().callMethod(Throwable.class, "printStackTrace").check(CLASSES);
    }

    @Test
    void nothingLogsByJavaUtilLogging() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .check(CLASSES);
    }

    @Test
    void nothingSleeps() {
        noClasses().should().callMethod(Thread.class, "sleep", long.class).check(CLASSES);
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class, int.class)
                .check(CLASSES);
        noClasses()
                .should()
                .callMethod(java.util.concurrent.TimeUnit.class, "sleep", long.class)
                .check(CLASSES);
    }

    @Test
    void nothingIsDeserialized() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.ObjectInputStream")
                .check(CLASSES);
    }

    /** The rules can fail: turned round, each finds what the module does. */
    @Test
    void theRulesAreNotBlind() {
        assertThatThrownBy(() -> noClasses()
                        .should(accessClassesThat(resideInAPackage("org.slf4j..")))
                        .check(of("engine")))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> classes()
                        .should()
                        .onlyDependOnClassesThat(resideInAnyPackage(and(PLATFORM, packages("engine"))))
                        .check(of("engine")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(BASE + "transport");
    }
}

package dev.consignee.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.declaration.BrokerProfile;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerReaderTest {

    private static Configuration read(Map<String, String> properties) {
        return new ConfigReader(Configs.of(properties)).read(List.of());
    }

    private static BrokerSettings unnamed(Map<String, String> properties) {
        Configuration configuration = read(properties);
        assertThat(configuration.problems()).isEmpty();
        return configuration.broker("").orElseThrow();
    }

    private static BrokerSettings ofUrl(String url) {
        return unnamed(Map.of("consignee.url", url));
    }

    @Test
    void unnamedBrokerHasDefaults() {
        assertThat(unnamed(Map.of()))
                .isEqualTo(new BrokerSettings(
                        "",
                        List.of(URI.create("amqp://localhost:5672")),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(Duration.ofSeconds(15)),
                        Optional.of(Duration.ofSeconds(30)),
                        Optional.of(Duration.ofSeconds(30)),
                        Optional.of(Duration.ofSeconds(15)),
                        Optional.of(Duration.ofSeconds(60)),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(30),
                        0.2,
                        Map.of()));
    }

    @Test
    void everyKeyOfANamedBrokerIsRead() {
        Map<String, String> keys = new HashMap<>(Map.of(
                "url", "amqps://eu:5671",
                "username", "joe",
                "password", "sesame",
                "sasl-mechanisms", "PLAIN, SCRAM-SHA-256",
                "container-id", "shop-1",
                "connect-timeout", "1s",
                "request-timeout", "2s",
                "send-timeout", "3s",
                "close-timeout", "4s",
                "idle-timeout", "none"));
        keys.putAll(Map.of(
                "reconnect.delay", "5ms",
                "reconnect.max-delay", "PT6S",
                "reconnect.jitter", "0",
                "profile", "broker-j",
                "qpid.jms.prefetchPolicy.all", "7"));
        Map<String, String> properties = new HashMap<>();
        keys.forEach((key, value) -> properties.put("consignee.broker.eu." + key, value));

        Configuration configuration = read(properties);

        assertThat(configuration.problems()).isEmpty();
        assertThat(configuration.broker("eu").orElseThrow())
                .isEqualTo(new BrokerSettings(
                        "eu",
                        List.of(URI.create("amqps://eu:5671")),
                        Optional.of("joe"),
                        Optional.of(new Secret("sesame")),
                        List.of("PLAIN", "SCRAM-SHA-256"),
                        Optional.of("shop-1"),
                        Optional.of(BrokerProfile.BROKER_J),
                        Optional.of(Duration.ofSeconds(1)),
                        Optional.of(Duration.ofSeconds(2)),
                        Optional.of(Duration.ofSeconds(3)),
                        Optional.of(Duration.ofSeconds(4)),
                        Optional.empty(),
                        Duration.ofMillis(5),
                        Duration.ofSeconds(6),
                        0,
                        Map.of("jms.prefetchPolicy.all", "7")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "amqp://h | amqp://h",
                " AMQP://h:5672/ | amqp://h:5672",
                "amqps://[::1]:5671?transport.verifyHost=false | amqps://[::1]:5671?transport.verifyHost=false",
                "inprocess:shop | inprocess:shop",
                "inprocess: | inprocess:default",
                "failover:(amqp://a,amqp://b:1) | amqp://a amqp://b:1",
                "failover:(amqp://a) | amqp://a",
                "failover://(amqp://a, amqps://b) | amqp://a amqps://b",
                "failover:(amqp://a?amqp.idleTimeout=1,amqp://b)?amqp.idleTimeout=2&failover.nested.transport.tcpNoDelay=true"
                        + " | amqp://a?amqp.idleTimeout=1&transport.tcpNoDelay=true"
                        + " amqp://b?amqp.idleTimeout=2&transport.tcpNoDelay=true"
            })
    void urlsAreFlattenedToTheirHosts(String url, String hosts) {
        assertThat(ofUrl(url).urls().stream().map(URI::toString)).containsExactly(hosts.split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "  ",
                "localhost:5672",
                "http://h",
                "amqpws://h",
                "amqp:h",
                "amqp://",
                "amqp://:5672",
                "amqp://h:0",
                "amqp://h:65536",
                "amqp://h:",
                "amqp://h:99999999999",
                "amqp://h:port",
                "amqp://my_broker:5672",
                "amqp://h/vhost",
                "amqp://h#x",
                "amqp://h?a=b c",
                "amqp://a%zz@h",
                "failover:",
                "failover:()",
                "failover:(amqp://a,)",
                "failover:(amqp://a",
                "failover:amqp://a",
                "failover:(failover:(amqp://a))",
                "failover:(amqp://a,inprocess:b)",
                "failover:(amqp://joe:x@a,amqp://ann:x@b)"
            })
    void urlThatIsNoneIsRefused(String url) {
        Configuration configuration = read(Map.of("consignee.url", url));

        assertThat(configuration.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.id()).isEqualTo(ProblemId.BAD_URL);
            assertThat(problem.text()).contains("consignee.url=", "shop.properties", "Legal: amqp://host:port");
        });
        assertThat(configuration.brokers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "joe:sesame@host:5672",
                "http://joe:sesame@h",
                "amqp:joe:sesame@h",
                "amqp://joe:sesame@",
                "amqp://joe:sesame",
                "failover:(amqp://a:5672,amqp://joe:sesame)",
                "amqp://joe:sesame@h:99999",
                "amqp://joe:ses%ame@h",
                "amqp://joe:pass/sesame@h",
                "amqp://joe:pass#sesame@h",
                "amqp://joe:pass@sesame@h/vhost",
                "amqp://joe:ses ame@h/v",
                "failover:(amqp://joe:sesame@a,amqp://joe:pa,sesame@b)",
                "failover:(amqp://joe:sesame@a",
                "amqp://h:x?jms.username=joe&jms.password=sesame"
            })
    void wrongUrlIsToldWithoutItsCredentials(String url) {
        assertThat(read(Map.of("consignee.url", url)).problems())
                .isNotEmpty()
                .extracting(Problem::text)
                .allSatisfy(text -> assertThat(text).doesNotContain("sesame", "ses%ame", "ses ame", "joe"));
    }

    @ParameterizedTest
    @CsvSource({
        "amqp://joe:sesame@h, joe, sesame",
        "amqp://joe:a%40b%2Fc+d@h, joe, a@b/c+d",
        "amqp://joe:a:b@h, joe, a:b",
        "amqp://h?jms.username=joe&jms.password=sesame, joe, sesame",
        "'failover:(amqp://joe:sesame@h,amqp://joe:sesame@h)', joe, sesame"
    })
    void credentialsAreTakenOutOfTheUrl(String url, String username, String password) {
        BrokerSettings broker = ofUrl(url);

        assertThat(broker.username()).contains(username);
        assertThat(broker.password()).contains(new Secret(password));
        assertThat(broker.urls()).allSatisfy(taken -> assertThat(taken).hasToString("amqp://h"));
        assertThat(broker.toString()).contains("amqp://h", "with credentials").doesNotContain(username, password);
    }

    @Test
    void credentialsOfTheirOwnKeysGoBeforeTheUrls() {
        String url = "amqp://joe:sesame@h";

        BrokerSettings both =
                unnamed(Map.of("consignee.url", url, "consignee.username", "ann", "consignee.password", "secret"));
        BrokerSettings passwordOnly = unnamed(Map.of("consignee.url", url, "consignee.password", "secret"));
        BrokerSettings usernameOnly = unnamed(Map.of("consignee.url", url, "consignee.username", "ann"));

        assertThat(both.username()).contains("ann");
        assertThat(both.password()).contains(new Secret("secret"));
        assertThat(passwordOnly.username()).contains("joe");
        assertThat(passwordOnly.password()).contains(new Secret("secret"));
        assertThat(usernameOnly.username()).contains("ann");
        assertThat(usernameOnly.password()).isEmpty();
    }

    @Test
    void passwordIsInNoText() {
        BrokerSettings broker = unnamed(Map.of(
                "consignee.username", "joe", "consignee.password", "sesame", "consignee.qpid.jms.password", "sesame"));

        assertThat(broker.toString() + broker.password()).doesNotContain("sesame", "joe");
    }

    @Test
    void passwordWithoutAUsernameIsRefusedUnseen() {
        Problem problem =
                read(Map.of("consignee.password", "sesame")).problems().get(0);

        assertThat(problem.text())
                .contains("consignee.password is there, but no username", "consignee.password=*** from")
                .doesNotContain("sesame");
    }

    @Test
    void passwordWhoseExpressionHasNoValueIsToldUnseen() {
        Problem problem =
                read(Map.of("consignee.password", "sesame${none}")).problems().get(0);

        assertThat(problem.id()).isEqualTo(ProblemId.BAD_EXPRESSION);
        assertThat(problem.text()).contains("consignee.password=*** from").doesNotContain("sesame");
    }

    @Test
    void optionsOfQpidsOwnReconnectionAreIgnoredWithAWarning() {
        Configuration configuration =
                read(Map.of("consignee.url", "failover:(amqp://a)?failover.maxReconnectAttempts=3&jms.x=1"));

        assertThat(configuration.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.id()).isEqualTo(ProblemId.IGNORED_OPTION);
            assertThat(problem.text()).contains("failover.maxReconnectAttempts", "consignee.reconnect.delay");
        });
        assertThat(configuration.broker("").orElseThrow().urls()).containsExactly(URI.create("amqp://a?jms.x=1"));
    }

    @ParameterizedTest
    @CsvSource({
        "connect-timeout, 0s",
        "idle-timeout, -1s",
        "send-timeout, abc",
        "close-timeout, 25d",
        "reconnect.delay, none",
        "reconnect.delay, 31s",
        "reconnect.max-delay, 50ms",
        "reconnect.max-delay, 0ms",
        "reconnect.jitter, 1.5",
        "reconnect.jitter, -0.1",
        "reconnect.jitter, NaN",
        "profile, activemq",
        "profile, brokerj",
        "profile, ' '",
        "reconnect.jitter, 20%"
    })
    void valueOutOfRangeIsRefusedWithTheLegalOnes(String key, String value) {
        assertThat(read(Map.of("consignee." + key, value)).problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.id()).isEqualTo(ProblemId.BAD_VALUE);
                    assertThat(problem.text()).contains("consignee." + key + "=" + value + " from", "Legal: ");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "artemis, ARTEMIS",
        "Classic, CLASSIC",
        "broker-j, BROKER_J",
        "BROKER_J, BROKER_J",
        "rabbitmq, RABBITMQ",
        "service-bus, SERVICE_BUS",
        "' Service_Bus ', SERVICE_BUS"
    })
    void profileIsAConstantInAnyCaseWithHyphenOrUnderscore(String text, BrokerProfile profile) {
        assertThat(unnamed(Map.of("consignee.profile", text)).profile()).contains(profile);
    }

    @Test
    void wrongProfileIsToldWithTheLegalOnesAndNoneHolds() {
        Configuration configuration = read(Map.of("consignee.profile", "broker"));

        assertThat(configuration.problems())
                .singleElement()
                .extracting(Problem::text)
                .asString()
                .contains(
                        "CONS0156: consignee.profile is 'broker'",
                        "Legal: artemis, classic, broker-j, rabbitmq, service-bus.");
        assertThat(configuration.broker("").orElseThrow().profile()).isEmpty();
    }

    @Test
    void legalProfilesAreThoseThatAreTold() {
        assertThat(Key.PROFILE.legal().split(", "))
                .containsExactly(Arrays.stream(BrokerProfile.values())
                        .map(profile -> profile.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .toArray(String[]::new));
    }

    @Test
    void allProblemsOfABrokerAreToldAtOnce() {
        assertThat(read(Map.of("consignee.url", "x", "consignee.send-timeout", "x", "consignee.reconnect.jitter", "x"))
                        .problems())
                .hasSize(3);
    }
}

package dev.consignee.config;

import static dev.consignee.config.Subscribers.method;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.Settle;
import dev.consignee.declaration.Attribute;
import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReaderTest {

    private static final Declaration PICK = method("pick", Map.of(Attribute.QUEUE, "shipments"));
    private static final Declaration PICK_WITH_CREDIT =
            method("pick", Map.of(Attribute.QUEUE, "shipments", Attribute.CREDIT, "32"));

    private static Configuration read(Map<String, String> properties, Declaration... declarations) {
        return new ConfigReader(Configs.of(properties)).read(List.of(declarations));
    }

    private static Configuration readEnvironment(Map<String, String> environment, Declaration... declarations) {
        return new ConfigReader(Configs.of(Map.of(), environment)).read(List.of(declarations));
    }

    private static SubscriberSettings pick(Configuration configuration) {
        assertThat(configuration.problems()).isEmpty();
        return configuration.subscriber("pick").orElseThrow();
    }

    private static Problem onlyProblem(Configuration configuration) {
        assertThat(configuration.problems()).hasSize(1);
        return configuration.problems().get(0);
    }

    @Test
    void builtInDefaultsHoldWhereNothingIsSaid() {
        assertThat(pick(read(Map.of(), PICK)))
                .isEqualTo(new SubscriberSettings(
                        "pick",
                        "",
                        AddressKind.QUEUE,
                        "shipments",
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        256,
                        Settle.AT_LEAST_ONCE,
                        OnException.RETRY,
                        OnDecodeError.DROP,
                        64L << 20,
                        true));
    }

    @Test
    void nearerLayerTakesPrecedence() {
        Map<String, String> defaults = Map.of("consignee.defaults.credit", "7");
        Map<String, String> both = Map.of("consignee.defaults.credit", "7", "consignee.subscriber.pick.credit", "8");

        assertThat(pick(read(defaults, PICK)).credit()).isEqualTo(7);
        assertThat(pick(read(defaults, PICK_WITH_CREDIT)).credit()).isEqualTo(32);
        assertThat(pick(read(both, PICK_WITH_CREDIT)).credit()).isEqualTo(8);
    }

    @Test
    void everyConfigurableAttributeIsConfigured() {
        assertThat(pick(read(
                        Map.of(
                                "consignee.subscriber.pick.topic", "t",
                                "consignee.subscriber.pick.durable", "audit",
                                "consignee.subscriber.pick.shared", "TRUE",
                                "consignee.subscriber.pick.selector", "a = 1",
                                "consignee.subscriber.pick.credit", "1",
                                "consignee.subscriber.pick.settle", "at-least-once",
                                "consignee.subscriber.pick.on-exception", "stop",
                                "consignee.subscriber.pick.on-decode-error", "Ack",
                                "consignee.subscriber.pick.max-message-size", "64kib",
                                "consignee.subscriber.pick.enabled", "false"),
                        PICK)))
                .isEqualTo(new SubscriberSettings(
                        "pick",
                        "",
                        AddressKind.TOPIC,
                        "t",
                        Optional.of("audit"),
                        true,
                        Optional.of("a = 1"),
                        1,
                        Settle.AT_LEAST_ONCE,
                        OnException.STOP,
                        OnDecodeError.ACK,
                        64L << 10,
                        false));
    }

    @Test
    void addressInConfigurationReplacesTheAnnotationsOfAnyKind() {
        SubscriberSettings settings = pick(read(Map.of("consignee.subscriber.pick.value", "/queue/x"), PICK));

        assertThat(settings.addressKind()).isEqualTo(AddressKind.VERBATIM);
        assertThat(settings.address()).isEqualTo("/queue/x");
    }

    @Test
    void twoAddressesInConfigurationAreRefusedWithTheirSource() {
        Problem problem = onlyProblem(
                read(Map.of("consignee.subscriber.pick.queue", "a", "consignee.subscriber.pick.topic", "b"), PICK));

        assertThat(problem.id()).isEqualTo(ProblemId.SEVERAL_ADDRESSES);
        assertThat(problem.text())
                .contains(
                        "consignee.subscriber.pick.queue=a from PropertiesConfigSource[source=shop.properties]",
                        "consignee.subscriber.pick.topic=b from");
    }

    @Test
    void wrongValueInConfigurationIsToldWithKeyAndSource() {
        Problem problem = onlyProblem(read(Map.of("consignee.subscriber.pick.credit", "0"), PICK_WITH_CREDIT));

        assertThat(problem.text()).isEqualTo("""
            CONS0104: credit of subscriber 'pick' is '0': out of range.
                      Warehouse.pick(Shipment), consignee.subscriber.pick.credit=0 from PropertiesConfigSource[source=shop.properties].
                      Legal: 1 to 32767. Write a number in the range, or leave the attribute out for its default.\
            """);
    }

    @Test
    void wrongDefaultIsToldOnceForAllSubscribers() {
        Declaration other = method("other", Map.of(Attribute.QUEUE, "q"));

        Problem problem = onlyProblem(read(Map.of("consignee.defaults.credit", "abc"), PICK, other));

        assertThat(problem.id()).isEqualTo(ProblemId.BAD_NUMBER);
        assertThat(problem.text()).contains("of all subscribers", "consignee.defaults.credit=abc");
    }

    @Test
    void defaultsForTopicsLeaveQueuesAlone() {
        Map<String, String> defaults = Map.of("consignee.defaults.shared", "true");

        assertThat(pick(read(defaults, PICK)).shared()).isFalse();
        assertThat(pick(read(defaults, method("pick", Map.of(Attribute.TOPIC, "t"))))
                        .shared())
                .isTrue();
    }

    @Test
    void emptyValueIsNone() {
        assertThat(pick(read(Map.of("consignee.subscriber.pick.credit", ""), PICK_WITH_CREDIT))
                        .credit())
                .isEqualTo(32);
    }

    @ParameterizedTest
    @CsvSource({
        "'${q}', shipments",
        "'a.${q}.b', a.shipments.b",
        "'${none:fallback}', fallback",
        "'${none:}x', x",
        "'${none:${q}}', shipments",
        "'${none:${nothing:deep}}', deep",
        "'${q:${nothing}}', shipments",
        "'${${which}}', shipments",
        "'${none:amqp://h:1}', amqp://h:1",
        "'${indirect}', shipments",
        "'\\${q}', '${q}'",
        "'$q {q} $', '$q {q} $'",
        "'${literal}', 'x${q}'"
    })
    void expressionsInTheAnnotationAreExpanded(String written, String expanded) {
        Map<String, String> properties =
                Map.of("q", "shipments", "which", "q", "indirect", "${q}", "literal", "x\\${q}");

        assertThat(pick(read(properties, method("pick", Map.of(Attribute.QUEUE, written))))
                        .address())
                .isEqualTo(expanded);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"${none}", "${none:${nothing}}", "${q", "${q:x", "${}", "${${none}}", "${circle}", "${broken}"})
    void expressionWithoutAValueIsOneProblem(String written) {
        Map<String, String> properties = Map.of("q", "x", "circle", "${circle}", "broken", "${none}");

        Configuration configuration = read(properties, method("pick", Map.of(Attribute.QUEUE, written)));

        assertThat(configuration.problems()).isNotEmpty().allSatisfy(problem -> {
            assertThat(problem.id()).isEqualTo(ProblemId.BAD_EXPRESSION);
            assertThat(problem.place().text()).isEqualTo("Warehouse.pick(Shipment)");
        });
        assertThat(configuration.subscribers()).isEmpty();
    }

    @Test
    void expressionThatConfigurationReplacesNeedsNoValue() {
        Declaration declaration = method("pick", Map.of(Attribute.QUEUE, "${none}"));

        assertThat(pick(read(Map.of("consignee.subscriber.pick.topic", "t"), declaration))
                        .address())
                .isEqualTo("t");
    }

    @Test
    void expressionInConfigurationWithoutAValueIsAProblem() {
        Problem problem = onlyProblem(read(Map.of("consignee.subscriber.pick.credit", "${none}"), PICK));

        assertThat(problem.id()).isEqualTo(ProblemId.BAD_EXPRESSION);
        assertThat(problem.text())
                .contains("Warehouse.pick(Shipment)", "consignee.subscriber.pick.credit=${none} from");
    }

    @Test
    void deeplyNestedExpressionEndsInAProblem() {
        Declaration declaration = method("pick", Map.of(Attribute.QUEUE, "${".repeat(10_000)));

        assertThat(onlyProblem(read(Map.of(), declaration)).text()).contains("nested more than");
    }

    @Test
    void nameIsExpandedBeforeItsKeysAreLookedUp() {
        Declaration declaration = method("pick", Map.of(Attribute.QUEUE, "q", Attribute.NAME, "${n}"));

        Configuration configuration =
                read(Map.of("n", "eu-pick", "consignee.subscriber.eu-pick.credit", "3"), declaration);

        assertThat(configuration.problems()).isEmpty();
        assertThat(configuration.subscriber("eu-pick").orElseThrow().credit()).isEqualTo(3);
        assertThat(configuration.subscriber(declaration)).isEqualTo(configuration.subscriber("eu-pick"));
    }

    @ParameterizedTest
    @CsvSource({
        "credits, did you mean 'credit'?",
        "max-attempts, has no attribute 'max-attempts'",
        "dead-letter, has no attribute",
        "batch, has no attribute",
        "concurrency, has no attribute",
        "paused, has no attribute",
        "onException, did you mean 'on-exception'?",
        "name, it is the annotation's alone",
        "credit.x, has no attribute 'credit.x'"
    })
    void unknownAttributeOfADeclaredSubscriberIsAnErrorWithTheLegalOnes(String attribute, String hint) {
        Problem problem = onlyProblem(read(Map.of("consignee.subscriber.pick." + attribute, "5"), PICK));

        assertThat(problem.id()).isEqualTo(ProblemId.UNKNOWN_ATTRIBUTE);
        assertThat(problem.text())
                .contains(
                        "Warehouse.pick(Shipment), consignee.subscriber.pick." + attribute,
                        "from PropertiesConfigSource[source=shop.properties]",
                        hint,
                        "Legal: value, queue, topic, broker,");
    }

    @Test
    void configurationOfASubscriberThatIsNotThereIsOneWarning() {
        Problem problem = onlyProblem(read(
                Map.of("consignee.subscriber.pik.credit", "5", "consignee.subscriber.pik.max-attempts", "5"), PICK));

        assertThat(problem.id()).isEqualTo(ProblemId.UNKNOWN_SUBSCRIBER);
        assertThat(problem.text()).contains("'pik', did you mean 'pick'?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "consignee.pasword",
                "consignee.tls.trust-store",
                "consignee.profile",
                "consignee.token-provider",
                "consignee.subscriber.pick",
                "consignee.defaults.queue",
                "consignee.defaults.name",
                "consignee.defaults.paused",
                "consignee.qpid.",
                "consignee.broker.eu",
                "consignee.broker.eu.shutdown-timeout"
            })
    void unknownKeyElsewhereIsAWarningWithoutItsValue(String key) {
        Problem problem = onlyProblem(read(Map.of(key, "sesame"), PICK));

        assertThat(problem.id()).isEqualTo(ProblemId.UNKNOWN_KEY);
        assertThat(problem.text()).contains(key + " from").doesNotContain("sesame");
    }

    @Test
    void othersKeysAreNoConcernOfOurs() {
        assertThat(read(Map.of("consigneeX.y", "1", "quarkus.x", "2", "consignee", "3"), PICK)
                        .problems())
                .isEmpty();
    }

    @Test
    void environmentVariablesConfigureAsMicroProfileMapsThem() {
        Declaration declaration = method("logPick", Map.of(Attribute.QUEUE, "q", Attribute.BROKER, "eu-west"));

        Configuration configuration = readEnvironment(
                Map.of(
                        "CONSIGNEE_SUBSCRIBER_LOG_PICK_CREDIT", "5",
                        "CONSIGNEE_SUBSCRIBER_LOG_PICK_ON_EXCEPTION", "drop",
                        "CONSIGNEE_DEFAULTS_ON_DECODE_ERROR", "ack",
                        "CONSIGNEE_BROKER_EU_WEST_URL", "amqp://eu",
                        "CONSIGNEE_BROKER_EU_WEST_RECONNECT_MAX_DELAY", "1m",
                        "CONSIGNEE_SHUTDOWN_TIMEOUT", "1s"),
                declaration);

        assertThat(configuration.problems()).isEmpty();
        SubscriberSettings settings = configuration.subscriber("log-pick").orElseThrow();
        assertThat(settings.credit()).isEqualTo(5);
        assertThat(settings.onException()).isEqualTo(OnException.DROP);
        assertThat(settings.onDecodeError()).isEqualTo(OnDecodeError.ACK);
        assertThat(configuration.broker("eu-west").orElseThrow().reconnectMaxDelay())
                .isEqualTo(Duration.ofMinutes(1));
        assertThat(configuration.application().shutdownTimeout()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void brokerThatOnlyTheEnvironmentNamesIsFound() {
        Configuration configuration = readEnvironment(Map.of("CONSIGNEE_BROKER_US_EAST_URL", "amqp://us"));

        assertThat(configuration.problems()).isEmpty();
        assertThat(configuration.brokers()).containsOnlyKeys("", "us-east");
    }

    @ParameterizedTest
    @CsvSource({
        "CONSIGNEE_SUBSCRIBER_PICK_CREDITS, UNKNOWN_ATTRIBUTE",
        "CONSIGNEE_SUBSCRIBER_PICK_ON_EXCEPTIONS, UNKNOWN_ATTRIBUTE",
        "CONSIGNEE_SUBSCRIBER_PICK_UP_CREDIT, UNKNOWN_KEY",
        "CONSIGNEE_SUBSCRIBER_OTHER_CREDIT, UNKNOWN_SUBSCRIBER",
        "CONSIGNEE_PASWORD, UNKNOWN_KEY"
    })
    void wrongEnvironmentVariablesAreTold(String variable, ProblemId id) {
        Problem problem = onlyProblem(readEnvironment(Map.of(variable, "sesame"), PICK));

        assertThat(problem.id()).isEqualTo(id);
        assertThat(problem.text()).contains(variable + " from EnvConfigSource").doesNotContain("sesame");
    }

    @Test
    void brokerWithoutUrlIsAProblemOfItsSubscriber() {
        Declaration declaration = method("pick", Map.of(Attribute.QUEUE, "q", Attribute.BROKER, "eu"));

        Problem problem = onlyProblem(read(
                Map.of("consignee.broker.eu.username", "joe", "consignee.broker.us.url", "amqp://us"), declaration));

        assertThat(problem.id()).isEqualTo(ProblemId.UNKNOWN_BROKER);
        assertThat(problem.text()).contains("the unnamed broker, 'us'", "consignee.broker.eu.url");
    }

    @Test
    void brokerWithoutUrlThatNobodyNamesIsAWarning() {
        assertThat(onlyProblem(read(Map.of("consignee.broker.eu.username", "joe"), PICK))
                        .id())
                .isEqualTo(ProblemId.BROKER_WITHOUT_URL);
    }

    @Test
    void wrongUrlOfABrokerIsNotToldAgainByItsSubscribers() {
        Declaration declaration = method("pick", Map.of(Attribute.QUEUE, "q", Attribute.BROKER, "eu"));

        assertThat(onlyProblem(read(Map.of("consignee.broker.eu.url", "http://eu"), declaration))
                        .id())
                .isEqualTo(ProblemId.BAD_URL);
    }

    @Test
    void durableSubscriptionFindsItsContainerId() {
        Declaration declaration = method("pick", Map.of(Attribute.TOPIC, "t", Attribute.DURABLE, "audit"));

        assertThat(onlyProblem(read(Map.of(), declaration)).id()).isEqualTo(ProblemId.DURABLE_WITHOUT_CONTAINER_ID);
        assertThat(pick(read(Map.of("consignee.container-id", "shop-1"), declaration))
                        .durable())
                .contains("audit");
    }

    @Test
    void urlInTheWrongPlaceIsShownWithoutItsPassword() {
        Problem problem = read(Map.of("consignee.subscriber.pick.broker", "amqp://joe:sesame@host"), PICK)
                .problems()
                .get(0);

        assertThat(problem.text()).contains("amqp://***@host").doesNotContain("sesame");
    }

    @Test
    void applicationSettingsHaveDefaultsAndAreChecked() {
        assertThat(read(Map.of()).application()).isEqualTo(new ApplicationSettings(true, Duration.ofSeconds(30)));
        assertThat(new ConfigReader(Configs.of(Map.of("consignee.enabled", "false")))
                        .application()
                        .enabled())
                .isFalse();
        assertThat(onlyProblem(read(Map.of("consignee.shutdown-timeout", "none")))
                        .text())
                .contains("CONS0156: consignee.shutdown-timeout is 'none'", "Legal: a duration of 0s to 24d");
    }
}

package dev.consignee.config;

import static dev.consignee.config.Subscribers.method;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.Settle;
import dev.consignee.declaration.AttemptSource;
import dev.consignee.declaration.Attribute;
import dev.consignee.declaration.BrokerProfile;
import dev.consignee.declaration.DeadLetterAddress;
import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.DelayRange;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.declaration.OnStop;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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
                        OptionalInt.empty(),
                        Optional.empty(),
                        OnException.RETRY,
                        Optional.empty(),
                        OnDecodeError.DROP,
                        true,
                        DelayedRetry.IN_PROCESS,
                        OnStop.PUBLISH,
                        10_000,
                        AttemptSource.HEADER,
                        64L << 20));
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
        Map<String, String> written = Map.ofEntries(
                Map.entry("topic", "t"),
                Map.entry("durable", "audit"),
                Map.entry("shared", "TRUE"),
                Map.entry("selector", "a = 1"),
                Map.entry("credit", "1"),
                Map.entry("settle", "at-most-once"),
                Map.entry("max-attempts", "5"),
                Map.entry("dead-letter", "topic:dead"),
                Map.entry("on-exception", "stop"),
                Map.entry("backoff", "1s..5m"),
                Map.entry("on-decode-error", "Dead-Letter"),
                Map.entry("enabled", "false"),
                Map.entry("delayed-retry", "hold"),
                Map.entry("on-stop", "discard"),
                Map.entry("max-waiting-copies", "7"),
                Map.entry("attempt-source", "broker"),
                Map.entry("max-message-size", "64kib"));
        Map<String, String> properties = new HashMap<>();
        written.forEach((key, text) -> properties.put("consignee.subscriber.pick." + key, text));

        assertThat(pick(read(properties, PICK)))
                .isEqualTo(new SubscriberSettings(
                        "pick",
                        "",
                        AddressKind.TOPIC,
                        "t",
                        Optional.of("audit"),
                        true,
                        Optional.of("a = 1"),
                        1,
                        Settle.AT_MOST_ONCE,
                        OptionalInt.of(5),
                        Optional.of(new DeadLetterAddress(true, "dead")),
                        OnException.STOP,
                        Optional.of(new DelayRange(Duration.ofSeconds(1), Duration.ofMinutes(5))),
                        OnDecodeError.DEAD_LETTER,
                        false,
                        DelayedRetry.HOLD,
                        OnStop.DISCARD,
                        7,
                        AttemptSource.BROKER,
                        64L << 10));
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

    private static final Declaration PICK_WITH_RETRIES = method(
            "pick",
            Map.of(
                    Attribute.QUEUE, "shipments",
                    Attribute.MAX_ATTEMPTS, "3",
                    Attribute.DEAD_LETTER, "own",
                    Attribute.BACKOFF, "2s..3s"));

    @Test
    void retriesHaveDefaultsForAllThatASubscriberOverrides() {
        Map<String, String> defaults = Map.of(
                "consignee.defaults.max-attempts", "9",
                "consignee.defaults.dead-letter", "topic:dead",
                "consignee.defaults.backoff", "1s..5m",
                "consignee.defaults.delayed-retry", "broker",
                "consignee.defaults.on-stop", "discard",
                "consignee.defaults.max-waiting-copies", "5",
                "consignee.defaults.attempt-source", "broker");

        SubscriberSettings silent = pick(read(defaults, PICK));
        SubscriberSettings own = pick(read(defaults, PICK_WITH_RETRIES));

        assertThat(silent.maxAttempts()).hasValue(9);
        assertThat(silent.deadLetter()).contains(new DeadLetterAddress(true, "dead"));
        assertThat(silent.backoff()).contains(new DelayRange(Duration.ofSeconds(1), Duration.ofMinutes(5)));
        assertThat(silent.delayedRetry()).isEqualTo(DelayedRetry.BROKER);
        assertThat(silent.onStop()).isEqualTo(OnStop.DISCARD);
        assertThat(silent.maxWaitingCopies()).isEqualTo(5);
        assertThat(silent.attemptSource()).isEqualTo(AttemptSource.BROKER);
        assertThat(own.maxAttempts()).hasValue(3);
        assertThat(own.deadLetter()).contains(new DeadLetterAddress(false, "own"));
        assertThat(own.backoff()).contains(new DelayRange(Duration.ofSeconds(2), Duration.ofSeconds(3)));
    }

    @Test
    void keysOfASubscriberGoBeforeItsAnnotation() {
        SubscriberSettings settings = pick(read(
                Map.of(
                        "consignee.subscriber.pick.max-attempts", "4",
                        "consignee.subscriber.pick.dead-letter", "elsewhere",
                        "consignee.subscriber.pick.backoff", "4s..5s"),
                PICK_WITH_RETRIES));

        assertThat(settings.maxAttempts()).hasValue(4);
        assertThat(settings.deadLetter()).contains(new DeadLetterAddress(false, "elsewhere"));
        assertThat(settings.backoff()).contains(new DelayRange(Duration.ofSeconds(4), Duration.ofSeconds(5)));
    }

    @Test
    void expressionInADeadLetterAddressIsExpanded() {
        Declaration declaration = method("pick", Map.of(Attribute.QUEUE, "a", Attribute.DEAD_LETTER, "${d}.dead"));

        assertThat(pick(read(Map.of("d", "topic:eu"), declaration)).deadLetter())
                .contains(new DeadLetterAddress(true, "eu.dead"));
    }

    @Test
    void deadLetterAddressThatCannotBeExpandedIsNotMissingAsWell() {
        Declaration declaration = method(
                "pick",
                Map.of(
                        Attribute.QUEUE, "a",
                        Attribute.DEAD_LETTER, "${none}",
                        Attribute.ON_DECODE_ERROR, "DEAD_LETTER"));

        assertThat(onlyProblem(read(Map.of(), declaration)).id()).isEqualTo(ProblemId.BAD_EXPRESSION);
    }

    private static final Declaration PICK_WITH_DEAD_LETTERS =
            method("pick", Map.of(Attribute.QUEUE, "shipments", Attribute.ON_DECODE_ERROR, "DEAD_LETTER"));

    @ParameterizedTest
    @ValueSource(strings = {"consignee.subscriber.pick.on-decode-error", "consignee.defaults.on-decode-error"})
    void policyOfDeadLettersWithoutAnAddressIsRefusedWhereverItIsWritten(String key) {
        Problem problem = onlyProblem(read(Map.of(key, "dead-letter"), PICK));

        assertThat(problem.id()).isEqualTo(ProblemId.NO_DEAD_LETTER_ADDRESS);
        assertThat(problem.text()).contains(key + "=dead-letter from");
        assertThat(onlyProblem(read(Map.of(), PICK_WITH_DEAD_LETTERS)).id())
                .isEqualTo(ProblemId.NO_DEAD_LETTER_ADDRESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"consignee.subscriber.pick.dead-letter", "consignee.defaults.dead-letter"})
    void policyOfDeadLettersFindsAConfiguredAddress(String key) {
        SubscriberSettings settings = pick(read(Map.of(key, "dead"), PICK_WITH_DEAD_LETTERS));

        assertThat(settings.onDecodeError()).isEqualTo(OnDecodeError.DEAD_LETTER);
        assertThat(settings.deadLetter()).contains(new DeadLetterAddress(false, "dead"));
    }

    @ParameterizedTest
    @CsvSource({"QUEUE, dead, dead", "VALUE, dead, dead", "TOPIC, dead, topic:dead"})
    void defaultDeadLetterAddressLeavesItsOwnConsumerAlone(Attribute address, String name, String deadLetter) {
        Declaration consumer = method("bury", Map.of(address, name));

        Configuration configuration = read(
                Map.of(
                        "consignee.defaults.dead-letter", deadLetter,
                        "consignee.defaults.on-decode-error", "dead-letter",
                        "consignee.defaults.max-attempts", "3"),
                PICK,
                consumer);

        assertThat(configuration.problems()).isEmpty();
        SubscriberSettings bury = configuration.subscriber("bury").orElseThrow();
        assertThat(bury.deadLetter()).isEmpty();
        assertThat(bury.onDecodeError()).isEqualTo(OnDecodeError.DROP);
        assertThat(bury.maxAttempts()).hasValue(3);
        SubscriberSettings pick = configuration.subscriber("pick").orElseThrow();
        assertThat(pick.deadLetter()).contains(DeadLetterAddress.parse(deadLetter));
        assertThat(pick.onDecodeError()).isEqualTo(OnDecodeError.DEAD_LETTER);
    }

    @Test
    void consumerOfTheDefaultDeadLetterAddressMayHaveOneOfItsOwnAndOtherDefaults() {
        Map<String, String> defaults =
                Map.of("consignee.defaults.dead-letter", "dead", "consignee.defaults.on-decode-error", "retry");

        SubscriberSettings silent = pick(read(defaults, method("pick", Map.of(Attribute.QUEUE, "dead"))));
        SubscriberSettings own = pick(read(
                Map.of("consignee.defaults.dead-letter", "dead", "consignee.defaults.on-decode-error", "dead-letter"),
                method("pick", Map.of(Attribute.QUEUE, "dead", Attribute.DEAD_LETTER, "grave"))));

        assertThat(silent.onDecodeError()).isEqualTo(OnDecodeError.RETRY);
        assertThat(own.onDecodeError()).isEqualTo(OnDecodeError.DEAD_LETTER);
        assertThat(own.deadLetter()).contains(new DeadLetterAddress(false, "grave"));
    }

    @Test
    void consumerOfTheDefaultDeadLetterAddressThatAsksForDeadLettersItselfIsRefused() {
        Declaration declaration =
                method("bury", Map.of(Attribute.QUEUE, "dead", Attribute.ON_DECODE_ERROR, "DEAD_LETTER"));

        assertThat(onlyProblem(read(Map.of("consignee.defaults.dead-letter", "dead"), declaration))
                        .id())
                .isEqualTo(ProblemId.NO_DEAD_LETTER_ADDRESS);
    }

    @Test
    void configuredAddressThatIsTheDefaultDeadLetterAddressIsLeftAloneToo() {
        assertThat(pick(read(
                                Map.of(
                                        "consignee.defaults.dead-letter", "dead",
                                        "consignee.subscriber.pick.queue", "dead"),
                                PICK))
                        .deadLetter())
                .isEmpty();
    }

    @Test
    void deadLettersToTheSubscribersOwnAddressAreRefusedWithBothSources() {
        Problem problem = onlyProblem(read(Map.of("consignee.subscriber.pick.dead-letter", "shipments"), PICK));

        assertThat(problem.id()).isEqualTo(ProblemId.DEAD_LETTER_TO_ITSELF);
        assertThat(problem.text())
                .contains(
                        "@Subscriber(queue = \"shipments\")",
                        "consignee.subscriber.pick.dead-letter=shipments from PropertiesConfigSource");
    }

    @Test
    void wrongBackoffOfAllIsToldOnce() {
        Problem problem = onlyProblem(read(
                Map.of("consignee.defaults.backoff", "5m..1s"), PICK, method("other", Map.of(Attribute.QUEUE, "q"))));

        assertThat(problem.id()).isEqualTo(ProblemId.BAD_BACKOFF);
        assertThat(problem.text()).contains("of all subscribers", "consignee.defaults.backoff=5m..1s from");
    }

    @Test
    void delayInTheProcessIsRefusedWithABrokerThatReturnsARejectedMessage() {
        Declaration declaration = method("pick", Map.of(Attribute.QUEUE, "q", Attribute.BROKER, "eu"));
        Map<String, String> broker =
                Map.of("consignee.broker.eu.url", "amqp://eu", "consignee.broker.eu.profile", "Broker_J");

        Declaration ofAnother = method("other", Map.of(Attribute.QUEUE, "q"));

        assertThat(onlyProblem(read(broker, declaration, ofAnother)).text())
                .contains(
                        "CONS0135",
                        "subscriber 'pick'",
                        "consignee.broker.eu.profile",
                        "hold",
                        "broker",
                        "delayed-retry");
    }

    @ParameterizedTest
    @CsvSource({
        "consignee.defaults.delayed-retry, hold",
        "consignee.defaults.delayed-retry, broker",
        "consignee.subscriber.pick.delayed-retry, Hold",
        "consignee.subscriber.pick.settle, at-most-once"
    })
    void otherDelaysAreLegalWithABrokerThatReturnsARejectedMessage(String key, String value) {
        assertThat(read(Map.of("consignee.profile", "broker-j", key, value), PICK)
                        .problems())
                .isEmpty();
    }

    @Test
    void writtenDelayInTheProcessIsToldWithItsSource() {
        assertThat(onlyProblem(read(
                                Map.of(
                                        "consignee.profile", "broker-j",
                                        "consignee.defaults.delayed-retry", "in-process"),
                                PICK))
                        .text())
                .contains("consignee.defaults.delayed-retry=in-process from");
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
        "max-attempt, did you mean 'max-attempts'?",
        "deadLetter, did you mean 'dead-letter'?",
        "batch, has no attribute",
        "concurrency, has no attribute",
        "paused, has no attribute",
        "onException, did you mean 'on-exception'?",
        "name, it is the annotation's alone",
        "drop-on, it is the annotation's alone",
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
                "consignee.profiles",
                "consignee.token-provider",
                "consignee.subscriber.pick",
                "consignee.defaults.queue",
                "consignee.defaults.name",
                "consignee.defaults.paused",
                "consignee.defaults.drop-on",
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
                        "CONSIGNEE_DEFAULTS_ON_DECODE_ERROR", "dead-letter",
                        "CONSIGNEE_DEFAULTS_DEAD_LETTER", "dead",
                        "CONSIGNEE_SUBSCRIBER_LOG_PICK_MAX_ATTEMPTS", "4",
                        "CONSIGNEE_BROKER_EU_WEST_PROFILE", "artemis",
                        "CONSIGNEE_BROKER_EU_WEST_URL", "amqp://eu",
                        "CONSIGNEE_BROKER_EU_WEST_RECONNECT_MAX_DELAY", "1m",
                        "CONSIGNEE_SHUTDOWN_TIMEOUT", "1s"),
                declaration);

        assertThat(configuration.problems()).isEmpty();
        SubscriberSettings settings = configuration.subscriber("log-pick").orElseThrow();
        assertThat(settings.credit()).isEqualTo(5);
        assertThat(settings.onException()).isEqualTo(OnException.DROP);
        assertThat(settings.onDecodeError()).isEqualTo(OnDecodeError.DEAD_LETTER);
        assertThat(settings.deadLetter()).contains(new DeadLetterAddress(false, "dead"));
        assertThat(settings.maxAttempts()).hasValue(4);
        assertThat(configuration.broker("eu-west").orElseThrow().profile()).contains(BrokerProfile.ARTEMIS);
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

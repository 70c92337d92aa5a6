package dev.consignee.declaration;

import static dev.consignee.declaration.Declarations.DELIVERY;
import static dev.consignee.declaration.Declarations.OUTCOME;
import static dev.consignee.declaration.Declarations.SHIPMENT;
import static dev.consignee.declaration.Declarations.STRING;
import static dev.consignee.declaration.Declarations.method;
import static dev.consignee.declaration.Declarations.named;
import static dev.consignee.declaration.Declarations.pick;
import static dev.consignee.declaration.Declarations.returning;
import static dev.consignee.declaration.Declarations.taking;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesTest {

    private static List<ProblemId> ids(List<Problem> problems) {
        return problems.stream().map(Problem::id).toList();
    }

    private static List<ProblemId> idsOf(Declaration declaration) {
        return ids(Rules.check(declaration));
    }

    private static List<ProblemId> idsOfQueueWith(Attribute attribute, String text) {
        return idsOf(pick(Map.of(Attribute.QUEUE, "shipments", attribute, text)));
    }

    @Test
    void rightDeclarationHasNoProblem() {
        assertThat(Rules.check(pick(Map.of(Attribute.QUEUE, "shipments", Attribute.CREDIT, "32"))))
                .isEmpty();
    }

    @Test
    void creditZeroIsRefusedWithTheLegalRange() {
        List<Problem> problems = Rules.check(pick(Map.of(Attribute.QUEUE, "shipments", Attribute.CREDIT, "0")));

        assertThat(problems).singleElement().extracting(Problem::text).isEqualTo("""
            CONS0104: credit of subscriber 'pick' is '0': out of range.
                      Warehouse.pick(Shipment), @Subscriber(credit = 0).
                      Legal: 1 to 32767. Write a number in the range, or leave the attribute out for its default.\
            """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0", "-1", "32768", "-2147483648", "99999999999999999999", "abc", "", "1.5", "0x10", "1 2", "٣"})
    void creditThatIsNoNumberInTheRangeIsRefused(String credit) {
        assertThat(idsOfQueueWith(Attribute.CREDIT, credit)).containsExactly(ProblemId.BAD_NUMBER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "32767", " 8 ", "007"})
    void creditInTheRangeIsLegal(String credit) {
        assertThat(idsOfQueueWith(Attribute.CREDIT, credit)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "0KiB",
                "-1",
                "1.5MiB",
                "64 KiB",
                "64KB",
                "64k",
                "MiB",
                "2GiB",
                "2147483648",
                "99999999999GiB"
            })
    void sizeThatIsNoneOrOutOfRangeIsRefused(String size) {
        assertThat(idsOfQueueWith(Attribute.MAX_MESSAGE_SIZE, size)).containsExactly(ProblemId.BAD_SIZE);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "65536, 65536", "64KiB, 65536", "64kib, 65536", "1MiB, 1048576", "1GiB, 1073741824", "' 7 ', 7"
    })
    void sizeIsANumberOfBytesOrWithABinaryUnit(String size, long bytes) {
        assertThat(idsOfQueueWith(Attribute.MAX_MESSAGE_SIZE, size)).isEmpty();
        assertThat(Kind.Size.parse(size)).hasValue(bytes);
    }

    @Test
    void sizeThatIsRefusedSaysWhatIsLegal() {
        assertThat(Rules.check(pick(Map.of(Attribute.QUEUE, "shipments", Attribute.MAX_MESSAGE_SIZE, "64KB"))))
                .singleElement()
                .extracting(Problem::text)
                .asString()
                .startsWith("CONS0126: max-message-size of subscriber 'pick' is '64KB': not a size.")
                .contains("Legal: 1 to 2147483647 bytes, such as 65536, 64KiB, 1MiB or 1GiB.");
    }

    @Test
    void noAddressIsRefused() {
        assertThat(idsOf(pick(Map.of()))).containsExactly(ProblemId.NO_ADDRESS);
    }

    @Test
    void twoAddressesAreRefusedWithBoth() {
        List<Problem> problems = Rules.check(pick(Map.of(Attribute.QUEUE, "a", Attribute.TOPIC, "b")));

        assertThat(ids(problems)).containsExactly(ProblemId.SEVERAL_ADDRESSES);
        assertThat(problems.get(0).text())
                .contains("queue 'a' and topic 'b'", "@Subscriber(queue = \"a\"); @Subscriber(topic = \"b\")");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", " a", "a\t", "a\nb", "\u0001"})
    void addressThatCannotBeOneIsRefused(String address) {
        assertThat(idsOf(pick(Map.of(Attribute.VALUE, address)))).containsExactly(ProblemId.BAD_ADDRESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "/queue/x", "größe::x?y=z", "topic://a.b"})
    void addressMayHaveWhateverTheBrokerUnderstands(String address) {
        assertThat(idsOf(pick(Map.of(Attribute.VALUE, address)))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "SETTLE, at-least-once",
        "SETTLE, At-Most_Once",
        "ON_EXCEPTION, stop",
        "ON_EXCEPTION, Drop",
        "ON_DECODE_ERROR, ACK",
        "ON_DECODE_ERROR, dead-letter",
        "DELAYED_RETRY, in-process",
        "DELAYED_RETRY, In_Process",
        "DELAYED_RETRY, broker",
        "DELAYED_RETRY, HOLD",
        "ON_STOP, discard",
        "ATTEMPT_SOURCE, broker"
    })
    void choiceIsLegalInAnyCaseWithHyphenOrUnderscore(Attribute attribute, String text) {
        assertThat(idsOfQueueWith(attribute, text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "SETTLE, AT_LEAST_TWICE",
        "ON_DECODE_ERROR, DEADLETTER",
        "DELAYED_RETRY, inprocess",
        "ON_STOP, keep",
        "ATTEMPT_SOURCE, copies",
        "ON_EXCEPTION, RETRI",
        "ON_EXCEPTION, 'RETRY,DROP'",
        "ON_EXCEPTION, ''"
    })
    void unknownChoiceIsRefused(Attribute attribute, String text) {
        assertThat(idsOfQueueWith(attribute, text)).containsExactly(ProblemId.BAD_CHOICE);
    }

    @Test
    void unknownChoiceIsToldTheLegalOnesAndTheNearest() {
        Problem problem = Rules.check(pick(Map.of(Attribute.QUEUE, "q", Attribute.ON_EXCEPTION, "retyr")))
                .get(0);

        assertThat(problem.text()).contains("'retyr'", "did you mean RETRY?", "Legal: RETRY, DROP, ACK, STOP.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "1", "", "ture"})
    void truthValueThatIsNoneIsRefused(String text) {
        assertThat(idsOfQueueWith(Attribute.ENABLED, text)).containsExactly(ProblemId.BAD_TRUTH_VALUE);
    }

    @Test
    void severalValuesOfAnArrayAttributeAreRefusedOnce() {
        Declaration declaration = pick(Map.of(Attribute.QUEUE, "q"));
        Map<Attribute, Setting> settings = new EnumMap<>(declaration.settings());
        settings.put(Attribute.ON_EXCEPTION, Setting.annotated(Attribute.ON_EXCEPTION, List.of("RETRY", "DROP")));

        List<Problem> problems = Rules.check(declaration.withSettings(settings));

        assertThat(ids(problems)).containsExactly(ProblemId.SEVERAL_VALUES);
        assertThat(problems.get(0).text()).contains("@Subscriber(onException = {RETRY, DROP})");
    }

    @Test
    void severalTypesOfExceptionsAreLegal() {
        Declaration declaration = pick(Map.of(Attribute.QUEUE, "q"));
        Map<Attribute, Setting> settings = new EnumMap<>(declaration.settings());
        settings.put(Attribute.DROP_ON, Setting.annotated(Attribute.DROP_ON, List.of("shop.Wrong", "shop.Gone")));

        assertThat(Rules.check(declaration.withSettings(settings))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "MAX_ATTEMPTS, 1, true",
        "MAX_ATTEMPTS, 1000000, true",
        "MAX_ATTEMPTS, 0, false",
        "MAX_ATTEMPTS, 1000001, false",
        "MAX_ATTEMPTS, none, false",
        "MAX_WAITING_COPIES, 1, true",
        "MAX_WAITING_COPIES, 10000000, true",
        "MAX_WAITING_COPIES, 0, false",
        "MAX_WAITING_COPIES, 10000001, false"
    })
    void numbersHaveTheirRanges(Attribute attribute, String text, boolean legal) {
        assertThat(idsOfQueueWith(attribute, text)).isEqualTo(legal ? List.of() : List.of(ProblemId.BAD_NUMBER));
    }

    @ParameterizedTest
    @CsvSource({
        "QUEUE, DURABLE, audit, true",
        "VALUE, DURABLE, audit, true",
        "QUEUE, SHARED, true, true",
        "QUEUE, SHARED, false, false",
        "TOPIC, DURABLE, audit, false",
        "TOPIC, SHARED, true, false"
    })
    void onlyTopicsAreDurableOrShared(Attribute address, Attribute attribute, String text, boolean refused) {
        assertThat(idsOf(pick(Map.of(address, "a", attribute, text))))
                .isEqualTo(refused ? List.of(ProblemId.ONLY_FOR_TOPICS) : List.of());
    }

    @ParameterizedTest
    @CsvSource({"SELECTOR, ' '", "DURABLE, ''", "DURABLE, a|b"})
    void textsThatTheBrokerOrTheClientRefusesAreRefused(Attribute attribute, String text) {
        assertThat(idsOf(pick(Map.of(Attribute.TOPIC, "t", attribute, text)))).containsExactly(ProblemId.BAD_TEXT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "a b", "-a", "größe", "a=b", "${n}"})
    void nameThatIsNoPartOfAKeyIsRefused(String name) {
        assertThat(idsOfQueueWith(Attribute.NAME, name)).containsExactly(ProblemId.BAD_NAME);
    }

    @Test
    void methodNameThatMakesNoNameIsRefused() {
        assertThat(idsOf(named("größe", Map.of(Attribute.QUEUE, "q")))).containsExactly(ProblemId.BAD_NAME);
    }

    @Test
    void emptyBrokerNameIsTheUnnamedBroker() {
        assertThat(idsOfQueueWith(Attribute.BROKER, "")).isEmpty();
    }

    static Stream<Arguments> payloads() {
        Shape list = new Shape.Declared(
                "java.util.List", List.of(SHIPMENT), Set.of("java.util.Collection", "java.lang.Iterable"));
        Shape variable = new Shape.Variable("T");
        return Stream.of(
                Arguments.of(new Shape.Primitive("int"), "is primitive"),
                Arguments.of(variable, "type variable"),
                Arguments.of(new Shape.Array(variable), "type variable"),
                Arguments.of(new Shape.Declared("shop.Envelope", List.of(variable), Set.of()), "type variable"),
                Arguments.of(list, "Warehouse.pick(List<Shipment>)"),
                Arguments.of(new Shape.Declared("java.lang.Iterable", List.of(), Set.of()), "batch"),
                Arguments.of(OUTCOME, "what a handler returns"),
                Arguments.of(new Shape.Declared("dev.consignee.Publisher", List.of(), Set.of()), "injected"),
                Arguments.of(
                        new Shape.Declared("jakarta.jms.TextMessage", List.of(), Set.of("jakarta.jms.Message")),
                        "take its payload"));
    }

    @ParameterizedTest
    @MethodSource("payloads")
    void payloadThatNoMessageIsDecodedToIsRefused(Shape payload, String reason) {
        List<Problem> problems = Rules.check(taking(payload));

        assertThat(ids(problems)).containsExactly(ProblemId.BAD_PAYLOAD);
        assertThat(problems.get(0).text()).contains(reason);
    }

    static Stream<Shape> goodPayloads() {
        Shape object = new Shape.Declared("java.lang.Object", List.of(), Set.of());
        return Stream.of(
                STRING,
                object,
                new Shape.Array(new Shape.Primitive("byte")),
                new Shape.Array(SHIPMENT),
                new Shape.Declared("java.util.Map", List.of(STRING, new Shape.Wildcard("?", object)), Set.of()),
                new Shape.Declared("shop.Tree", List.of(), Set.of("java.lang.Iterable")));
    }

    @ParameterizedTest
    @MethodSource("goodPayloads")
    void otherPayloadsAreLegal(Shape payload) {
        assertThat(idsOf(taking(payload))).isEmpty();
        assertThat(idsOf(taking(payload, DELIVERY))).isEmpty();
        assertThat(idsOf(taking(DELIVERY, payload))).isEmpty();
    }

    @Test
    void parametersAreOnePayloadAndAtMostOneDelivery() {
        assertThat(idsOf(taking())).containsExactly(ProblemId.NO_PAYLOAD);
        assertThat(idsOf(taking(DELIVERY))).containsExactly(ProblemId.NO_PAYLOAD);
        assertThat(idsOf(taking(SHIPMENT, STRING))).containsExactly(ProblemId.SEVERAL_PAYLOADS);
        assertThat(idsOf(taking(SHIPMENT, DELIVERY, DELIVERY))).containsExactly(ProblemId.SEVERAL_DELIVERIES);
        assertThat(idsOf(taking(DELIVERY, DELIVERY)))
                .containsExactly(ProblemId.NO_PAYLOAD, ProblemId.SEVERAL_DELIVERIES);
    }

    static Stream<Arguments> returns() {
        Shape stage = new Shape.Declared(
                "java.util.concurrent.CompletableFuture",
                List.of(OUTCOME),
                Set.of("java.util.concurrent.CompletionStage"));
        return Stream.of(
                Arguments.of(STRING, "returns String."),
                Arguments.of(new Shape.Primitive("boolean"), "returns boolean."),
                Arguments.of(new Shape.Variable("R"), "returns R."),
                Arguments.of(stage, "returns CompletableFuture<HandlerOutcome>: this version does not wait for stages"),
                Arguments.of(
                        new Shape.Declared("java.util.List", List.of(OUTCOME), Set.of("java.util.Collection")),
                        "no batches"));
    }

    @ParameterizedTest
    @MethodSource("returns")
    void returnTypeThatSaysNothingOfTheDeliveryIsRefused(Shape returns, String reason) {
        List<Problem> problems = Rules.check(returning(returns));

        assertThat(ids(problems)).containsExactly(ProblemId.BAD_RETURN);
        assertThat(problems.get(0).text()).contains(reason, "Legal: HandlerOutcome, void.");
    }

    @Test
    void voidAndSubtypesOfTheOutcomeAreLegalReturns() {
        assertThat(idsOf(returning(new Shape.Nothing()))).isEmpty();
        assertThat(idsOf(returning(new Shape.Declared(
                        "dev.consignee.HandlerOutcome$Ack", List.of(), Set.of("dev.consignee.HandlerOutcome")))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"STATIC, STATIC_METHOD", "PRIVATE, PRIVATE_METHOD", "ABSTRACT, ABSTRACT_METHOD"})
    void methodsThatNoBeanInstanceHandlesAreRefused(Modifier modifier, ProblemId id) {
        assertThat(idsOf(method(Set.of(modifier), List.of(SHIPMENT), OUTCOME, Scope.NORMAL)))
                .containsExactly(id);
    }

    @ParameterizedTest
    @EnumSource(Scope.class)
    void onlySessionAndConversationScopeAreRefused(Scope scope) {
        boolean refused = scope == Scope.SESSION || scope == Scope.CONVERSATION;

        assertThat(idsOf(method(Set.of(), List.of(SHIPMENT), OUTCOME, scope)))
                .isEqualTo(refused ? List.of(ProblemId.BAD_SCOPE) : List.of());
    }

    @Test
    void twoSubscribersOfOneNameAreRefusedNamingBoth() {
        Declaration one = pick(Map.of(Attribute.QUEUE, "a"));
        Declaration other = named("take", Map.of(Attribute.QUEUE, "b", Attribute.NAME, "pick"));

        List<Problem> problems = Rules.checkAll(List.of(one, other));

        assertThat(ids(problems)).containsExactly(ProblemId.SAME_NAME);
        assertThat(problems.get(0).text()).contains("Warehouse.pick(Shipment)", "Warehouse.take(Shipment)");
    }

    @ParameterizedTest
    @CsvSource({"false, false, t, true", "true, false, t, true", "true, true, t, false", "true, true, other, true"})
    void oneDurableSubscriptionIsForOneSubscriberUnlessBothShareIt(
            String shared, String otherShared, String otherTopic, boolean refused) {
        Declaration one = pick(Map.of(Attribute.TOPIC, "t", Attribute.DURABLE, "audit", Attribute.SHARED, shared));
        Declaration other = named(
                "log", Map.of(Attribute.TOPIC, otherTopic, Attribute.DURABLE, "audit", Attribute.SHARED, otherShared));

        assertThat(ids(Rules.checkAll(List.of(one, other))))
                .isEqualTo(refused ? List.of(ProblemId.SAME_SUBSCRIPTION) : List.of());
    }

    @Test
    void durableSubscriptionsOfTwoBrokersAreTwo() {
        Declaration one = pick(Map.of(Attribute.TOPIC, "t", Attribute.DURABLE, "audit"));
        Declaration other =
                named("log", Map.of(Attribute.TOPIC, "t", Attribute.DURABLE, "audit", Attribute.BROKER, "eu"));

        assertThat(Rules.checkAll(List.of(one, other))).isEmpty();
    }

    @Test
    void brokerWithoutUrlIsRefusedListingTheConfiguredOnes() {
        Declaration declaration = pick(Map.of(Attribute.QUEUE, "q", Attribute.BROKER, "eux"));

        List<Problem> problems =
                Rules.checkBroker(declaration, new Brokers(new TreeSet<>(Set.of("", "eu", "us")), Set.of(), Set.of()));

        assertThat(ids(problems)).containsExactly(ProblemId.UNKNOWN_BROKER);
        assertThat(problems.get(0).text())
                .contains(
                        "'eux'",
                        "did you mean 'eu'?",
                        "Legal: the unnamed broker, 'eu', 'us'.",
                        "consignee.broker.eux.url");
    }

    @Test
    void durableSubscriptionNeedsAContainerIdUnlessShared() {
        Brokers without = new Brokers(new TreeSet<>(Set.of("")), Set.of(), Set.of());
        Brokers with = new Brokers(new TreeSet<>(Set.of("")), Set.of(""), Set.of());
        Declaration durable = pick(Map.of(Attribute.TOPIC, "t", Attribute.DURABLE, "audit"));
        Declaration shared = pick(Map.of(Attribute.TOPIC, "t", Attribute.DURABLE, "audit", Attribute.SHARED, "true"));

        assertThat(ids(Rules.checkBroker(durable, without))).containsExactly(ProblemId.DURABLE_WITHOUT_CONTAINER_ID);
        assertThat(Rules.checkBroker(durable, with)).isEmpty();
        assertThat(Rules.checkBroker(shared, without)).isEmpty();
    }

    @Test
    void delayInTheProcessIsRefusedWhereTheBrokerReturnsARejectedMessage() {
        Declaration declaration = pick(Map.of(Attribute.QUEUE, "q", Attribute.BROKER, "eu"));

        List<Problem> problems = Rules.checkBroker(declaration, returningRejected("eu"));

        assertThat(ids(problems)).containsExactly(ProblemId.DELAY_MULTIPLIES);
        assertThat(problems.get(0).text())
                .contains(
                        "subscriber 'pick'",
                        "broker 'eu' (consignee.broker.eu.profile is 'broker-j')",
                        "Legal: delayed-retry 'hold' or 'broker' with this broker.",
                        "consignee.subscriber.pick.delayed-retry",
                        "consignee.defaults.delayed-retry");
    }

    private static Brokers returningRejected(String broker) {
        return new Brokers(new TreeSet<>(Set.of("", "eu")), Set.of(), Set.of(broker));
    }

    @ParameterizedTest
    @CsvSource({
        "DELAYED_RETRY, IN_PROCESS, true",
        "DELAYED_RETRY, in-process, true",
        "DELAYED_RETRY, hold, false",
        "DELAYED_RETRY, broker, false",
        "DELAYED_RETRY, inprocess, false",
        "SETTLE, at-least-once, true",
        "SETTLE, AT_MOST_ONCE, false",
        "BROKER, eu, false"
    })
    void onlyADelayInTheProcessThatRejectsIsRefused(Attribute attribute, String text, boolean refused) {
        Declaration declaration = pick(Map.of(Attribute.QUEUE, "q", attribute, text));

        assertThat(ids(Rules.checkBroker(declaration, returningRejected(""))))
                .isEqualTo(refused ? List.of(ProblemId.DELAY_MULTIPLIES) : List.of());
    }
}

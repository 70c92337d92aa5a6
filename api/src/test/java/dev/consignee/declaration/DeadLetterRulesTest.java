package dev.consignee.declaration;

import static dev.consignee.declaration.Declarations.pick;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterRulesTest {

    private static List<ProblemId> ids(List<Problem> problems) {
        return problems.stream().map(Problem::id).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "dead, false, dead",
        "topic:dead, true, dead",
        "topic://a.b, true, //a.b",
        "topic:topic:dead, true, topic:dead",
        "queue:dead, false, queue:dead",
        "Topic:dead, false, Topic:dead",
        "a topic:b, false, a topic:b",
        "größe::x?y=z, false, größe::x?y=z"
    })
    void addressIsAQueueUnlessItSaysTopic(String text, boolean topic, String name) {
        assertThat(DeadLetterAddress.parse(text)).isEqualTo(new DeadLetterAddress(topic, name));
        assertThat(Rules.check(pick(Map.of(Attribute.QUEUE, "q", Attribute.DEAD_LETTER, text))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "  ", " a", "a\t", "a\nb", "topic:", "topic: ", "topic: a", " topic:a", "topic:a\u0001"})
    void addressThatCannotBeOneIsRefused(String text) {
        assertThat(Rules.check(pick(Map.of(Attribute.QUEUE, "q", Attribute.DEAD_LETTER, text))))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.id()).isEqualTo(ProblemId.BAD_ADDRESS);
                    assertThat(problem.text())
                            .contains("dead-letter of subscriber 'pick' is '", "Legal: a queue, or topic:name; text");
                });
    }

    @Test
    void topicWithoutANameIsToldSo() {
        assertThat(new Kind.DeadLetter().objection("topic:")).contains("no name after 'topic:'");
    }

    @ParameterizedTest
    @CsvSource({
        "QUEUE, a, true",
        "QUEUE, topic:a, false",
        "QUEUE, A, false",
        "QUEUE, b, false",
        "TOPIC, topic:a, true",
        "TOPIC, a, false",
        "VALUE, a, true",
        "VALUE, topic:a, false",
        "VALUE, queue:a, false"
    })
    void deadLettersMayNotGoWhereTheyComeFrom(Attribute address, String deadLetter, boolean refused) {
        assertThat(ids(Rules.check(pick(Map.of(address, "a", Attribute.DEAD_LETTER, deadLetter)))))
                .isEqualTo(refused ? List.of(ProblemId.DEAD_LETTER_TO_ITSELF) : List.of());
    }

    @Test
    void deadLettersThatWouldComeBackAreToldWithBothPlaces() {
        assertThat(Rules.check(pick(Map.of(Attribute.TOPIC, "news", Attribute.DEAD_LETTER, "topic:news"))))
                .singleElement()
                .extracting(Problem::text)
                .isEqualTo("""
            CONS0134: dead letters of subscriber 'pick' would go to topic 'news', from which it consumes: they would come back for ever.
                      Warehouse.pick(Shipment), @Subscriber(topic = "news"); @Subscriber(deadLetter = "topic:news").
                      Legal: a queue or topic from which the subscriber does not consume. Write another dead-letter address, or leave it out.\
            """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DEAD_LETTER", "dead-letter"})
    void policyOfDeadLettersNeedsAnAddress(String policy) {
        Declaration without = pick(Map.of(Attribute.QUEUE, "q", Attribute.ON_DECODE_ERROR, policy));
        Declaration with =
                pick(Map.of(Attribute.QUEUE, "q", Attribute.ON_DECODE_ERROR, policy, Attribute.DEAD_LETTER, "dead"));

        assertThat(Rules.checkComplete(without)).singleElement().satisfies(problem -> {
            assertThat(problem.id()).isEqualTo(ProblemId.NO_DEAD_LETTER_ADDRESS);
            assertThat(problem.text())
                    .contains(
                            "on-decode-error of subscriber 'pick' is DEAD_LETTER",
                            "onDecodeError = " + policy,
                            "consignee.subscriber.pick.dead-letter",
                            "consignee.defaults.dead-letter");
        });
        assertThat(Rules.checkComplete(with)).isEmpty();
    }

    @Test
    void annotationAloneMayLackTheAddress() {
        assertThat(Rules.check(pick(Map.of(Attribute.QUEUE, "q", Attribute.ON_DECODE_ERROR, "DEAD_LETTER"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"AT_MOST_ONCE, DEAD_LETTER, true", "AT_MOST_ONCE, DROP, false", "AT_LEAST_ONCE, DEADLETTER, false"})
    void otherPoliciesNeedNoneAndAtMostOnceMakesNoDifference(String settle, String policy, boolean refused) {
        Declaration declaration =
                pick(Map.of(Attribute.QUEUE, "q", Attribute.SETTLE, settle, Attribute.ON_DECODE_ERROR, policy));

        assertThat(ids(Rules.checkComplete(declaration)))
                .isEqualTo(refused ? List.of(ProblemId.NO_DEAD_LETTER_ADDRESS) : List.of());
    }

    @Test
    void deadLetterAddressWithoutACapIsLegalAndSoIsACapWithoutOne() {
        assertThat(Rules.checkComplete(pick(Map.of(Attribute.QUEUE, "q", Attribute.DEAD_LETTER, "dead"))))
                .isEmpty();
        assertThat(Rules.checkComplete(pick(Map.of(Attribute.QUEUE, "q", Attribute.MAX_ATTEMPTS, "3"))))
                .isEmpty();
    }
}

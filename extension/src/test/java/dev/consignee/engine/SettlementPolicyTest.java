package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.consignee.HandlerOutcome;
import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.engine.SettlementPolicy.Plan;
import dev.consignee.transport.Disposition;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SettlementPolicyTest {

    private static final Plan STOP = new Plan.Stop();

    private static final Map<OnException, Plan> THREW = new EnumMap<>(Map.of(
            OnException.RETRY, settle(Disposition.MODIFIED_FAILED),
            OnException.DROP, settle(Disposition.REJECTED),
            OnException.ACK, settle(Disposition.ACCEPTED),
            OnException.STOP, STOP));

    private static final Map<OnDecodeError, Plan> UNDECODABLE = new EnumMap<>(Map.of(
            OnDecodeError.DROP, settle(Disposition.REJECTED),
            OnDecodeError.RETRY, settle(Disposition.MODIFIED_FAILED),
            OnDecodeError.ACK, settle(Disposition.ACCEPTED),
            OnDecodeError.STOP, STOP));

    private static Plan settle(Disposition disposition) {
        return new Plan.Settle(disposition);
    }

    /** Every pair of policies; a new constant without a row here fails. */
    static Stream<SettlementPolicy> policies() {
        return Arrays.stream(OnException.values())
                .flatMap(thrown -> Arrays.stream(OnDecodeError.values())
                        .map(undecodable -> new SettlementPolicy(thrown, undecodable)));
    }

    static Stream<Arguments> returned() {
        return policies()
                .flatMap(policy -> Stream.of(
                        Arguments.of(policy, HandlerOutcome.ack(), Disposition.ACCEPTED),
                        Arguments.of(policy, HandlerOutcome.retry(), Disposition.MODIFIED_FAILED),
                        Arguments.of(policy, HandlerOutcome.drop(), Disposition.REJECTED)));
    }

    @ParameterizedTest
    @MethodSource("returned")
    void whatAHandlerReturnsIsSettledAsItSaysWhateverThePolicies(
            SettlementPolicy policy, HandlerOutcome outcome, Disposition expected) {
        assertThat(policy.returned(outcome)).isEqualTo(settle(expected));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aHandlerThatThrewIsSettledByItsOwnPolicyAlone(SettlementPolicy policy) {
        assertThat(policy.threw()).isNotNull().isEqualTo(THREW.get(policy.onException()));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aBodyThatIsNoPayloadIsSettledByItsOwnPolicyAlone(SettlementPolicy policy) {
        assertThat(policy.undecodable()).isNotNull().isEqualTo(UNDECODABLE.get(policy.onDecodeError()));
    }

    @Test
    void everyOutcomeHasARowInTheTable() {
        assertThat(HandlerOutcome.class.getPermittedSubclasses()).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void nothingThatAHandlerDidIsEverReleased(SettlementPolicy policy) {
        assertThat(Stream.of(
                        policy.returned(HandlerOutcome.ack()),
                        policy.returned(HandlerOutcome.retry()),
                        policy.returned(HandlerOutcome.drop()),
                        policy.threw(),
                        policy.undecodable()))
                .doesNotContain(settle(Disposition.RELEASED));
    }

    @Test
    void noOutcomeIsNoOutcome() {
        assertThatThrownBy(() -> new SettlementPolicy(OnException.RETRY, OnDecodeError.DROP).returned(null))
                .isInstanceOf(IllegalStateException.class);
    }
}

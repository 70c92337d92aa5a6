package dev.consignee.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SubscriptionDiagnosisTest {

    private static SubscriptionDiagnosis in(SubscriptionState state) {
        return new SubscriptionDiagnosis("pick", "queue 'shipments'", "eu", state);
    }

    @ParameterizedTest
    @EnumSource(SubscriptionState.class)
    void itBeginsInTheStateItIsGiven(SubscriptionState state) {
        assertThat(in(state).state()).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource({
        "NEW, STOPPING",
        "CONNECTING, STOPPING",
        "ATTACHED, STOPPING",
        "STOPPING, STOPPING",
        "STOPPED_BY_POLICY, STOPPED_BY_POLICY",
        "STOPPED, STOPPED"
    })
    void stoppingDoesNotUndoAnEnd(SubscriptionState from, SubscriptionState to) {
        SubscriptionDiagnosis diagnosis = in(from);

        diagnosis.stopping();

        assertThat(diagnosis.state()).isEqualTo(to);
    }

    @ParameterizedTest
    @CsvSource({
        "NEW, STOPPED",
        "CONNECTING, STOPPED",
        "ATTACHED, STOPPED",
        "STOPPING, STOPPED",
        "STOPPED_BY_POLICY, STOPPED_BY_POLICY",
        "STOPPED, STOPPED"
    })
    void thatAPolicyStoppedItStaysToBeSeen(SubscriptionState from, SubscriptionState to) {
        SubscriptionDiagnosis diagnosis = in(from);

        diagnosis.stopped();

        assertThat(diagnosis.state()).isEqualTo(to);
    }

    @ParameterizedTest
    @CsvSource({
        "STOPPING, ATTACHED",
        "STOPPING, CONNECTING",
        "STOPPED, ATTACHED",
        "STOPPED, CONNECTING",
        "STOPPED_BY_POLICY, ATTACHED",
        "STOPPED_BY_POLICY, CONNECTING"
    })
    void whatIsStoppingNeverSeemsToBeStartingAgain(SubscriptionState from, SubscriptionState next) {
        SubscriptionDiagnosis diagnosis = in(from);

        diagnosis.state(next);

        assertThat(diagnosis.state()).isEqualTo(from);
    }

    @ParameterizedTest
    @CsvSource({
        "NEW, CONNECTING",
        "CONNECTING, ATTACHED",
        "ATTACHED, CONNECTING",
        "ATTACHED, STOPPED_BY_POLICY",
        "STOPPING, STOPPED_BY_POLICY"
    })
    void lifeGoesOn(SubscriptionState from, SubscriptionState next) {
        SubscriptionDiagnosis diagnosis = in(from);

        diagnosis.state(next);

        assertThat(diagnosis.state()).isEqualTo(next);
    }

    @Test
    void theStatusHasEachCounterInItsOwnPlace() {
        SubscriptionDiagnosis diagnosis = in(SubscriptionState.ATTACHED);
        times(1, diagnosis.counters()::delivery);
        times(2, diagnosis.counters()::accepted);
        times(3, diagnosis.counters()::modified);
        times(4, diagnosis.counters()::rejected);
        times(5, diagnosis.counters()::linkLost);
        times(6, diagnosis.counters()::decodeFailure);
        times(7, diagnosis.counters()::handlerFailure);
        times(8, diagnosis.counters()::attached);
        times(9, diagnosis.counters()::copy);
        times(10, diagnosis.counters()::deadLetter);
        times(11, diagnosis.waitingCopies()::incrementAndGet);
        times(12, diagnosis.counters()::lostCopy);
        times(13, diagnosis.counters()::unsupported);
        times(14, diagnosis.counters()::unhandled);

        assertThat(diagnosis.status())
                .isEqualTo(new SubscriptionStatus(
                        "pick",
                        "queue 'shipments'",
                        "eu",
                        SubscriptionState.ATTACHED,
                        1,
                        2,
                        3,
                        4,
                        5,
                        6,
                        7,
                        8,
                        9,
                        10,
                        11,
                        12,
                        13,
                        14));
    }

    private static void times(int count, Runnable each) {
        for (int i = 0; i < count; i++) {
            each.run();
        }
    }
}

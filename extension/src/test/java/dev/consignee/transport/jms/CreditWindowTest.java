package dev.consignee.transport.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CreditWindowTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 256, 32_767})
    void itGrantsTheWholeCreditAtFirstAndNothingMore(int credit) {
        CreditWindow window = new CreditWindow(credit);

        assertThat(window.grant()).isEqualTo(credit);
        assertThat(window.grant()).isZero();
    }

    /** The broker's books, kept apart from the window's: I1 is a promise to the broker. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 256, 32_767})
    void whateverTheOrderTheBrokerNeverHasMoreThanTheCreditGrantedAndUnsettled(int credit) {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            int bias = 1 + random.nextInt(9);
            CreditWindow window = new CreditWindow(credit);
            int granted = 0;
            int unsettled = 0;
            for (int step = 0; step < 5_000; step++) {
                if (random.nextInt(3) == 0) {
                    int more = window.grant();
                    granted += more;
                } else if (random.nextInt(10) < bias && granted > 0) {
                    granted--;
                    unsettled++;
                    window.received();
                } else if (unsettled > 0) {
                    unsettled--;
                    window.settled();
                } else if (random.nextInt(50) == 0) {
                    granted = 0;
                    window.drained();
                }
                if (granted + unsettled > credit) {
                    fail(
                            "I1: %s granted, %s unsettled of %s; seed %s, step %s",
                            granted, unsettled, credit, seed, step);
                }
            }
            assertThat(window.unsettled()).isEqualTo(unsettled);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 256, 32_767})
    void onceAllIsSettledMoreThanHalfOfTheCreditIsWithTheBrokerAgain(int credit) {
        Random random = new Random(credit);
        CreditWindow window = new CreditWindow(credit);
        int granted = window.grant();
        for (int round = 0; round < 1_000; round++) {
            int received = random.nextInt(granted + 1);
            for (int i = 0; i < received; i++) {
                window.received();
            }
            for (int i = 0; i < received; i++) {
                window.settled();
            }
            granted = granted - received + window.grant();

            assertThat(granted).isGreaterThan(credit / 2);
            assertThat(window.grant()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 256})
    void aCreditThatIsUsedUpAndSettledOneByOneNeverStarves(int credit) {
        CreditWindow window = new CreditWindow(credit);
        int granted = window.grant();
        for (int delivered = 0; delivered < 10 * credit; delivered++) {
            assertThat(granted).as("delivery %s", delivered).isPositive();
            window.received();
            window.settled();
            granted = granted - 1 + window.grant();
        }
    }

    @Test
    void nothingIsGrantedWhileAllIsUnsettled() {
        CreditWindow window = new CreditWindow(10);
        window.grant();
        for (int i = 0; i < 10; i++) {
            window.received();
        }

        assertThat(window.grant()).isZero();
        assertThat(window.unsettled()).isEqualTo(10);
    }

    @Test
    void creditGoesOutInStepsAndNotPerMessage() {
        CreditWindow window = new CreditWindow(256);
        window.grant();
        int frames = 0;
        int granted = 256;
        for (int i = 0; i < 25_600; i++) {
            window.received();
            window.settled();
            int more = window.grant();
            assertThat(more == 0 || granted - 1 <= 128)
                    .as("half or less is left")
                    .isTrue();
            granted = granted - 1 + more;
            frames += more > 0 ? 1 : 0;
        }

        assertThat(frames).isBetween(190, 210);
    }

    @Test
    void whatIsNotWorthAFrameWaits() {
        CreditWindow window = new CreditWindow(10);
        window.grant();
        for (int i = 0; i < 10; i++) {
            window.received();
        }
        window.settled();
        window.settled();
        assertThat(window.grant()).isZero();

        window.settled();

        assertThat(window.grant()).isEqualTo(3);
    }

    @Test
    void whatTheBrokerGaveBackMayBeGrantedAgain() {
        CreditWindow window = new CreditWindow(10);
        window.grant();
        window.received();

        window.drained();

        assertThat(window.grant()).isEqualTo(9);
    }
}

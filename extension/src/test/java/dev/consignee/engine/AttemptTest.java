package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.transport.Forwarding;
import dev.consignee.transport.Message;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttemptTest {

    /** More deliveries than any cap allows. */
    private static final long BEYOND_ANY_CAP = 1_000_000;

    private static Message message(OptionalLong deliveryCount, Map<String, Object> applicationProperties) {
        Message.Header header = new Message.Header(true, OptionalInt.empty(), Optional.empty(), deliveryCount);
        return new Message(header, Map.of(), Message.Properties.NONE, applicationProperties, new Message.None());
    }

    private static Message copy(OptionalLong deliveryCount, Object retryCount) {
        return message(deliveryCount, Map.of(Forwarding.RETRY_COUNT, retryCount));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "4, 5", "4294967295, 4294967296"})
    void aMessageThatIsNoCopyIsCountedByTheBrokerAlone(long deliveryCount, long attempt) {
        assertThat(Attempt.of(message(OptionalLong.of(deliveryCount), Map.of())))
                .isEqualTo(new Attempt(attempt, false, true));
    }

    @Test
    void aMessageWithoutAHeaderSectionIsTheFirstAttemptAndNobodyCountsIt() {
        Message message =
                new Message(Message.Header.NONE, Map.of(), Message.Properties.NONE, Map.of(), new Message.None());

        assertThat(Attempt.of(message)).isEqualTo(new Attempt(1, false, false));
    }

    @Test
    void aHeaderSectionThatSaysOtherThingsIsNoCount() {
        assertThat(Attempt.of(message(OptionalLong.empty(), Map.of())).counted())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1", "1, 0, 2", "4, 0, 5", "0, 3, 4", "2, 3, 6"})
    void ofACopyTheCountOfCopiesAndTheBrokersAddUp(int retryCount, long deliveryCount, long attempt) {
        assertThat(Attempt.of(copy(OptionalLong.of(deliveryCount), retryCount)))
                .isEqualTo(new Attempt(attempt, true, true));
    }

    @Test
    void aCopyWithoutAHeaderSectionIsCountedByItsPropertyAlone() {
        assertThat(Attempt.of(copy(OptionalLong.empty(), 2))).isEqualTo(new Attempt(3, true, false));
    }

    /** Copy after copy, with redeliveries by the broker in between, no number is used twice or left out (attempt-2). */
    @Test
    void aCopyGoesOnFromTheAttemptThatItCopies() {
        long first = Attempt.of(message(OptionalLong.empty(), Map.of())).number();
        long second = Attempt.of(copy(OptionalLong.empty(), first)).number();
        long redelivered = Attempt.of(copy(OptionalLong.of(1), first)).number();
        long next = Attempt.of(copy(OptionalLong.of(0), redelivered)).number();

        assertThat(List.of(first, second, redelivered, next)).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void otherPropertiesAreNoCount() {
        Map<String, Object> others = Map.of("X-RustStream-Retry-Count", 5, "retry-count", 5, "JMSXDeliveryCount", 5);

        assertThat(Attempt.of(message(OptionalLong.of(0), others))).isEqualTo(new Attempt(1, false, true));
    }

    /** A peer in another language writes what its language has; AMQP's unsigned types arrive as wider ones. */
    static Stream<Object> three() {
        return Stream.of(
                (byte) 3,
                (short) 3,
                3,
                3L,
                BigInteger.valueOf(3),
                "3",
                " 3 ",
                "\t3\r\n",
                "03",
                "0000000000000000003",
                bytes("3"),
                bytes(" 3\n"));
    }

    @ParameterizedTest
    @MethodSource("three")
    void theCountIsReadWhateverTypeAPeerWroteItAs(Object three) {
        assertThat(Attempt.retryCount(three)).hasValue(3);
        assertThat(Attempt.of(copy(OptionalLong.empty(), three))).isEqualTo(new Attempt(4, true, false));
    }

    static Stream<Object> garbage() {
        return Stream.of(
                "abc",
                "",
                " ",
                "-1",
                "+1",
                "--1",
                "2.5",
                "1e3",
                "0x10",
                "1_000",
                "1 000",
                "3x",
                "\u0663",
                "\uff13",
                "1".repeat(100_000),
                (byte) -1,
                Short.MIN_VALUE,
                -1,
                Integer.MIN_VALUE,
                Long.MIN_VALUE,
                BigInteger.ONE.negate(),
                BigInteger.TWO.pow(64).negate(),
                2.5f,
                2.5,
                2.0,
                Double.NaN,
                BigDecimal.TEN,
                true,
                'x',
                new UUID(0, 3),
                Instant.EPOCH,
                List.of(3),
                Map.of("count", 3),
                new byte[0],
                bytes("-1"),
                bytes("abc"),
                new byte[] {3},
                new byte[] {-1, 0, 51});
    }

    @ParameterizedTest
    @MethodSource("garbage")
    void whatIsNoCountIsACopyOfNoAttempts(Object garbage) {
        assertThat(Attempt.of(copy(OptionalLong.empty(), garbage))).isEqualTo(new Attempt(1, true, false));
        assertThat(Attempt.of(copy(OptionalLong.of(4), garbage))).isEqualTo(new Attempt(5, true, true));
    }

    static Stream<Object> huge() {
        return Stream.of(
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                BigInteger.TWO.pow(63),
                BigInteger.TWO.pow(64).subtract(BigInteger.ONE),
                BigInteger.TEN.pow(100),
                "2147483648",
                "9223372036854775807",
                "9223372036854775808",
                "18446744073709551615",
                "18446744073709551616",
                bytes("18446744073709551616"));
    }

    /** What is beyond any cap stays beyond it: a count that wrapped around would start the message over, for ever. */
    @ParameterizedTest
    @MethodSource("huge")
    void aHugeCountIsClampedAndNeverOverflows(Object huge) {
        for (long deliveryCount : new long[] {0, 1, Integer.MAX_VALUE, (1L << 32) - 1}) {
            Attempt attempt = Attempt.of(copy(OptionalLong.of(deliveryCount), huge));

            assertThat(attempt.number()).isGreaterThan(BEYOND_ANY_CAP).isLessThan(1L << 40);
            assertThat(Attempt.of(copy(OptionalLong.of(0), attempt.number())).number())
                    .as("its next copy")
                    .isGreaterThan(BEYOND_ANY_CAP);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 999_999, 1_000_000, 1_000_001})
    void noCountThatACapCanTellApartIsClamped(long count) {
        assertThat(Attempt.retryCount(count)).hasValue(count);
        assertThat(Attempt.retryCount(Long.toString(count))).hasValue(count);
        assertThat(Attempt.of(copy(OptionalLong.empty(), count)).number()).isEqualTo(count + 1);
    }

    @Test
    void whatCannotBeReadHasHadItsAttemptsWhateverTheCap() {
        assertThat(Attempt.UNREADABLE.number()).isGreaterThan(1_000_000);
        assertThat(Attempt.UNREADABLE.copy()).isFalse();
        assertThat(Attempt.UNREADABLE.counted()).isTrue();
    }
}

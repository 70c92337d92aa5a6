package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.MessageId;
import dev.consignee.transport.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceivedDeliveryTest {

    private static ReceivedDelivery delivery(OptionalLong count) {
        return of(Messages.counted(count));
    }

    private static ReceivedDelivery of(Message message) {
        return new ReceivedDelivery("shipments", message, Attempt.of(message));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "41, 42", "2147483646, 2147483647", "2147483647, 2147483647", "4294967295, 2147483647"})
    void aCountOfTheBrokersIncludesThisDelivery(long earlier, int expected) {
        ReceivedDelivery delivery = delivery(OptionalLong.of(earlier));

        assertThat(delivery.redeliveryCount()).hasValue(expected);
        assertThat(delivery.attempt()).isEqualTo(expected);
    }

    @Test
    void withoutACountOfTheBrokersThereIsStillAnAttempt() {
        ReceivedDelivery delivery = delivery(OptionalLong.empty());

        assertThat(delivery.redeliveryCount()).isEmpty();
        assertThat(delivery.attempt()).isEqualTo(1);
    }

    @Test
    void headersAreTheApplicationPropertiesAndHaveATextEach() {
        ReceivedDelivery delivery = delivery(OptionalLong.of(0));

        assertThat(delivery.headers()).isEqualTo(Map.of("k", "v", "n", 7));
        assertThat(delivery.header("n")).contains("7");
        assertThat(delivery.header("missing")).isEmpty();
    }

    @Test
    void withoutAHeaderItIsNotDurableAndOfDefaultPriority() {
        ReceivedDelivery delivery = of(Messages.text("x"));

        assertThat(delivery.durable()).isFalse();
        assertThat(delivery.priority()).isEqualTo(4);
        assertThat(delivery.timeToLive()).isEmpty();
        assertThat(delivery.userId()).isEmpty();
    }

    @Test
    void eachFieldIsInItsOwnPlace() {
        Message.Properties properties = Message.Properties.builder()
                .messageId(MessageId.of("id"))
                .userId(new byte[] {1})
                .to("to")
                .subject("subject")
                .replyTo("reply")
                .correlationId(MessageId.of("correlation"))
                .contentType("type")
                .contentEncoding("encoding")
                .expiryTime(Instant.ofEpochMilli(1))
                .creationTime(Instant.ofEpochMilli(2))
                .groupId("group")
                .groupSequence(OptionalLong.of(3))
                .replyToGroupId("reply group")
                .build();
        Message.Header header =
                new Message.Header(true, OptionalInt.of(7), Optional.of(Duration.ofSeconds(8)), OptionalLong.empty());
        ReceivedDelivery delivery =
                of(new Message(header, Map.of("x-opt-a", 9), properties, Map.of(), new Message.None()));

        assertThat(delivery.address()).isEqualTo("shipments");
        assertThat(delivery.messageId()).contains(MessageId.of("id"));
        assertThat(delivery.userId()).hasValueSatisfying(id -> assertThat(id).containsExactly(1));
        assertThat(delivery.to()).contains("to");
        assertThat(delivery.subject()).contains("subject");
        assertThat(delivery.replyTo()).contains("reply");
        assertThat(delivery.correlationId()).contains(MessageId.of("correlation"));
        assertThat(delivery.contentType()).contains("type");
        assertThat(delivery.contentEncoding()).contains("encoding");
        assertThat(delivery.expiryTime()).contains(Instant.ofEpochMilli(1));
        assertThat(delivery.creationTime()).contains(Instant.ofEpochMilli(2));
        assertThat(delivery.groupId()).contains("group");
        assertThat(delivery.groupSequence()).hasValue(3);
        assertThat(delivery.replyToGroupId()).contains("reply group");
        assertThat(delivery.durable()).isTrue();
        assertThat(delivery.priority()).isEqualTo(7);
        assertThat(delivery.timeToLive()).contains(Duration.ofSeconds(8));
        assertThat(delivery.annotations()).isEqualTo(Map.of("x-opt-a", 9));
    }
}

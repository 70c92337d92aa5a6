package dev.consignee.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AmqpClientWireTest {

    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration QUIET = Duration.ofMillis(200);

    private static EmbeddedArtemis broker;
    private static AmqpClient client;

    @BeforeAll
    static void start() throws JMSException {
        broker = EmbeddedArtemis.withDefaults();
        client = new AmqpClient(broker.url());
    }

    @AfterAll
    static void stop() {
        client.close();
        broker.close();
    }

    @Test
    void jsonIsOneDataSectionAndArrivesAsOne() throws Exception {
        client.sendToQueue("json", Outbound.json("{\"sku\":\"ä\"}"));
        assertJson(broker.messages("json").get(0));
        assertJson(client.receive("json", SOON).orElseThrow());
        assertThat(broker.queue("json").messageCount()).isZero();
    }

    private static void assertJson(WireMessage message) {
        assertThat(message.sections()).filteredOn(Data.class::isInstance).hasSize(1);
        assertThat(message.section(AmqpValue.class)).isEmpty();
        assertThat(message.text()).isEqualTo("{\"sku\":\"ä\"}");
        assertThat(message.contentType()).contains("application/json");
        assertThat(message.section(Header.class)).isPresent();
    }

    @Test
    void bodiesOfEveryKindArriveAsTheyWereSent() throws Exception {
        client.sendToQueue(
                "bodies",
                Outbound.text("text"),
                Outbound.data(new byte[] {1, 2}, "image/png"),
                Outbound.data(new byte[] {3}),
                Outbound.value("value"),
                Outbound.serialized("object"));

        List<WireMessage> received = client.receiveAll("bodies", QUIET);

        assertThat(received)
                .extracting(message -> message.contentType().orElse("none"))
                .containsExactly(
                        "text/plain",
                        "image/png",
                        // Qpid JMS names it on its own
                        "application/octet-stream",
                        "none",
                        "application/x-java-serialized-object");
        assertThat(received.get(0).text()).isEqualTo("text");
        assertThat(received.get(1).data()).containsExactly(1, 2);
        assertThat(received.get(2).data()).containsExactly(3);
        assertThat(received.get(3).section(AmqpValue.class)).isPresent();
        assertThat(received.get(3).text()).isEqualTo("value");
        assertThat(received.get(4).data()).startsWith((byte) 0xac, (byte) 0xed);
    }

    @Test
    void propertiesOfAnyNameAndTypeArrive() throws Exception {
        UUID uuid = UUID.randomUUID();
        client.sendToQueue(
                "properties",
                Outbound.json("{}")
                        .withProperty("x-ruststream-retry-count", UnsignedInteger.valueOf(2))
                        .withProperty("uuid", uuid)
                        .withProperty("trace", "7")
                        .withAnnotation("x-opt-trace", 7)
                        .withCorrelationId("c-1")
                        .withGroupId("g-1"));

        WireMessage message = client.receive("properties", SOON).orElseThrow();

        assertThat(message.properties())
                .containsEntry("x-ruststream-retry-count", UnsignedInteger.valueOf(2))
                .containsEntry("uuid", uuid)
                .containsEntry("trace", "7");
        assertThat(message.annotations()).containsEntry("x-opt-trace", 7);
        assertThat(message.correlationId()).contains("c-1");
    }

    @Test
    void sectionsGoOutExactlyAsGiven() throws Exception {
        Section[] sections = {
            new ApplicationProperties(Map.of("x-ruststream-retry-count", 4L)),
            new Data(new Binary("a".getBytes(StandardCharsets.UTF_8))),
            new Data(new Binary("b".getBytes(StandardCharsets.UTF_8)))
        };
        client.sendToQueue("sections", Outbound.sections(sections));

        WireMessage stored = broker.messages("sections").get(0);

        assertThat(stored.section(Header.class)).isEmpty();
        assertThat(stored.sections()).hasSize(3);
        assertThat(stored.text()).isEqualTo("ab");
        assertThatThrownBy(() -> Outbound.sections(sections).withProperty("late", 1))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void messageThatIsNotDurableHasNoHeader() throws Exception {
        client.sendToQueue("light", Outbound.json("{}").notDurable());

        assertThat(broker.messages("light").get(0).section(Header.class)).isEmpty();
    }

    @Test
    void nothingComesFromAnEmptyQueue() throws Exception {
        assertThat(client.receive("empty", QUIET)).isEmpty();
        assertThat(broker.queue("empty").consumerCount()).isZero();
    }

    @Test
    void manyAreSentInOrder() throws Exception {
        client.sendToQueue("many", 5000, i -> Outbound.value(Integer.toString(i)));

        assertThat(broker.queue("many").messageCount()).isEqualTo(5000);
        assertThat(broker.messages("many"))
                .extracting(WireMessage::text)
                .startsWith("0", "1", "2")
                .endsWith("4998", "4999");
    }
}

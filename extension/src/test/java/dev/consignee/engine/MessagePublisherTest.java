package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.consignee.Codec;
import dev.consignee.MessageId;
import dev.consignee.PublishException;
import dev.consignee.Publisher;
import dev.consignee.transport.Address;
import dev.consignee.transport.Message;
import dev.consignee.transport.Transport;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import java.io.IOException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(20)
class MessagePublisherTest {

    private static final Jsonb JSONB = JsonbBuilder.create();

    private final FakeTransport transport = new FakeTransport();
    private final FakeTransport elsewhere = new FakeTransport();
    private final Logs logs = new Logs();
    private final Brokers brokers = new Brokers();
    private final Publisher publisher;

    MessagePublisherTest() {
        brokers.add(Specs.broker(""), transport, Specs.AT_ONCE);
        brokers.add(Specs.broker("eu"), elsewhere, Specs.AT_ONCE);
        publisher = new MessagePublisher(brokers, new PayloadEncoder(JSONB, Codecs.NONE));
    }

    /** A payload. */
    public record Picked(String sku) {}

    @AfterEach
    void close() {
        brokers.close();
        logs.close();
    }

    private Message sent() {
        return transport.senders.get(0).sent.get(0);
    }

    private static byte[] body(Message message) {
        return ((Message.Data) message.body()).bytes();
    }

    @Test
    void anObjectIsWrittenByTheCodecOfItsContentTypeAndTextAndBytesAreNot() {
        Codec csv = new Codec() {
            @Override
            public Set<String> contentTypes() {
                return Set.of("text/csv");
            }

            @Override
            public Object decode(byte[] body, Type type, String contentType) {
                throw new AssertionError("nothing is decoded here");
            }

            @Override
            public byte[] encode(Object payload, String contentType) throws Exception {
                if (payload instanceof Picked picked) {
                    return (picked.sku() + ";" + contentType).getBytes(StandardCharsets.UTF_8);
                }
                throw new IOException("no row: " + payload);
            }
        };
        Publisher coding =
                new MessagePublisher(brokers, new PayloadEncoder(JSONB, new Codecs(Map.of("text/csv", csv))));

        coding.toQueue("a").contentType("Text/CSV; header=absent").send(new Picked("pen"));
        coding.toQueue("a").contentType("text/csv").send("a;b");
        coding.toQueue("a").send(new Picked("pen"));

        assertThat(transport.senders.get(0).sent)
                .extracting(message -> new String(body(message), StandardCharsets.UTF_8))
                .containsExactly("pen;Text/CSV; header=absent", "a;b", "{\"sku\":\"pen\"}");
        assertThatThrownBy(() -> coding.toQueue("a").contentType("text/csv").send(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be written as text/csv: no row");
    }

    @Test
    void theConnectionIsOpenedWithTheFirstMessageAndIsForPublishing() {
        assertThat(transport.attempts()).isZero();

        publisher.toQueue("a").send("x");

        assertThat(transport.connection(1).role).isEqualTo(Transport.Role.PUBLISHING);
    }

    @Test
    void theAddressIsOfTheKindThatWasSaid() {
        publisher.toQueue("a").send("x");
        publisher.toTopic("a").send("x");
        publisher.to("a").send("x");

        assertThat(transport.senders)
                .extracting(each -> each.target)
                .containsExactly(
                        new Address(Address.Kind.QUEUE, "a"),
                        new Address(Address.Kind.TOPIC, "a"),
                        new Address(Address.Kind.VERBATIM, "a"));
    }

    @Test
    void anAddressWithoutANameIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> publisher.toQueue(""));
    }

    @Test
    void anObjectIsJson() {
        publisher.toQueue("a").send(new Picked("ü"));

        assertThat(body(sent())).asString(StandardCharsets.UTF_8).isEqualTo("{\"sku\":\"ü\"}");
        assertThat(sent().properties().contentType()).contains("application/json");
    }

    @Test
    void aStringIsText() {
        publisher.toQueue("a").send("grüße");

        assertThat(body(sent())).isEqualTo("grüße".getBytes(StandardCharsets.UTF_8));
        assertThat(sent().properties().contentType()).contains("text/plain; charset=utf-8");
    }

    @Test
    void bytesAreBytesAndTheCallersToChangeAfterwards() {
        byte[] payload = {1, 2, 3};
        publisher.toQueue("a").send(payload);
        payload[0] = 9;

        assertThat(body(sent())).containsExactly(1, 2, 3);
        assertThat(sent().properties().contentType()).contains("application/octet-stream");
    }

    @Test
    void aMessageIsDurableAndHasAnIdOfItsOwn() {
        publisher.toQueue("a").correlationId("c-1").send("x");
        publisher.toQueue("a").send("y");

        List<Message> sent = transport.senders.get(0).sent;
        assertThat(sent)
                .allMatch(message -> message.header().durable())
                .allMatch(message -> message.body() instanceof Message.Data);
        assertThat(sent)
                .extracting(message -> message.properties().messageId().orElseThrow())
                .doesNotHaveDuplicates();
        assertThat(sent.get(0).properties().correlationId()).contains(MessageId.of("c-1"));
        assertThat(sent.get(1).properties().correlationId()).isEmpty();
    }

    static Stream<Object> legalHeaders() {
        return Stream.of(
                "text",
                true,
                (byte) 1,
                (short) 2,
                3,
                4L,
                5f,
                6d,
                'c',
                new UUID(1, 2),
                Instant.EPOCH,
                new byte[] {1},
                BigInteger.ZERO,
                BigInteger.TWO.pow(64).subtract(BigInteger.ONE));
    }

    @ParameterizedTest
    @MethodSource("legalHeaders")
    void aHeaderOfALegalTypeIsAnApplicationProperty(Object value) {
        publisher.toQueue("a").header("k", value).send("x");

        assertThat(sent().applicationProperties()).containsExactly(entry("k", value));
    }

    static Stream<Object> illegalHeaders() {
        return Stream.of(
                List.of(1),
                Map.of(),
                new BigDecimal("1.5"),
                BigInteger.ONE.negate(),
                BigInteger.TWO.pow(64),
                new Date(0),
                new Object(),
                new int[] {1});
    }

    @ParameterizedTest
    @MethodSource("illegalHeaders")
    void aHeaderOfAnotherTypeIsRefusedWithWhatIsLegal(Object value) {
        Publisher.Draft draft = publisher.toQueue("a");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> draft.header("x-trace", value))
                .withMessageContainingAll(
                        "'x-trace'", "queue 'a'", value.getClass().getName(), "String", "Instant", "byte[]");

        draft.header("x-trace", "7").send("x");
        assertThat(sent().applicationProperties()).containsExactly(entry("x-trace", "7"));
    }

    @Test
    void nothingMayBeNullAndTheRefusalSaysWhat() {
        Publisher.Draft draft = publisher.toQueue("a");

        assertThatNullPointerException()
                .isThrownBy(() -> draft.header(null, "v"))
                .withMessage("name");
        assertThatNullPointerException()
                .isThrownBy(() -> draft.header("x-trace", null))
                .withMessage("value");
        assertThatNullPointerException()
                .isThrownBy(() -> draft.correlationId((MessageId) null))
                .withMessage("id");
        assertThatNullPointerException().isThrownBy(() -> draft.send(null)).withMessage("payload");
        assertThat(transport.attempts()).isZero();
    }

    @Test
    void aDraftIsSentOnce() {
        Publisher.Draft draft = publisher.toQueue("a");
        draft.send("x");

        assertThatIllegalStateException().isThrownBy(() -> draft.send("x"));
        assertThat(transport.senders.get(0).sent).hasSize(1);
    }

    /** A payload that cannot be written. */
    public static final class Unwritable {
        public String getText() {
            throw new IllegalStateException("no text");
        }
    }

    @Test
    void whatJsonBCannotWriteIsTheCallersMistake() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> publisher.toQueue("a").send(new Unwritable()))
                .withMessageContaining(Unwritable.class.getName());
        assertThat(transport.attempts()).isZero();
    }

    @Test
    void theWaitIsTheSendTimeoutOfTheBroker() {
        publisher.toQueue("a").send("x");

        assertThat(transport.senders.get(0).timeouts).containsExactly(Duration.ofSeconds(7));
    }

    @Test
    void aRefusalCarriesTheAddressTheReasonAndTheCondition() {
        transport.onSender = attempt -> {
            throw FakeTransport.refused("no right to send");
        };

        assertThatThrownBy(() -> publisher.toQueue("a").send("x"))
                .isInstanceOfSatisfying(
                        PublishException.class,
                        refused -> assertThat(refused.condition()).contains("amqp:not-allowed"))
                .hasMessageContainingAll("queue 'a'", "no right to send")
                .hasCauseInstanceOf(dev.consignee.transport.TransportException.class);
    }

    @Test
    void anOutcomeOtherThanAcceptedIsARefusalToo() {
        publisher.toQueue("a").send("x");
        transport.senders.get(0).onSend = message -> CompletableFuture.failedFuture(FakeTransport.refused("full"));

        assertThatThrownBy(() -> publisher.toQueue("a").send("y"))
                .isInstanceOfSatisfying(
                        PublishException.class,
                        refused -> assertThat(refused.condition()).contains("amqp:not-allowed"))
                .hasMessageContainingAll("queue 'a'", "full");
    }

    @Test
    void sendingAsynchronouslyDoesNotWaitAndTellsTheOutcomeInTheSameTerms() {
        publisher.toQueue("a").send("x");
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        transport.senders.get(0).onSend = message -> outcome;

        CompletionStage<Void> stage = publisher.toQueue("a").sendAsync("y");
        assertThat(stage.toCompletableFuture()).isNotDone();
        outcome.completeExceptionally(FakeTransport.refused("full"));

        assertThat(stage.toCompletableFuture())
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .havingRootCause()
                .withMessage("full");
        assertThat(stage.toCompletableFuture()
                        .handle((accepted, failed) -> failed.getCause())
                        .join())
                .isInstanceOf(PublishException.class);
    }

    @Test
    void aDelayThatTheBrokerDoesNotOfferIsRefusedAndNothingLeaves() {
        publisher.toQueue("a").send("x");
        transport.senders.get(0).offersDelay = false;

        assertThatThrownBy(() -> publisher
                        .toQueue("a")
                        .deliveryDelay(Duration.ofSeconds(1))
                        .send("y"))
                .isInstanceOf(PublishException.class)
                .hasMessageContaining("delayed delivery");
        assertThat(transport.senders.get(0).sent).hasSize(1);
    }

    @Test
    void aBrokerThatCannotBeReachedIsTriedOnceAMessage() {
        transport.onConnect = attempt -> {
            throw FakeTransport.refused("down");
        };

        assertThatThrownBy(() -> publisher.toQueue("a").send("x")).isInstanceOf(PublishException.class);
        assertThat(transport.attempts()).isEqualTo(1);
    }

    @Test
    void anInterruptIsRestored() {
        publisher.toQueue("a").send("x");
        transport.senders.get(0).onSend = message -> {
            Thread.currentThread().interrupt(); // while it waits for the broker
            return new CompletableFuture<>();
        };

        assertThatThrownBy(() -> publisher.toQueue("a").send("y"))
                .isInstanceOf(PublishException.class)
                .hasMessageContainingAll("Interrupted", "queue 'a'", "may have it")
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anotherBrokerHasConnectionsOfItsOwn() {
        publisher.broker("eu").toQueue("a").send("x");

        assertThat(elsewhere.senders).hasSize(1);
        assertThat(transport.attempts()).isZero();
        assertThat(publisher.broker("eu").broker("")).isNotNull();
        assertThat(publisher.broker("")).isSameAs(publisher);
    }

    @Test
    void aBrokerThatNobodyKnowsIsRefusedWithThoseThatAreKnown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> publisher.broker("us"))
                .withMessageContainingAll("'us'", "'eu'", "the unnamed one", "consignee.broker.us.url");
    }

    @Test
    void onceTheBrokersAreClosedNothingIsSent() {
        publisher.toQueue("a").send("x");
        brokers.close();

        assertThatThrownBy(() -> publisher.toQueue("a").send("y"))
                .isInstanceOf(PublishException.class)
                .hasMessageContaining("stopped");
        assertThat(transport.connection(1).closed()).isTrue();
    }
}

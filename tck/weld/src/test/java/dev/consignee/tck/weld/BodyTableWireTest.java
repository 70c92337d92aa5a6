package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.consignee.Delivery;
import dev.consignee.Subscriber;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.WireMessage;
import dev.consignee.tck.weld.BodyShapes.Shape;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.SenderOptions;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each shape of body is to a handler that takes JSON, text or bytes: the table of {@code docs/bodies.md}, sent by a
 * client that is no JMS client and shares no code with the application's.
 */
class BodyTableWireTest {

    private static final Jsonb JSONB = JsonbBuilder.create();
    private static final List<String> QUEUES = List.of("json", "text", "bytes");
    private static final List<Shape> SHAPES = BodyShapes.all();
    private static final int LONGEST = 40;
    private static final String REFUSED = "refused";

    private static EmbeddedArtemis broker;
    private static FrameProxy proxy;
    private static WeldApplication application;

    /** By queue, the numbers of the shapes in the dead-letter queue. */
    private static Map<String, List<Integer>> deadLetters;

    @BeforeAll
    static void sendEveryShapeToEveryHandler() throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        QUEUES.forEach(broker::createQueue);
        proxy = FrameProxy.to(broker.port());
        application =
                WeldApplication.of(Handlers.class).url(proxy.url()).start().awaitAttached();
        try (Client client = Client.create();
                Connection connection = client.connect("127.0.0.1", broker.port())) {
            for (String queue : QUEUES) {
                SenderOptions toQueue = new SenderOptions();
                toQueue.targetOptions().capabilities("queue");
                try (Sender sender = connection.openSender(queue, toQueue)) {
                    for (int number = 0; number < SHAPES.size(); number++) {
                        sender.send(message(SHAPES.get(number), number, queue)).awaitAccepted();
                    }
                }
            }
        }
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> QUEUES.forEach(queue -> {
                    assertThat(proxy.dispositionsOf(queue)).hasSize(SHAPES.size());
                    await().untilAsserted(() ->
                            assertThat(broker.queue(queue).messageCount()).isZero());
                }));
        deadLetters = broker.messages(EmbeddedArtemis.DEAD_LETTER_QUEUE).stream()
                .map(WireMessage::properties)
                .collect(Collectors.groupingBy(
                        properties -> String.valueOf(properties.get("queue")),
                        TreeMap::new,
                        Collectors.mapping(properties -> (Integer) properties.get("number"), Collectors.toList())));
    }

    private static AdvancedMessage<Object> message(Shape shape, int number, String queue) throws Exception {
        AdvancedMessage<Object> message = AdvancedMessage.create();
        message.durable(true);
        message.property("number", number);
        message.property("queue", queue);
        if (!shape.contentType().isEmpty()) {
            message.contentType(shape.contentType());
        }
        for (Section<?> section : shape.sections()) {
            message.addBodySection(section);
        }
        return message;
    }

    @AfterAll
    static void stop() throws Exception {
        application.close();
        proxy.close();
        broker.close();
        JSONB.close();
    }

    static Stream<Arguments> shapes() {
        return IntStream.range(0, SHAPES.size()).mapToObj(number -> Arguments.of(number, SHAPES.get(number)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("shapes")
    @Asserts({"failure-2", "failure-3"})
    void shapeIsWhatTheTableSays(int number, Shape shape) {
        assertOutcome("json", number, shape.json());
        assertOutcome("text", number, shape.text());
        assertOutcome("bytes", number, shape.bytes());
    }

    private static void assertOutcome(String queue, int number, Optional<Object> expected) {
        Object handled = application.bean(Handlers.class).handled().get(queue + number);
        boolean dead = deadLetters.getOrDefault(queue, List.of()).contains(number);
        if (expected.isPresent()) {
            assertThat(handled).as("payload in '%s'", queue).isEqualTo(expected.get());
            assertThat(dead).as("rejected in '%s'", queue).isFalse();
        } else {
            assertThat(handled)
                    .as("payload in '%s', which should be refused", queue)
                    .isNull();
            assertThat(dead).as("rejected in '%s'", queue).isTrue();
        }
    }

    @Test
    void everyRefusalIsARejectedDispositionAndEveryOtherAnAcceptedOne() {
        for (String queue : QUEUES) {
            int refusals = deadLetters.get(queue).size();
            assertThat(proxy.dispositionsOf(queue).stream().filter(Rejected.class::isInstance))
                    .hasSize(refusals);
            assertThat(proxy.dispositionsOf(queue).stream().filter(Accepted.class::isInstance))
                    .hasSize(SHAPES.size() - refusals);
            assertThat(application.status(queue).decodeFailures()).isEqualTo(refusals);
            assertThat(application.status(queue).handlerFailures()).isZero();
        }
    }

    @Test
    void tableHasFortyShapesAtLeast() {
        assertThat(SHAPES).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void manualHasTheShapesOfThisTest() throws Exception {
        String page =
                Files.readString(Path.of(System.getProperty("basedir", "")).resolve("../../docs/bodies.md"));
        List<String> lines = new ArrayList<>(List.of(
                "<!-- generated: shapes -->",
                "| body | content type | JSON type | `String` | `byte[]` |",
                "|---|---|---|---|---|"));
        SHAPES.forEach(shape -> lines.add("| " + shape.body() + " | " + code(shape.contentType()) + " | "
                + cell(shape.json()) + " | " + cell(shape.text()) + " | " + cell(shape.bytes()) + " |"));
        lines.add("<!-- end -->");
        String table = String.join("\n", lines);

        assertThat(page.contains(table))
                .withFailMessage("docs/bodies.md is not what this test asserts. Put this there:%n%n%s%n", table)
                .isTrue();
    }

    private static String cell(Optional<Object> payload) {
        return payload.map(BodyTableWireTest::shown).orElse(REFUSED);
    }

    private static String shown(Object payload) {
        if (payload instanceof byte[] bytes) {
            return bytes.length + " bytes";
        }
        String text = (String) payload;
        if (text.isEmpty()) {
            return "empty";
        }
        return text.length() > LONGEST ? text.length() + " characters" : code(text);
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "`" + text.replace("\n", "\\n").replace("|", "\\|") + "`";
    }

    /** Takes a body in each of the three ways. */
    @ApplicationScoped
    static class Handlers {

        private final Map<String, Object> handled = new ConcurrentHashMap<>();

        @Subscriber(queue = "json")
        void json(Object payload, Delivery delivery) {
            handled.put("json" + delivery.header("number").orElseThrow(), JSONB.toJson(payload));
        }

        @Subscriber(queue = "text")
        void text(String payload, Delivery delivery) {
            handled.put("text" + delivery.header("number").orElseThrow(), payload);
        }

        @Subscriber(queue = "bytes")
        void bytes(byte[] payload, Delivery delivery) {
            handled.put("bytes" + delivery.header("number").orElseThrow(), payload);
        }

        Map<String, Object> handled() {
            return handled;
        }
    }
}

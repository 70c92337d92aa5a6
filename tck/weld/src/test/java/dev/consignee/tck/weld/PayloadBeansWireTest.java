package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.consignee.Codec;
import dev.consignee.Subscriber;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.Outbound;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.spi.DeploymentException;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbConfig;
import jakarta.json.bind.config.PropertyNamingStrategy;
import jakarta.validation.Valid;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the application brings for its payloads: a Jsonb, codecs, constraints. */
class PayloadBeansWireTest {

    private EmbeddedArtemis broker;
    private FrameProxy proxy;
    private AmqpClient client;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("orders");
        proxy = FrameProxy.to(broker.port());
        client = new AmqpClient(broker.url());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        proxy.close();
        broker.close();
    }

    private WeldApplication.Builder application(Class<?>... beans) {
        return WeldApplication.of(beans).url(proxy.url());
    }

    private static void assertDoesNotDeploy(WeldApplication.Builder application, String... texts) {
        assertThatThrownBy(() -> application.start().close())
                .isInstanceOf(DeploymentException.class)
                .hasMessageContainingAll(texts);
    }

    // --- JSON-B

    @Test
    void jsonbBeanOfTheApplicationIsUsed() throws Exception {
        try (WeldApplication application =
                application(Orders.class, UpperCase.class).start()) {
            client.sendToQueue("orders", Outbound.json("{\"Id\":1,\"What\":\"pen\"}"));
            await().until(() -> application.bean(Orders.class).seen().equals(List.of(new Order(1, "pen"))));
        }
        assertThat(UpperCase.DISPOSED)
                .as("it is given back when the application ends")
                .containsExactly("closed");
    }

    @Test
    void severalJsonbBeansDoNotDeploy() {
        assertDoesNotDeploy(
                application(Orders.class, UpperCase.class, LowerCase.class),
                "CONS0129",
                "2 Jsonb beans",
                UpperCase.class.getName(),
                LowerCase.class.getName());
    }

    @Test
    void jsonbBeanThatIsAnAlternativeIsPreferred() throws Exception {
        try (WeldApplication application =
                application(Orders.class, LowerCase.class, PreferredCase.class).start()) {
            client.sendToQueue("orders", Outbound.json("{\"Id\":1,\"What\":\"pen\"}"));
            await().until(() -> application.bean(Orders.class).seen().equals(List.of(new Order(1, "pen"))));
        }
    }

    // --- codecs

    @ParameterizedTest
    @ValueSource(strings = {"text/csv", "TEXT/CSV; header=absent"})
    void codecTakesOverItsContentType(String contentType) throws Exception {
        try (WeldApplication application = application(Orders.class, Csv.class).start()) {
            client.sendToQueue("orders", Outbound.data("1,pen".getBytes(StandardCharsets.UTF_8), contentType));
            client.sendToQueue("orders", Outbound.json("{\"id\":2,\"what\":\"cup\"}"));
            await().until(() -> application.bean(Orders.class).seen().size() == 2);
            assertThat(application.bean(Orders.class).seen())
                    .containsExactly(new Order(1, "pen by " + contentType), new Order(2, "cup"));
        }
    }

    @Test
    @Asserts("failure-2")
    void codecThatThrowsIsADecodeFailure() throws Exception {
        try (WeldApplication application = application(Orders.class, Csv.class).start()) {
            client.sendToQueue("orders", Outbound.data("nonsense".getBytes(StandardCharsets.UTF_8), "text/csv"));
            await().until(() -> broker.deadLetters() == 1);
            assertThat(proxy.dispositionsOf("orders")).hasExactlyElementsOfTypes(Rejected.class);
            assertThat(application.status("orders").decodeFailures()).isEqualTo(1);
            assertThat(application.bean(Orders.class).seen()).isEmpty();
        }
    }

    @Test
    void twoCodecsForOneContentTypeDoNotDeploy() {
        assertDoesNotDeploy(
                application(Orders.class, Csv.class, OtherCsv.class),
                "CONS0127",
                "text/csv",
                Csv.class.getName(),
                OtherCsv.class.getName());
    }

    @Test
    void codecThatIsAnAlternativeIsPreferred() throws Exception {
        try (WeldApplication application =
                application(Orders.class, Csv.class, PreferredCsv.class).start()) {
            client.sendToQueue("orders", Outbound.data("1,pen".getBytes(StandardCharsets.UTF_8), "text/csv"));
            await().until(() -> application.bean(Orders.class).seen().equals(List.of(new Order(7, "preferred"))));
        }
    }

    @Test
    void codecsThatDoNotSayWhatTheyAreForDoNotDeploy() {
        assertDoesNotDeploy(
                application(Orders.class, Nothing.class, Nonsense.class, Throwing.class),
                "3 problems",
                "CONS0128",
                Nothing.class.getName() + " names no content types",
                Nonsense.class.getName() + " names 'csv; header=absent', which is no media type",
                Throwing.class.getName() + " cannot be asked for its content types");
    }

    // --- constraints

    @Test
    @Asserts("failure-2")
    void payloadThatIsNotValidIsADecodeFailureThatQuotesNoValues() throws Exception {
        try (LogCapture logs = LogCapture.ofConsignee();
                WeldApplication application = application(Checked.class).start()) {
            client.sendToQueue(
                    "orders",
                    Outbound.json(
                            "{\"id\":-77,\"lines\":[{\"what\":\"pen\"},{\"what\":\" \"}],\"notes\":{\"secret\":{\"what\":\"\"}}}"),
                    Outbound.json("{\"id\":1,\"lines\":[{\"what\":\"pen\"}]}"));
            await().until(() -> application.bean(Checked.class).seen().size() == 1);
            await().until(() -> broker.deadLetters() == 1);
            assertThat(proxy.dispositionsOf("orders")).hasExactlyElementsOfTypes(Rejected.class, Accepted.class);
            assertThat(application.status("orders").decodeFailures()).isEqualTo(1);
            assertThat(logs.lines())
                    .anyMatch(line -> line.contains("the payload is not valid: id must be greater than 0;"
                            + " lines[1].what must not be blank; notes[].what must not be blank"))
                    .noneMatch(line -> line.contains("-77") || line.contains("secret"));
        }
    }

    @Test
    void elementsOfAnArrayAreChecked() throws Exception {
        try (LogCapture logs = LogCapture.ofConsignee();
                WeldApplication application = application(CheckedArray.class).start()) {
            client.sendToQueue("orders", Outbound.json("[{\"what\":\"pen\"},{\"what\":\"\"}]"));
            await().until(() -> broker.deadLetters() == 1);
            assertThat(application.status("orders").decodeFailures()).isEqualTo(1);
            assertThat(logs.lines()).anyMatch(line -> line.contains("[1].what must not be blank"));
        }
    }

    @Test
    void payloadIsCheckedOnlyWhereTheParameterSaysSo() throws Exception {
        try (WeldApplication application = application(Unchecked.class).start()) {
            client.sendToQueue("orders", Outbound.json("{\"id\":-77}"));
            await().until(() -> application.bean(Unchecked.class).seen().size() == 1);
        }
    }

    @Test
    void validatorBeanOfTheApplicationIsUsed() throws Exception {
        OwnValidator.MADE.clear();
        try (WeldApplication application =
                application(Checked.class, OwnValidator.class).start()) {
            assertThat(OwnValidator.MADE).containsExactly("made");
            client.sendToQueue("orders", Outbound.json("{\"id\":0}"));
            await().until(() -> broker.deadLetters() == 1);
            assertThat(application.bean(Checked.class).seen()).isEmpty();
        }
    }

    @Test
    void severalValidatorBeansDoNotDeploy() {
        assertDoesNotDeploy(
                application(Checked.class, OwnValidator.class, OtherValidator.class),
                "CONS0131",
                "several Validator beans");
    }

    // --- the application

    /** A payload. */
    public record Order(int id, String what) {}

    /** A payload with constraints. */
    public record CheckedOrder(@Positive int id, List<@Valid Line> lines, Map<String, @Valid Line> notes) {}

    /** A part of it. */
    public record Line(@NotBlank String what) {}

    /** Takes JSON. */
    @ApplicationScoped
    static class Orders {
        private final List<Order> seen = new CopyOnWriteArrayList<>();

        @Subscriber(queue = "orders")
        void orders(Order order) {
            seen.add(order);
        }

        List<Order> seen() {
            return seen;
        }
    }

    /** Takes what is valid. */
    @ApplicationScoped
    static class Checked {
        private final List<CheckedOrder> seen = new CopyOnWriteArrayList<>();

        @Subscriber(queue = "orders")
        void orders(@Valid CheckedOrder order) {
            seen.add(order);
        }

        List<CheckedOrder> seen() {
            return seen;
        }
    }

    /** Takes an array of what is valid. */
    @ApplicationScoped
    static class CheckedArray {
        @Subscriber(queue = "orders")
        void orders(@Valid Line[] lines) {}
    }

    /** Takes what has constraints, and does not ask for them. */
    @ApplicationScoped
    static class Unchecked {
        private final List<CheckedOrder> seen = new CopyOnWriteArrayList<>();

        @Subscriber(queue = "orders")
        void orders(CheckedOrder order) {
            seen.add(order);
        }

        List<CheckedOrder> seen() {
            return seen;
        }
    }

    /** A Jsonb that begins names with capitals. */
    @Dependent
    static class UpperCase {
        static final List<String> DISPOSED = new CopyOnWriteArrayList<>();

        @Produces
        Jsonb jsonb() {
            return withNames(PropertyNamingStrategy.UPPER_CAMEL_CASE);
        }

        void dispose(@Disposes Jsonb jsonb) {
            DISPOSED.add("closed");
        }

        static Jsonb withNames(String strategy) {
            return JsonbBuilder.create(new JsonbConfig().withPropertyNamingStrategy(strategy));
        }
    }

    /** Another one. */
    @Dependent
    static class LowerCase {
        @Produces
        Jsonb jsonb() {
            return UpperCase.withNames(PropertyNamingStrategy.IDENTITY);
        }
    }

    /** One that CDI prefers. */
    @Dependent
    @Alternative
    @Priority(1)
    static class PreferredCase {
        @Produces
        Jsonb jsonb() {
            return UpperCase.withNames(PropertyNamingStrategy.UPPER_CAMEL_CASE);
        }
    }

    /** Reads an order from a line. */
    @ApplicationScoped
    static class Csv implements Codec {
        @Override
        public Set<String> contentTypes() {
            return Set.of("text/csv");
        }

        @Override
        public Object decode(byte[] body, Type type, String contentType) throws Exception {
            String[] cells = new String(body, StandardCharsets.UTF_8).split(",", -1);
            if (type != Order.class || cells.length != 2) {
                throw new IOException("no order in a line");
            }
            return new Order(Integer.parseInt(cells[0]), cells[1] + " by " + contentType);
        }

        @Override
        public byte[] encode(Object payload, String contentType) {
            Order order = (Order) payload;
            return (order.id() + "," + order.what()).getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Another codec for the same. */
    @ApplicationScoped
    static class OtherCsv extends Csv {
        @Override
        public Set<String> contentTypes() {
            return Set.of("Text/CSV", "text/tab-separated-values");
        }
    }

    /** A codec for the same that CDI prefers. */
    @ApplicationScoped
    @Alternative
    @Priority(1)
    static class PreferredCsv extends Csv {
        @Override
        public Object decode(byte[] body, Type type, String contentType) {
            return new Order(7, "preferred");
        }
    }

    /** A codec for nothing. */
    @ApplicationScoped
    static class Nothing extends Csv {
        @Override
        public Set<String> contentTypes() {
            return Set.of();
        }
    }

    /** A codec for what is none. */
    @ApplicationScoped
    static class Nonsense extends Csv {
        @Override
        public Set<String> contentTypes() {
            return Set.of("csv; header=absent");
        }
    }

    /** A codec that breaks. */
    @ApplicationScoped
    static class Throwing extends Csv {
        @Override
        public Set<String> contentTypes() {
            throw new IllegalStateException("not now");
        }
    }

    /** A validator of the application's own. */
    @Dependent
    static class OwnValidator {
        static final List<String> MADE = new CopyOnWriteArrayList<>();

        @Produces
        Validator validator() {
            MADE.add("made");
            return Validation.buildDefaultValidatorFactory().getValidator();
        }
    }

    /** Another one. */
    @Dependent
    static class OtherValidator {
        @Produces
        Validator validator() {
            return Validation.buildDefaultValidatorFactory().getValidator();
        }
    }
}

package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.consignee.Subscriber;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.LinkEvent;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.List;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which of the places where an attribute may be written wins, by what is asked of the broker. */
class LifeConfigurationWireTest {

    private static EmbeddedArtemis broker;
    private FrameProxy proxy;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedArtemis.withDefaults();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void start() {
        proxy = FrameProxy.to(broker.port());
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    private WeldApplication.Builder plain() {
        return WeldApplication.of(Plain.class).url(proxy.url());
    }

    /** The credit of the first flow on the first link to an address. */
    private long firstCredit(WeldApplication.Builder application, String address) {
        try (WeldApplication running = application.start()) {
            running.awaitAttached();
            await().until(() -> !flows(address).isEmpty());
            return flows(address).get(0).credit();
        }
    }

    private List<LinkEvent.Flowed> flows(String address) {
        return proxy.events(LinkEvent.Flowed.class).stream()
                .filter(flow -> flow.receivingFrom(address) && flow.direction() == Direction.CLIENT_TO_BROKER)
                .toList();
    }

    @Test
    @Asserts("credit-2")
    void creditIs256WhereNothingIsSaid() {
        assertThat(firstCredit(plain(), "unsaid")).isEqualTo(256);
    }

    @Test
    void defaultOfAllSubscribersHoldsWhereNothingIsWritten() {
        assertThat(firstCredit(plain().config("consignee.defaults.credit", "33"), "unsaid"))
                .isEqualTo(33);
    }

    @Test
    void whatIsWrittenGoesBeforeTheDefaultOfAllSubscribers() {
        assertThat(firstCredit(plain().config("consignee.defaults.credit", "33"), "written"))
                .isEqualTo(11);
    }

    @Test
    void subscribersKeyGoesBeforeWhatIsWritten() {
        assertThat(firstCredit(
                        plain().config("consignee.defaults.credit", "33")
                                .config("consignee.subscriber.written.credit", "44"),
                        "written"))
                .isEqualTo(44);
    }

    @Test
    void environmentVariableGoesBeforeAFile() {
        assertThat(firstCredit(
                        plain().config("consignee.subscriber.written.credit", "44")
                                .environment("CONSIGNEE_SUBSCRIBER_WRITTEN_CREDIT", "55"),
                        "written"))
                .isEqualTo(55);
    }

    @Test
    void environmentVariableOfAllSubscribersHoldsToo() {
        assertThat(firstCredit(plain().environment("CONSIGNEE_DEFAULTS_CREDIT", "66"), "unsaid"))
                .isEqualTo(66);
    }

    @Test
    void expressionInAnAddressIsExpanded() {
        try (WeldApplication application = WeldApplication.of(Expanded.class)
                .url(proxy.url())
                .config("region", "eu")
                .start()) {
            application.awaitAttached();
            assertThat(attaches()).containsExactly("orders.eu.in [queue]");
            assertThat(application.status("orders").address()).isEqualTo("orders.eu.in");
        }
    }

    @Test
    void configuredQueueReplacesTheAnnotations() {
        try (WeldApplication application = WeldApplication.of(Expanded.class)
                .url(proxy.url())
                .config("consignee.subscriber.orders.queue", "elsewhere")
                .start()) {
            application.awaitAttached();
            assertThat(attaches()).containsExactly("elsewhere [queue]");
        }
    }

    @Test
    void configuredTopicReplacesTheAnnotationsQueue() {
        try (WeldApplication application = WeldApplication.of(Expanded.class)
                .url(proxy.url())
                .config("consignee.subscriber.orders.topic", "news")
                .start()) {
            application.awaitAttached();
            assertThat(attaches()).containsExactly("news [topic]");
        }
    }

    @Test
    void verbatimAddressHasNoCapability() {
        broker.createQueue("as-it-is");
        try (WeldApplication application = WeldApplication.of(Expanded.class)
                .url(proxy.url())
                .config("consignee.subscriber.orders.value", "as-it-is")
                .start()) {
            application.awaitAttached();
            assertThat(attaches()).containsExactly("as-it-is []");
        }
    }

    @Test
    void disabledSubscriberLeavesTheOthersAlone() {
        try (WeldApplication application =
                plain().config("consignee.subscriber.unsaid.enabled", "false").start()) {
            application.awaitAttached();
            assertThat(attaches()).containsExactly("written [queue]");
        }
    }

    /** The addresses that the client has attached receivers to, with the capabilities of the source. */
    private List<String> attaches() {
        return proxy.frames(frame -> frame.is(Direction.CLIENT_TO_BROKER, Attach.class)).stream()
                .map(frame -> (Source) ((Attach) frame.performative()).getSource())
                .map(source -> source.getAddress() + " " + capabilities(source))
                .toList();
    }

    private static List<String> capabilities(Source source) {
        return source.getCapabilities() == null
                ? List.of()
                : Arrays.stream(source.getCapabilities()).map(Symbol::toString).toList();
    }

    /** One subscriber that says nothing, and one that does. */
    @ApplicationScoped
    static class Plain {

        @Subscriber(queue = "unsaid")
        void unsaid(String payload) {}

        @Subscriber(queue = "written", credit = 11)
        void written(String payload) {}
    }

    /** A subscriber whose address is configuration's. */
    @ApplicationScoped
    static class Expanded {

        @Subscriber(queue = "orders.${region}.${direction:in}")
        void orders(String payload) {}
    }
}

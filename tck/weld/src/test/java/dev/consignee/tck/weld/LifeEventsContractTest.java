package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.consignee.Subscriber;
import dev.consignee.diagnostics.Diagnostics;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.Outbound;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When subscriptions start and stop, beside the application's own observers and beans. */
class LifeEventsContractTest {

    private EmbeddedArtemis broker;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("work");
        send("early");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void send(String payload) throws Exception {
        try (AmqpClient client = new AmqpClient(broker.url())) {
            client.sendToQueue("work", Outbound.text(payload));
        }
    }

    private WeldApplication application(Class<?>... beans) {
        return WeldApplication.of(beans).url(broker.url()).start();
    }

    @Test
    @Asserts("life-4")
    void applicationsObserversHaveStartedItBeforeAnythingIsConsumedAndSeeItStopped() throws Exception {
        List<String> trace;
        try (WeldApplication application = application(Handling.class, Observing.class, Trace.class)) {
            trace = application.bean(Trace.class).lines();
            await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
        }
        assertThat(trace)
                .containsExactly(
                        "initialized: NEW, threads: []",
                        "startup: NEW, threads: []",
                        "handler born",
                        "handled early", //
                        "shutdown: STOPPED, threads: []",
                        "handler dies, threads: []");
    }

    @Test
    @Asserts("life-4")
    void runningHandlerEndsBeforeItsBeanDies() throws Exception {
        WeldApplication application = application(Handling.class, Observing.class, Trace.class);
        List<String> trace = application.bean(Trace.class).lines();
        await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
        send("until stopping");
        await().until(() -> trace.contains("handling until stopping"));
        application.close();

        assertThat(trace)
                .endsWith("handled until stopping", "shutdown: STOPPED, threads: []", "handler dies, threads: []");
        await().untilAsserted(() ->
                assertThat(broker.queue("work").messagesAcknowledged()).isEqualTo(2));
    }

    @Test
    @Asserts("life-4")
    void secondStartChangesNothing() throws Exception {
        try (WeldApplication application = application(Handling.class, Trace.class)) {
            application.awaitAttached();
            application.container().event().fire(new Startup());
            application
                    .container()
                    .event()
                    .select(Initialized.Literal.APPLICATION)
                    .fire(new Object());
            await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
            assertThat(application.status("work").attached()).isEqualTo(1);
            await().untilAsserted(() ->
                    assertThat(broker.queue("work").consumerCount()).isEqualTo(1));
        }
    }

    @Test
    @Asserts("life-4")
    void secondStopChangesNothingAndNothingStartsAfterTheFirst() throws Exception {
        FreshThreads threads = new FreshThreads();
        try (WeldApplication application = application(Handling.class, Trace.class)) {
            application.awaitAttached();
            application.stopSubscriptions();
            assertThat(application.status("work").state()).isEqualTo(SubscriptionState.STOPPED);
            application.stopSubscriptions();
            application.container().event().fire(new Startup());
            application
                    .container()
                    .event()
                    .select(Initialized.Literal.APPLICATION)
                    .fire(new Object());

            assertThat(application.status("work").state()).isEqualTo(SubscriptionState.STOPPED);
            assertThat(application.status("work").attached()).isEqualTo(1);
            await().until(() -> threads.names().isEmpty());
            await().until(() -> broker.connectionCount() == 0);
        }
    }

    @Test
    @Asserts("life-4")
    void containerThatInitializesWithABareObjectStartsToo() throws Exception {
        try (WeldApplication application = application(Handling.class, Embedded.class, Trace.class)) {
            await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
            assertThat(application.bean(Trace.class).lines())
                    .startsWith("initialized: NEW, threads: []", "after the bare object, threads: [consignee-work]");
            assertThat(application.status("work").attached())
                    .as("the Startup after it changes nothing")
                    .isEqualTo(1);
        }
    }

    /** A handler with a life of its own. */
    @ApplicationScoped
    static class Handling {

        @Inject
        Trace trace;

        @Inject
        Diagnostics diagnostics;

        @PostConstruct
        void born() {
            trace.add("handler born");
        }

        @Subscriber(queue = "work")
        void work(String payload) {
            if (payload.equals("until stopping")) {
                trace.add("handling " + payload);
                await().until(() -> state(diagnostics) == SubscriptionState.STOPPING);
            }
            trace.add("handled " + payload);
        }

        @PreDestroy
        void dies() {
            trace.add("handler dies, threads: " + threads());
        }
    }

    /** Those that consume: there from the very start to the end. */
    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("consignee-"))
                .toList();
    }

    private static SubscriptionState state(Diagnostics diagnostics) {
        return diagnostics.subscriptions().get(0).state();
    }

    /** The application's own observers, without a priority. */
    @ApplicationScoped
    static class Observing {

        @Inject
        Trace trace;

        @Inject
        Diagnostics diagnostics;

        void initialized(@Observes @Initialized(ApplicationScoped.class) Object event) {
            trace.add("initialized: " + state(diagnostics) + ", threads: " + threads());
        }

        void startup(@Observes Startup event) {
            trace.add("startup: " + state(diagnostics) + ", threads: " + threads());
        }

        void shutdown(@Observes Shutdown event) {
            trace.add("shutdown: " + state(diagnostics) + ", threads: " + threads());
        }
    }

    /** Fires what Arquillian's embedded Weld fires, before the container gets to Startup. */
    @ApplicationScoped
    static class Embedded {

        @Inject
        Trace trace;

        @Inject
        Diagnostics diagnostics;

        @Inject
        @Initialized(ApplicationScoped.class)
        Event<Object> initialized;

        void initialized(@Observes @Initialized(ApplicationScoped.class) Object event) {
            if (event.getClass() == Object.class) {
                return;
            }
            trace.add("initialized: " + state(diagnostics) + ", threads: " + threads());
            initialized.fire(new Object());
            trace.add("after the bare object, threads: " + threads());
        }
    }
}

package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.consignee.HandlerOutcome;
import dev.consignee.Subscriber;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.Outbound;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What surrounds a call of a handler. */
class LifeCallContractTest {

    private EmbeddedArtemis broker;

    @BeforeEach
    void start() {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("work");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private WeldApplication start(Class<?>... beans) {
        return WeldApplication.of(beans).url(broker.url()).start();
    }

    private void send(String... payloads) throws Exception {
        try (AmqpClient client = new AmqpClient(broker.url())) {
            for (String payload : payloads) {
                client.sendToQueue("work", Outbound.text(payload));
            }
        }
    }

    @Test
    @Asserts("life-5")
    void eachDeliveryHasARequestContextOfItsOwnThatEndsWithTheMethod() throws Exception {
        try (WeldApplication application = start(OfARequest.class, Requests.class, Trace.class)) {
            Trace trace = application.bean(Trace.class);
            send("a", "b");

            await().until(() -> broker.queue("work").messagesAcknowledged() == 2);
            assertThat(trace.lines())
                    .containsExactly(
                            "born 1", "a in 1", "a in 1", "returns", "dies 1", //
                            "born 2", "b in 2", "b in 2", "returns", "dies 2");
        }
    }

    @Test
    @Asserts("life-5")
    void requestContextEndsAlsoWhereTheHandlerThrows() throws Exception {
        try (WeldApplication application = start(OfARequest.class, Requests.class, Trace.class)) {
            Trace trace = application.bean(Trace.class);
            send("throw");

            await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
            assertThat(trace.lines())
                    .containsExactly(
                            "born 1",
                            "throw in 1",
                            "dies 1", //
                            "born 2",
                            "throw in 2",
                            "throw in 2",
                            "returns",
                            "dies 2");
        }
    }

    @Test
    @Asserts("life-5")
    void requestContextIsOverBeforeTheDeliveryIsSettled() throws Exception {
        try (FrameProxy proxy = FrameProxy.to(broker.port());
                WeldApplication application = WeldApplication.of(SlowlyDying.class, SlowRequest.class)
                        .url(proxy.url())
                        .start()) {
            SlowlyDying slowly = application.bean(SlowlyDying.class);
            send("m");
            await().until(() -> slowly.dying.getCount() == 0);
            assertThat(proxy.dispositionsOf("work")).isEmpty();
            slowly.goOn.countDown();
            await().until(() -> proxy.dispositionsOf("work").size() == 1);
        }
    }

    @Test
    @Asserts("life-5")
    void handlerRunsWithTheApplicationsLoaderOnAThreadNamedForTheSubscriber() throws Exception {
        try (WeldApplication application = start(Where.class)) {
            Where where = application.bean(Where.class);
            send("m", "n");

            await().until(() -> where.threads().size() == 2);
            assertThat(where.threads()).allSatisfy(thread -> {
                assertThat(thread.getContextClassLoader()).isSameAs(application.loader());
                assertThat(thread.getName()).isEqualTo("consignee-work");
            });
        }
    }

    @Test
    @Asserts("life-5")
    void handlersOfOneBeanRunOnThreadsOfTheirOwn() throws Exception {
        broker.createQueue("other");
        try (WeldApplication application = start(TwoHandlers.class)) {
            TwoHandlers handlers = application.bean(TwoHandlers.class);
            send("m");
            try (AmqpClient client = new AmqpClient(broker.url())) {
                client.sendToQueue("other", Outbound.text("m"));
            }
            await().until(() -> handlers.threads.size() == 2); // each waits for the other
            assertThat(handlers.threads).containsExactlyInAnyOrder("consignee-work", "consignee-the-other-one");
        }
    }

    @Test
    @Asserts("life-5")
    void oneSubscriberIsNeverCalledTwiceAtOnce() throws Exception {
        try (FrameProxy proxy = FrameProxy.to(broker.port());
                WeldApplication application =
                        WeldApplication.of(Lonely.class).url(proxy.url()).start()) {
            Lonely lonely = application.bean(Lonely.class);
            try (AmqpClient client = new AmqpClient(broker.url())) {
                client.sendToQueue("work", 300, i -> Outbound.text("m" + i));
                await().until(() -> lonely.calls.get() >= 20);
                proxy.cut(); // what comes back must wait for the call of the earlier link
                await().until(() -> broker.queue("work").messageCount() == 0);
            }
            assertThat(lonely.calls.get()).isGreaterThanOrEqualTo(300);
            assertThat(lonely.atOnce.get()).isEqualTo(1);
        }
    }

    @Test
    @Asserts("life-5")
    void noRequestContextIsLeftToWhatTheHandlerBegins() throws Exception {
        try (WeldApplication application = start(Beginning.class, Requests.class, Trace.class)) {
            Beginning beginning = application.bean(Beginning.class);
            send("m");
            await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
            beginning.goOn.countDown();
            await().until(() -> beginning.outcomes.size() == 1);
            assertThat(beginning.outcomes).containsExactly("no context");
        }
    }

    /** Is there once a request. */
    @RequestScoped
    static class Requests {

        @Inject
        Trace trace;

        private long number;

        @PostConstruct
        void born() {
            number = trace.lines().stream()
                            .filter(line -> line.startsWith("born"))
                            .count()
                    + 1;
            trace.add("born " + number);
        }

        void saw(String payload) {
            trace.add(payload + " in " + number);
        }

        @PreDestroy
        void dies() {
            trace.add("dies " + number);
        }
    }

    /** Uses its request twice; throws in the middle the first time, where it is told to. */
    @ApplicationScoped
    static class OfARequest {

        @Inject
        Requests requests;

        @Inject
        Trace trace;

        @Subscriber(queue = "work")
        void work(String payload) {
            requests.saw(payload);
            if (payload.equals("throw") && trace.lines().size() == 2) {
                throw new IllegalStateException("thrown on purpose");
            }
            requests.saw(payload);
            trace.add("returns");
        }
    }

    /** Uses a request that takes its time to end. */
    @Singleton
    static class SlowlyDying {

        private final CountDownLatch dying = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        @Inject
        SlowRequest request;

        @Subscriber(queue = "work")
        void work(String payload) {
            request.use();
        }
    }

    /** Ends when the test lets it. */
    @RequestScoped
    static class SlowRequest {

        @Inject
        SlowlyDying handler;

        void use() {}

        @PreDestroy
        void dies() throws InterruptedException {
            handler.dying.countDown();
            handler.goOn.await();
        }
    }

    /** Two handlers that wait for each other. */
    @Singleton
    static class TwoHandlers {

        private final ConcurrentLinkedQueue<String> threads = new ConcurrentLinkedQueue<>();
        private final CountDownLatch both = new CountDownLatch(2);

        @Subscriber(queue = "work")
        void work(String payload) throws InterruptedException {
            meet();
        }

        @Subscriber(queue = "other")
        void theOtherOne(String payload) throws InterruptedException {
            meet();
        }

        private void meet() throws InterruptedException {
            both.countDown();
            both.await();
            threads.add(Thread.currentThread().getName());
        }
    }

    /** Counts how many are in it. */
    @Singleton
    static class Lonely {

        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger atOnce = new AtomicInteger();
        private final AtomicInteger calls = new AtomicInteger();

        @Subscriber(queue = "work")
        HandlerOutcome work(String payload) {
            atOnce.accumulateAndGet(inside.incrementAndGet(), Math::max);
            calls.incrementAndGet();
            Thread.yield();
            inside.decrementAndGet();
            return HandlerOutcome.ack();
        }
    }

    /** Begins something that goes on after it has returned. */
    @Singleton
    static class Beginning {

        private final CountDownLatch goOn = new CountDownLatch(1);
        private final List<String> outcomes = new CopyOnWriteArrayList<>();

        @Inject
        Requests requests;

        @Subscriber(queue = "work")
        void work(String payload) {
            requests.saw(payload);
            Thread later = new Thread(() -> {
                try {
                    goOn.await();
                    requests.saw(payload);
                    outcomes.add("a context");
                } catch (ContextNotActiveException none) {
                    outcomes.add("no context");
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            later.setDaemon(true);
            later.start();
        }
    }

    /** Keeps the threads that its handler ran on. */
    @ApplicationScoped
    static class Where {
        private final List<Thread> threads = new CopyOnWriteArrayList<>();

        @Subscriber(queue = "work")
        void work(String message) {
            threads.add(Thread.currentThread());
        }

        List<Thread> threads() {
            return threads;
        }
    }
}

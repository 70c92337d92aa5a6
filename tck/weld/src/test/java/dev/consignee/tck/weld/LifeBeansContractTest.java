package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.consignee.HandlerOutcome;
import dev.consignee.Subscriber;
import dev.consignee.diagnostics.Diagnostics;
import dev.consignee.diagnostics.SubscriptionStatus;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.Outbound;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which methods of which beans are handlers, and what the container does about a call of one. */
class LifeBeansContractTest {

    private static EmbeddedArtemis broker;
    private AmqpClient client;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedArtemis.withDefaults();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void start() throws Exception {
        client = new AmqpClient(broker.url());
    }

    @AfterEach
    void stop() {
        client.close();
    }

    private static WeldApplication.Builder application(Class<?> bean) {
        return WeldApplication.of(bean, Trace.class)
                .interceptor(TracedInterceptor.class)
                .url(broker.url());
    }

    private static List<String> names(WeldApplication application) {
        return application.bean(Diagnostics.class).subscriptions().stream()
                .map(SubscriptionStatus::name)
                .toList();
    }

    /** Sends texts to a queue, and waits until one subscriber has handled and settled them all. */
    private void handle(WeldApplication application, String queue, String name, String... texts) throws Exception {
        for (String text : texts) {
            client.sendToQueue(queue, Outbound.text(text));
        }
        await().until(() -> application.status(name).accepted() == texts.length);
        assertThat(application.status(name).handlerFailures()).isZero();
    }

    private static List<String> trace(WeldApplication application) {
        return application.bean(Trace.class).lines();
    }

    @Test
    @Asserts("life-6")
    void interceptorsApplyWhateverTheVisibility() throws Exception {
        try (WeldApplication application = application(Visible.class).start()) {
            handle(application, "visible.public", "open", "m");
            handle(application, "visible.protected", "family", "m");
            handle(application, "visible.package", "neighbours", "m");
            assertThat(trace(application))
                    .containsExactly(
                            "before open",
                            "open m",
                            "after open", //
                            "before family",
                            "family m",
                            "after family", //
                            "before neighbours",
                            "neighbours m",
                            "after neighbours");
        }
    }

    @Test
    @Asserts("life-6")
    void interceptorsApplyToBeansWithoutAProxyToo() throws Exception {
        try (WeldApplication application = application(VisibleDependent.class).start()) {
            handle(application, "dependent.protected", "family", "m");
            handle(application, "dependent.package", "neighbours", "m");
            assertThat(trace(application))
                    .containsExactly(
                            "before family",
                            "family m",
                            "after family", //
                            "before neighbours",
                            "neighbours m",
                            "after neighbours");
        }
    }

    @Test
    @Asserts("life-6")
    void decoratorsApply() throws Exception {
        try (WeldApplication application =
                application(Plain.class).decorator(Polite.class).start()) {
            handle(application, "decorated", "greet", "m");
            assertThat(trace(application)).containsExactly("please", "plain m", "thank you");
        }
    }

    @Test
    @Asserts("life-6")
    void dependentBeanLivesForOneCall() throws Exception {
        try (WeldApplication application = application(ForOneCall.class).start()) {
            handle(application, "for-one-call", "work", "a", "b");
            assertThat(trace(application)).containsExactly("born", "a", "dies", "born", "b", "dies");
        }
        // nothing was left to be destroyed at the end
    }

    @Test
    @Asserts("life-6")
    void dependentBeanDiesAlsoWhereItThrows() throws Exception {
        try (WeldApplication application = application(ForOneCall.class).start()) {
            client.sendToQueue("for-one-call", Outbound.text("throw"));
            await().until(() -> application.status("work").accepted() == 1);
            assertThat(trace(application)).containsExactly("born", "throw", "dies", "born", "throw", "dies");
        }
    }

    @Test
    @Asserts("life-6")
    void singletonIsOneForAllCallsAndDiesWithTheApplication() throws Exception {
        List<String> trace;
        try (WeldApplication application = application(OneForAll.class).start()) {
            trace = trace(application);
            handle(application, "one-for-all", "work", "a", "b");
            assertThat(trace).containsExactly("born", "a", "b");
            assertThat(application.bean(OneForAll.class)).isNotNull();
            assertThat(trace).as("the same instance").hasSize(3);
        }
        assertThat(trace).containsExactly("born", "a", "b", "dies");
    }

    @Test
    @Asserts("life-6")
    void applicationScopedBeanIsOneForAllCallsAndMadeByTheFirst() throws Exception {
        List<String> trace;
        try (WeldApplication application =
                application(OfTheApplication.class).start().awaitAttached()) {
            trace = trace(application);
            assertThat(trace).isEmpty();
            handle(application, "of-the-application", "work", "a", "b");
            assertThat(trace).containsExactly("born", "a", "b");
        }
        assertThat(trace).containsExactly("born", "a", "b", "dies");
    }

    @Test
    @Asserts("life-6")
    void requestScopedBeanLivesForOneDelivery() throws Exception {
        try (WeldApplication application = application(OfTheRequest.class).start()) {
            handle(application, "of-the-request", "work", "a", "b");
            assertThat(trace(application)).containsExactly("born", "a", "dies", "born", "b", "dies");
        }
    }

    @Test
    @Asserts("life-6")
    void inheritedHandlerGetsThePayloadThatItsTypeVariableIsBoundTo() throws Exception {
        try (WeldApplication application = application(ParcelHandler.class).start()) {
            client.sendToQueue("generic", Outbound.json("{\"id\": \"p-1\", \"weight\": 3}"));
            await().until(() -> application.status("take").accepted() == 1);
            assertThat(names(application)).containsExactly("take");
            assertThat(trace(application)).containsExactly("before take", "Parcel[id=p-1, weight=3]", "after take");
        }
    }

    @Test
    @Asserts("life-6")
    void overrideWithoutTheAnnotationIsNotSubscribed() {
        try (WeldApplication application = application(Overriding.class).start()) {
            assertThat(names(application)).containsExactly("kept");
        }
    }

    @Test
    @Asserts("life-6")
    void defaultMethodOfAnInterfaceIsAHandler() throws Exception {
        try (WeldApplication application = application(ByDefault.class).start()) {
            handle(application, "by-default", "greet", "m");
            assertThat(trace(application)).containsExactly("by default m");
        }
    }

    @Test
    @Asserts("life-6")
    void handlerThatAnExtensionAddsIsSubscribed() throws Exception {
        try (WeldApplication application =
                application(Bare.class).extension(new Adding()).start()) {
            assertThat(names(application)).containsExactly("bare");
            handle(application, "added", "bare", "m");
            assertThat(trace(application)).containsExactly("bare m");
        }
    }

    @Test
    @Asserts("life-6")
    void handlerThatAnExtensionTakesAwayIsNot() {
        try (WeldApplication application =
                application(OfTheApplication.class).extension(new Removing()).start()) {
            assertThat(names(application)).isEmpty();
        }
    }

    @Test
    @Asserts("life-6")
    void addressThatAnExtensionChangesIsTheOne() throws Exception {
        try (WeldApplication application =
                application(OfTheApplication.class).extension(new Replacing()).start()) {
            handle(application, "added", "work", "m");
            assertThat(trace(application)).containsExactly("born", "m");
        }
    }

    /** Handlers of every visibility that is legal. */
    @ApplicationScoped
    @Traced
    static class Visible {

        @Inject
        Trace trace;

        @Subscriber(queue = "visible.public")
        public HandlerOutcome open(String payload) {
            trace.add("open " + payload);
            return HandlerOutcome.ack();
        }

        @Subscriber(queue = "visible.protected")
        protected void family(String payload) {
            trace.add("family " + payload);
        }

        @Subscriber(queue = "visible.package")
        void neighbours(String payload) {
            trace.add("neighbours " + payload);
        }
    }

    /** The same for a bean that lives for one call. */
    @Dependent
    @Traced
    static class VisibleDependent {

        @Inject
        Trace trace;

        @Subscriber(queue = "dependent.protected")
        protected void family(String payload) {
            trace.add("family " + payload);
        }

        @Subscriber(queue = "dependent.package")
        void neighbours(String payload) {
            trace.add("neighbours " + payload);
        }
    }

    /** What is decorated. */
    interface Greeter {
        void greet(String payload);
    }

    /** Has a handler that is decorated. */
    @ApplicationScoped
    static class Plain implements Greeter {

        @Inject
        Trace trace;

        @Override
        @Subscriber(queue = "decorated")
        public void greet(String payload) {
            trace.add("plain " + payload);
        }
    }

    /** Decorates it. */
    @Decorator
    static class Polite implements Greeter {

        @Inject
        @Delegate
        @Any
        Greeter greeter;

        @Inject
        Trace trace;

        @Override
        public void greet(String payload) {
            trace.add("please");
            greeter.greet(payload);
            trace.add("thank you");
        }
    }

    /** Tells when it is born and when it dies. */
    abstract static class Mortal {

        @Inject
        Trace trace;

        @PostConstruct
        void born() {
            trace.add("born");
        }

        @PreDestroy
        void dies() {
            trace.add("dies");
        }
    }

    /** Throws once where it is told to. */
    @Dependent
    static class ForOneCall extends Mortal {

        @Subscriber(queue = "for-one-call")
        void work(String payload) {
            trace.add(payload);
            if (payload.equals("throw") && trace.lines().size() == 2) {
                throw new IllegalStateException("thrown on purpose");
            }
        }
    }

    /** Without a proxy, and one. */
    @Singleton
    static class OneForAll extends Mortal {

        @Subscriber(queue = "one-for-all")
        void work(String payload) {
            trace.add(payload);
        }
    }

    /** With a proxy, and one. */
    @ApplicationScoped
    static class OfTheApplication extends Mortal {

        @Subscriber(queue = "of-the-application")
        void work(String payload) {
            trace.add(payload);
        }
    }

    /** One for each delivery. */
    @RequestScoped
    static class OfTheRequest extends Mortal {

        @Subscriber(queue = "of-the-request")
        void work(String payload) {
            trace.add(payload);
        }
    }

    /** The payload of the generic handler. */
    public record Parcel(String id, int weight) {}

    /** A handler of something. */
    abstract static class Taker<T> {

        @Inject
        Trace trace;

        @Subscriber(queue = "generic")
        protected void take(T payload) {
            trace.add(String.valueOf(payload));
        }
    }

    /** A handler of parcels, with nothing of its own. */
    @ApplicationScoped
    @Traced
    static class ParcelHandler extends Taker<Parcel> {}

    /** Two handlers. */
    static class Overridden {

        @Subscriber(queue = "kept")
        void kept(String payload) {}

        @Subscriber(queue = "given-up")
        void givenUp(String payload) {}
    }

    /** Gives one of them up. */
    @ApplicationScoped
    static class Overriding extends Overridden {

        @Override
        void givenUp(String payload) {}
    }

    /** Has a handler by default. */
    interface Defaults {

        Trace trace();

        @Subscriber(queue = "by-default")
        default void greet(String payload) {
            trace().add("by default " + payload);
        }
    }

    /** Inherits it. */
    @ApplicationScoped
    static class ByDefault implements Defaults {

        @Inject
        Trace trace;

        @Override
        public Trace trace() {
            return trace;
        }
    }

    /** Knows nothing of this library. */
    @ApplicationScoped
    static class Bare {

        @Inject
        Trace trace;

        void bare(String payload) {
            trace.add("bare " + payload);
        }
    }

    /** Where the extensions below have their annotation from. */
    static class Template {

        @Subscriber(queue = "added")
        void template(String payload) {}

        static Subscriber annotation() {
            try {
                return Template.class
                        .getDeclaredMethod("template", String.class)
                        .getAnnotation(Subscriber.class);
            } catch (NoSuchMethodException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Makes a handler of a method that isn't one. */
    static class Adding implements Extension {
        void configure(@Observes ProcessAnnotatedType<Bare> event) {
            event.configureAnnotatedType()
                    .filterMethods(method -> method.getJavaMember().getName().equals("bare"))
                    .forEach(method -> method.add(Template.annotation()));
        }
    }

    /** Takes a handler away. */
    static class Removing implements Extension {
        void configure(@Observes ProcessAnnotatedType<OfTheApplication> event) {
            event.configureAnnotatedType()
                    .filterMethods(method -> method.isAnnotationPresent(Subscriber.class))
                    .forEach(method -> method.remove(annotation -> annotation instanceof Subscriber));
        }
    }

    /** Gives a handler another address. */
    static class Replacing implements Extension {
        void configure(@Observes ProcessAnnotatedType<OfTheApplication> event) {
            event.configureAnnotatedType()
                    .filterMethods(method -> method.isAnnotationPresent(Subscriber.class))
                    .forEach(method -> {
                        method.remove(annotation -> annotation instanceof Subscriber);
                        method.add(Template.annotation());
                    });
        }
    }
}

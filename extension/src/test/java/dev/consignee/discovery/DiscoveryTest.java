package dev.consignee.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.Settle;
import dev.consignee.Subscriber;
import dev.consignee.declaration.Attribute;
import dev.consignee.declaration.Modifier;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.declaration.Rules;
import dev.consignee.declaration.Scope;
import dev.consignee.declaration.Setting;
import dev.consignee.discovery.elsewhere.Stranger;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryTest {

    private static List<String> handlers(Class<?> beanClass) {
        return Discovery.handlerMethods(beanClass).stream()
                .map(method -> method.getDeclaringClass().getSimpleName() + "." + method.getName())
                .toList();
    }

    private static Found read(Class<?> beanClass, String name) {
        Method method = Discovery.handlerMethods(beanClass).stream()
                .filter(candidate -> candidate.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return Discovery.read(beanClass, method, method.getAnnotation(Subscriber.class), Scope.NORMAL);
    }

    private static List<ProblemId> ids(Found found) {
        return Rules.check(found.declaration()).stream().map(Problem::id).toList();
    }

    record Shipment(String id) {}

    record Envelope<T>(T content) {}

    static class Warehouse {
        @Subscriber(queue = "shipments", credit = 32, shared = false, onException = OnException.DROP)
        HandlerOutcome pick(Shipment shipment) {
            return HandlerOutcome.ack();
        }

        @Subscriber("pick-log")
        public void logPick(Delivery delivery, byte[] body) {}

        @Subscriber(queue = "q")
        protected HandlerOutcome.Ack both(Map<String, Object> payload, Delivery delivery) {
            return (HandlerOutcome.Ack) HandlerOutcome.ack();
        }

        void noHandler(Shipment shipment) {}
    }

    @Test
    void whatIsWrittenIsReadAndWhatIsNotIsNotThere() {
        assertThat(read(Warehouse.class, "pick").declaration().settings())
                .isEqualTo(Map.of(
                        Attribute.QUEUE, Setting.of("shipments", "@Subscriber(queue = \"shipments\")"),
                        Attribute.CREDIT, Setting.of("32", "@Subscriber(credit = 32)"),
                        Attribute.SHARED, Setting.of("false", "@Subscriber(shared = false)"),
                        Attribute.ON_EXCEPTION, Setting.of("DROP", "@Subscriber(onException = DROP)")));
    }

    @Test
    void everyAttributeOfTheAnnotationIsRead() {
        class AllWritten {
            @Subscriber(
                    value = "a",
                    queue = "b",
                    topic = "c",
                    name = "d",
                    broker = "e",
                    durable = "f",
                    shared = true,
                    selector = "g",
                    credit = 1,
                    settle = Settle.AT_LEAST_ONCE,
                    maxAttempts = 2,
                    deadLetter = "h",
                    onException = OnException.ACK,
                    backoff = "1s..2s",
                    dropOn = RuntimeException.class,
                    onDecodeError = OnDecodeError.ACK)
            void on(String payload) {}
        }

        for (Attribute attribute : Attribute.values()) {
            assertThat(read(AllWritten.class, "on")
                            .declaration()
                            .setting(attribute)
                            .isPresent())
                    .as(attribute.name())
                    .isEqualTo(attribute.onAnnotation());
        }
    }

    static class Retrying {
        @Subscriber(
                queue = "q",
                maxAttempts = 5,
                deadLetter = "topic:dead",
                backoff = "1s..5m",
                dropOn = {IllegalArgumentException.class, Refused.class})
        void on(String payload) {}

        @Subscriber(queue = "q", maxAttempts = 0)
        void never(String payload) {}

        static class Refused extends Exception {}
    }

    @Test
    void retriesAreReadAsTheyAreWritten() {
        assertThat(read(Retrying.class, "on").declaration().settings())
                .containsEntry(Attribute.MAX_ATTEMPTS, Setting.of("5", "@Subscriber(maxAttempts = 5)"))
                .containsEntry(
                        Attribute.DEAD_LETTER, Setting.of("topic:dead", "@Subscriber(deadLetter = \"topic:dead\")"))
                .containsEntry(Attribute.BACKOFF, Setting.of("1s..5m", "@Subscriber(backoff = \"1s..5m\")"))
                .containsEntry(
                        Attribute.DROP_ON,
                        new Setting(
                                List.of("java.lang.IllegalArgumentException", Retrying.Refused.class.getName()),
                                "@Subscriber(dropOn = {IllegalArgumentException.class, Refused.class})"));
        assertThat(ids(read(Retrying.class, "on"))).isEmpty();
        assertThat(ids(read(Retrying.class, "never"))).containsExactly(ProblemId.BAD_NUMBER);
    }

    @Test
    void exceptionsToDropOnAreTheHandlers() {
        assertThat(read(Retrying.class, "on").handler().orElseThrow().dropOn())
                .containsExactly(IllegalArgumentException.class, Retrying.Refused.class);
        assertThat(read(Retrying.class, "never").handler().orElseThrow().dropOn())
                .isEmpty();
    }

    @Test
    void declarationIsNamedAfterTheMethod() {
        assertThat(read(Warehouse.class, "logPick").declaration().name()).isEqualTo("log-pick");
        assertThat(read(Warehouse.class, "logPick").declaration().method())
                .isEqualTo("Warehouse.logPick(Delivery, byte[])");
    }

    @Test
    void layoutOfParametersIsKnownInAnyOrder() {
        HandlerMethod pick = read(Warehouse.class, "pick").handler().orElseThrow();
        HandlerMethod logPick = read(Warehouse.class, "logPick").handler().orElseThrow();
        HandlerMethod both = read(Warehouse.class, "both").handler().orElseThrow();

        assertThat(pick.payload()).isEqualTo(Shipment.class);
        assertThat(pick.result()).isEqualTo(HandlerMethod.Result.OUTCOME);
        assertThat(List.of(pick.payloadIndex(), pick.deliveryIndex())).containsExactly(0, -1);
        assertThat(logPick.payload()).isEqualTo(byte[].class);
        assertThat(logPick.result()).isEqualTo(HandlerMethod.Result.VOID);
        assertThat(List.of(logPick.payloadIndex(), logPick.deliveryIndex())).containsExactly(1, 0);
        assertThat(List.of(both.payloadIndex(), both.deliveryIndex())).containsExactly(0, 1);
        assertThat(both.payload().getTypeName()).isEqualTo("java.util.Map<java.lang.String, java.lang.Object>");
    }

    static class Generic<T> {
        @Subscriber(queue = "q")
        void plain(T payload) {}

        @Subscriber(queue = "q")
        void nested(Envelope<List<T>> payload) {}

        @Subscriber(queue = "q")
        void array(T[] payload) {}
    }

    static class Middle<A, B> extends Generic<B> {}

    static class Bound extends Middle<Integer, Shipment> {}

    static class Unbound<T> extends Generic<T> {}

    @SuppressWarnings("rawtypes")
    static class Raw extends Generic {}

    @Test
    void typeVariablesOfSuperclassesAreBoundByTheBeansClass() {
        Found plain = read(Bound.class, "plain");
        HandlerMethod nested = read(Bound.class, "nested").handler().orElseThrow();

        assertThat(plain.handler().orElseThrow().payload()).isEqualTo(Shipment.class);
        assertThat(plain.declaration().method()).isEqualTo("Bound.plain(Shipment)");
        assertThat(nested.payload()).isInstanceOfSatisfying(ParameterizedType.class, type -> {
            assertThat(type.getRawType()).isEqualTo(Envelope.class);
            assertThat(type.getActualTypeArguments()[0].getTypeName())
                    .isEqualTo("java.util.List<" + Shipment.class.getName() + ">");
        });
        assertThat(read(Bound.class, "array").handler().orElseThrow().payload()).isEqualTo(Shipment[].class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "nested", "array"})
    void typeVariableThatNothingBindsIsRefused(String method) {
        assertThat(ids(read(Unbound.class, method))).containsExactly(ProblemId.BAD_PAYLOAD);
        assertThat(ids(read(Raw.class, method))).containsExactly(ProblemId.BAD_PAYLOAD);
        assertThat(read(Unbound.class, method).handler()).isEmpty();
    }

    interface Audited<T> {
        @Subscriber(topic = "audit")
        default void audit(T payload) {}
    }

    static class Auditor implements Audited<Shipment> {}

    interface LoudlyAudited extends Audited<Shipment> {
        @Override
        @Subscriber(topic = "loud")
        default void audit(Shipment payload) {}
    }

    static class LoudAuditor extends Auditor implements LoudlyAudited {}

    static class OwnAuditor implements Audited<Shipment> {
        @Override
        public void audit(Shipment payload) {}
    }

    @Test
    void defaultMethodsOfInterfacesAreInherited() {
        assertThat(handlers(Auditor.class)).containsExactly("Audited.audit");
        assertThat(read(Auditor.class, "audit").handler().orElseThrow().payload())
                .isEqualTo(Shipment.class);
    }

    @Test
    void mostSpecificOverrideAloneCounts() {
        assertThat(handlers(LoudAuditor.class)).containsExactly("LoudlyAudited.audit");
        assertThat(handlers(Sub.class)).containsExactly("Sub.on");
    }

    @Test
    void overrideWithoutTheAnnotationTakesTheSubscriptionAway() {
        assertThat(handlers(OwnAuditor.class)).isEmpty();
    }

    static class Base<T> {
        @Subscriber(queue = "base")
        public void on(T payload) {}
    }

    static class Sub extends Base<Shipment> {
        @Override
        @Subscriber(queue = "sub")
        public void on(Shipment payload) {} // with a bridge method on(Object), annotated too
    }

    static class Overload extends Base<Shipment> {
        @Subscriber(queue = "overload")
        public void on(String payload) {}
    }

    /** The class is public and its superclass is not, so that the compiler makes an annotated bridge for "on". */
    public static class Published extends Base<Shipment> {}

    @Test
    void whatTheCompilerMakesIsNeitherAHandlerNorAnOverride() {
        assertThat(Sub.class.getDeclaredMethods()).hasSize(2);
        assertThat(handlers(Published.class)).containsExactly("Base.on");
        assertThat(Published.class.getDeclaredMethods()).hasSize(1);
    }

    @Test
    void overloadIsNoOverride() {
        assertThat(handlers(Overload.class)).containsExactly("Overload.on", "Base.on");
    }

    static class Local extends Stranger {
        void packagePrivate(String payload) {}

        @Override
        protected void inherited(String payload) {}
    }

    static class Neighbour {
        @Subscriber(queue = "q")
        void packagePrivate(String payload) {}
    }

    static class NextDoor extends Neighbour {
        @Override
        void packagePrivate(String payload) {}
    }

    @Test
    void packagePrivateMethodsAreOverriddenWithinTheirPackageOnly() {
        assertThat(handlers(Local.class)).containsExactly("Stranger.packagePrivate");
        assertThat(handlers(NextDoor.class)).isEmpty();
    }

    static class Hidden {
        @Subscriber(queue = "q")
        private void secret(String payload) {}

        @Subscriber(queue = "q")
        static void common(String payload) {}
    }

    static class Heir extends Hidden {
        void secret(String payload) {}

        static void common(String payload) {}
    }

    @Test
    void privateAndStaticMethodsAreFoundToBeRefused() {
        assertThat(handlers(Heir.class)).containsExactly("Hidden.common", "Hidden.secret");
        assertThat(read(Heir.class, "secret").declaration().modifiers()).containsExactly(Modifier.PRIVATE);
        assertThat(ids(read(Heir.class, "secret"))).containsExactly(ProblemId.PRIVATE_METHOD);
        assertThat(ids(read(Heir.class, "common"))).containsExactly(ProblemId.STATIC_METHOD);
    }

    abstract static class Template {
        @Subscriber(queue = "q")
        abstract void on(String payload);
    }

    static class Forgetful extends Template {
        @Override
        void on(String payload) {}
    }

    static class Mindful extends Template {
        @Override
        @Subscriber(queue = "q")
        void on(String payload) {}
    }

    @Test
    void abstractMethodIsFoundToBeRefusedUnlessItsImplementationIsAHandler() {
        assertThat(ids(read(Forgetful.class, "on"))).containsExactly(ProblemId.ABSTRACT_METHOD);
        assertThat(handlers(Mindful.class)).containsExactly("Mindful.on");
    }

    static class Wrong {
        @Subscriber(queue = "q")
        String returnsText(String payload) {
            return payload;
        }

        @Subscriber(queue = "q")
        CompletionStage<HandlerOutcome> stage(String payload) {
            throw new AssertionError();
        }

        @Subscriber(queue = "q")
        void batch(List<Shipment> payload) {}

        @Subscriber(queue = "q")
        <P> void generic(P payload) {}

        @Subscriber(queue = "q")
        void nothing() {}
    }

    @Test
    void wrongMethodIsADeclarationWithoutAHandler() {
        assertThat(ids(read(Wrong.class, "returnsText"))).containsExactly(ProblemId.BAD_RETURN);
        assertThat(ids(read(Wrong.class, "stage"))).containsExactly(ProblemId.BAD_RETURN);
        assertThat(ids(read(Wrong.class, "batch"))).containsExactly(ProblemId.BAD_PAYLOAD);
        assertThat(ids(read(Wrong.class, "generic"))).containsExactly(ProblemId.BAD_PAYLOAD);
        assertThat(ids(read(Wrong.class, "nothing"))).containsExactly(ProblemId.NO_PAYLOAD);
        assertThat(Discovery.handlerMethods(Wrong.class))
                .allSatisfy(
                        method -> assertThat(read(Wrong.class, method.getName()).handler())
                                .isEmpty());
    }

    @Test
    void argumentsAreLinedUpForTheMethod() {
        HandlerMethod logPick = read(Warehouse.class, "logPick").handler().orElseThrow();
        byte[] payload = {1};
        Delivery delivery = aDelivery();

        assertThat(logPick.arguments(payload, delivery)).containsExactly(delivery, payload);
    }

    private static Delivery aDelivery() {
        return (Delivery) Proxy.newProxyInstance(
                Delivery.class.getClassLoader(),
                new Class<?>[] {Delivery.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> 1;
                    default -> "a delivery";
                });
    }
}

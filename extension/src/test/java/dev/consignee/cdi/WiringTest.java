package dev.consignee.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.Settle;
import dev.consignee.Subscriber;
import dev.consignee.config.ConfigReader;
import dev.consignee.config.Configuration;
import dev.consignee.declaration.AttemptSource;
import dev.consignee.declaration.BrokerProfile;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.declaration.OnStop;
import dev.consignee.declaration.Scope;
import dev.consignee.discovery.Discovery;
import dev.consignee.discovery.Found;
import dev.consignee.engine.FailureSpec;
import dev.consignee.engine.RetrySpec;
import dev.consignee.engine.SubscriptionSpec;
import dev.consignee.time.Backoff;
import dev.consignee.transport.Address;
import dev.consignee.transport.BrokerSpec;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What is written on an annotation or configured, as the engine gets it. */
class WiringTest {

    static class Warehouse {

        @Subscriber(queue = "shipments")
        HandlerOutcome plain(String payload) {
            return HandlerOutcome.ack();
        }

        @Subscriber(
                topic = "news",
                name = "all",
                settle = Settle.AT_MOST_ONCE,
                maxAttempts = 5,
                deadLetter = "topic:dead",
                onException = OnException.DROP,
                backoff = "1s..5m",
                dropOn = {IllegalStateException.class, IllegalArgumentException.class},
                onDecodeError = OnDecodeError.DEAD_LETTER)
        void everything(Delivery delivery, byte[] payload) {}

        @Subscriber(queue = "shipments", deadLetter = "dead")
        HandlerOutcome.Ack queue(String payload) {
            return new HandlerOutcome.Ack();
        }
    }

    private static SubscriptionSpec spec(String method, Map<String, String> properties) {
        Method handler = Discovery.handlerMethods(Warehouse.class).stream()
                .filter(candidate -> candidate.getName().equals(method))
                .findFirst()
                .orElseThrow();
        Found found = Discovery.read(Warehouse.class, handler, handler.getAnnotation(Subscriber.class), Scope.NORMAL);
        Configuration configuration = reader(properties).read(List.of(found.declaration()));
        assertThat(configuration.problems()).isEmpty();
        return Wiring.subscription(
                configuration.subscriber(found.declaration()).orElseThrow(),
                found.handler().orElseThrow());
    }

    private static ConfigReader reader(Map<String, String> properties) {
        return new ConfigReader(new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(properties, "shop.properties", 100))
                .build());
    }

    private static BrokerSpec broker(Map<String, String> properties) {
        return Wiring.broker(reader(properties).read(List.of()).broker("").orElseThrow());
    }

    @Test
    void silentSubscriberRetriesAtOnceAndForEver() {
        SubscriptionSpec spec = spec("plain", Map.of());

        assertThat(spec.retries())
                .isEqualTo(new RetrySpec(
                        OptionalInt.empty(),
                        Optional.empty(),
                        DelayedRetry.IN_PROCESS,
                        OnStop.PUBLISH,
                        10_000,
                        AttemptSource.HEADER));
        assertThat(spec.failures())
                .isEqualTo(new FailureSpec(OnException.RETRY, OnDecodeError.DROP, Optional.empty(), List.of()));
        assertThat(spec.receiver().settled()).isFalse();
        assertThat(spec.hasOutcome()).isTrue();
        assertThat(spec.payload()).isEqualTo(String.class);
    }

    @Test
    void whatIsWrittenReachesTheEngine() {
        SubscriptionSpec spec = spec(
                "everything",
                Map.of(
                        "consignee.subscriber.all.delayed-retry", "broker",
                        "consignee.subscriber.all.on-stop", "discard",
                        "consignee.subscriber.all.max-waiting-copies", "7",
                        "consignee.subscriber.all.attempt-source", "broker"));

        assertThat(spec.retries())
                .isEqualTo(new RetrySpec(
                        OptionalInt.of(5),
                        Optional.of(new Address(Address.Kind.TOPIC, "dead")),
                        DelayedRetry.BROKER,
                        OnStop.DISCARD,
                        7,
                        AttemptSource.BROKER));
        assertThat(spec.failures())
                .isEqualTo(new FailureSpec(
                        OnException.DROP,
                        OnDecodeError.DEAD_LETTER,
                        Optional.of(new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 0.2)),
                        List.of(IllegalStateException.class, IllegalArgumentException.class)));
        assertThat(spec.receiver().settled()).isTrue();
        assertThat(spec.hasOutcome()).isFalse();
        assertThat(spec.payload()).isEqualTo(byte[].class);
    }

    @Test
    void deadLetterAddressIsAQueueUnlessItSaysTopic() {
        assertThat(spec("queue", Map.of()).retries().deadLetter()).contains(new Address(Address.Kind.QUEUE, "dead"));
        assertThat(spec("queue", Map.of()).hasOutcome()).isTrue();
    }

    @Test
    void configuredProfileReachesTheTransport() {
        assertThat(broker(Map.of()).profile()).isEmpty();
        assertThat(broker(Map.of("consignee.profile", "service-bus")).profile()).contains(BrokerProfile.SERVICE_BUS);
    }
}

package dev.consignee.engine;

import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.declaration.AttemptSource;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.declaration.OnStop;
import dev.consignee.time.Backoff;
import dev.consignee.transport.Address;
import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.ReceiverSpec;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What tests subscribe to. */
final class Specs {

    /** Short enough to wait for. */
    static final Backoff AT_ONCE = new Backoff(Duration.ofMillis(1), Duration.ofMillis(2), 0);

    /** Longer than any test. */
    static final Backoff NEVER = new Backoff(Duration.ofHours(1), Duration.ofHours(1), 0);

    private Specs() {}

    static BrokerSpec broker(String name, String... urls) {
        List<URI> all = urls.length == 0
                ? List.of(URI.create("fake://host:1"))
                : Arrays.stream(urls).map(URI::create).toList();
        return new BrokerSpec(
                name,
                all,
                Optional.of(new BrokerSpec.Credentials("artemis", "s3cret")),
                List.of(),
                Optional.empty(),
                "shop",
                Optional.empty(),
                new BrokerSpec.Timeouts(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(Duration.ofSeconds(7)),
                        Optional.empty(),
                        Optional.empty()),
                Map.of());
    }

    static SubscriptionSpec subscription(String name, OnException onException, OnDecodeError onDecodeError) {
        return new SubscriptionSpec(
                name,
                "",
                new ReceiverSpec(
                        new Address(Address.Kind.QUEUE, name + "-queue"),
                        Optional.empty(),
                        false,
                        false,
                        Optional.empty(),
                        10,
                        false,
                        1 << 20),
                NO_RETRIES,
                new FailureSpec(onException, onDecodeError, Optional.empty(), List.of()),
                String.class,
                true);
    }

    /** No cap, no dead-letter address, everything by default. */
    static final RetrySpec NO_RETRIES = new RetrySpec(
            OptionalInt.empty(),
            Optional.empty(),
            DelayedRetry.IN_PROCESS,
            OnStop.PUBLISH,
            10_000,
            AttemptSource.HEADER);

    static SubscriptionSpec subscription(RetrySpec retries, boolean atMostOnce) {
        SubscriptionSpec plain = subscription("pick", OnException.RETRY, OnDecodeError.DROP);
        ReceiverSpec receiver = plain.receiver();
        return new SubscriptionSpec(
                plain.name(),
                plain.broker(),
                new ReceiverSpec(
                        receiver.source(),
                        receiver.subscription(),
                        receiver.durable(),
                        receiver.shared(),
                        receiver.selector(),
                        receiver.credit(),
                        atMostOnce,
                        receiver.maxMessageSize()),
                retries,
                plain.failures(),
                plain.payload(),
                true);
    }
}

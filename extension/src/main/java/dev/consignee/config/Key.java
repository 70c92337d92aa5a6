package dev.consignee.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Each key of brokers and of the application once, beside its default; those of subscribers are attributes. */
enum Key {
    URL("url", Reach.BROKER, "amqp://localhost:5672", "amqp://host:port, amqps://…, inprocess:…, or failover:(…,…)"),
    USERNAME("username", Reach.BROKER, "", "text"),
    PASSWORD("password", Reach.BROKER, "", "text, with a username"),
    SASL_MECHANISMS("sasl-mechanisms", Reach.BROKER, "", "names of mechanisms, with commas between"),
    CONTAINER_ID("container-id", Reach.BROKER, "", "text"),
    PROFILE("profile", Reach.BROKER, "", "artemis, classic, broker-j, rabbitmq, service-bus"),
    CONNECT_TIMEOUT("connect-timeout", Reach.BROKER, "15s", Legal.TIMEOUT),
    REQUEST_TIMEOUT("request-timeout", Reach.BROKER, "30s", Legal.TIMEOUT),
    SEND_TIMEOUT("send-timeout", Reach.BROKER, "30s", Legal.TIMEOUT),
    CLOSE_TIMEOUT("close-timeout", Reach.BROKER, "15s", Legal.TIMEOUT),
    IDLE_TIMEOUT("idle-timeout", Reach.BROKER, "60s", Legal.TIMEOUT),
    RECONNECT_DELAY("reconnect.delay", Reach.BROKER, "100ms", "a duration of 1ms to 24d, no longer than max-delay"),
    RECONNECT_MAX_DELAY("reconnect.max-delay", Reach.BROKER, "30s", "a duration of 1ms to 24d"),
    RECONNECT_JITTER("reconnect.jitter", Reach.BROKER, "0.2", "0 to 1"),
    ENABLED("enabled", Reach.APPLICATION, "true", "true, false"),
    SHUTDOWN_TIMEOUT("shutdown-timeout", Reach.APPLICATION, "30s", "a duration of 0s to 24d");

    static final String PREFIX = "consignee.";
    static final String SUBSCRIBER_PREFIX = PREFIX + "subscriber.";
    static final String DEFAULTS_PREFIX = PREFIX + "defaults.";
    static final String BROKER_PREFIX = PREFIX + "broker.";

    /** What follows is an option of Qpid JMS. */
    static final String QPID_PREFIX = "qpid.";

    private enum Reach {
        BROKER,
        APPLICATION
    }

    private static final class Legal {
        static final String TIMEOUT = "a duration of 1ms to 24d, or none";
    }

    private final String key;
    private final Reach reach;
    private final String defaultText;
    private final String legal;

    Key(String key, Reach reach, String defaultText, String legal) {
        this.key = key;
        this.reach = reach;
        this.defaultText = defaultText;
        this.legal = legal;
    }

    /** The last part of the key. */
    String key() {
        return key;
    }

    Optional<String> defaultText() {
        return defaultText.isEmpty() ? Optional.empty() : Optional.of(defaultText);
    }

    String legal() {
        return legal;
    }

    /** Whether the value is never shown. */
    boolean isSecret() {
        return this == USERNAME || this == PASSWORD;
    }

    /** What the keys of a broker begin with. */
    static String brokerPrefix(String broker) {
        return broker.isEmpty() ? PREFIX : BROKER_PREFIX + broker + ".";
    }

    /** What a broker's prefix may be followed by. */
    static List<String> ofBrokers() {
        return Arrays.stream(values())
                .filter(key -> key.reach == Reach.BROKER)
                .map(Key::key)
                .toList();
    }

    /** What {@code consignee.} may be followed by: the keys of the application and of the unnamed broker. */
    static List<String> all() {
        return Arrays.stream(values()).map(Key::key).toList();
    }
}

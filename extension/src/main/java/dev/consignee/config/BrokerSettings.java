package dev.consignee.config;

import dev.consignee.declaration.BrokerProfile;
import dev.consignee.declaration.Quoted;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One broker.
 *
 * @param name its name; empty for the unnamed one
 * @param urls where it may be found: {@code amqp}, {@code amqps} or {@code inprocess}, with their options and without
 *     user-info; at least one
 * @param username the user, from its key or the URL
 * @param password the password, from its key or the URL
 * @param saslMechanisms the mechanisms that may be used; empty for all that the broker offers
 * @param containerId the AMQP container id; empty for one made of the application's name and a random suffix
 * @param profile what kind of broker it is; empty where that is to be found out
 * @param connectTimeout until a connection is open; empty is for ever, as with the other timeouts
 * @param requestTimeout until the broker has answered
 * @param sendTimeout until the broker has confirmed a message
 * @param closeTimeout until the broker has answered a close
 * @param idleTimeout after which a silent connection is lost
 * @param reconnectDelay the first delay before another try
 * @param reconnectMaxDelay the longest one
 * @param reconnectJitter which part of a delay is left to chance, 0 to 1
 * @param qpidOptions options for Qpid JMS, as they are
 */
public record BrokerSettings(
        String name,
        List<URI> urls,
        Optional<String> username,
        Optional<Secret> password,
        List<String> saslMechanisms,
        Optional<String> containerId,
        Optional<BrokerProfile> profile,
        Optional<Duration> connectTimeout,
        Optional<Duration> requestTimeout,
        Optional<Duration> sendTimeout,
        Optional<Duration> closeTimeout,
        Optional<Duration> idleTimeout,
        Duration reconnectDelay,
        Duration reconnectMaxDelay,
        double reconnectJitter,
        Map<String, String> qpidOptions) {

    /** Copies the collections and refuses a broker that is nowhere. */
    public BrokerSettings {
        urls = List.copyOf(urls);
        saslMechanisms = List.copyOf(saslMechanisms);
        qpidOptions = Collections.unmodifiableMap(new TreeMap<>(qpidOptions));
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("a broker needs a URL");
        }
    }

    /** Shows where the broker is, and neither the user, nor the values of options. */
    @Override
    public String toString() {
        return "BrokerSettings[" + (name.isEmpty() ? "unnamed" : name)
                + urls.stream().map(url -> " " + Quoted.plain(url.toString())).reduce("", String::concat)
                + (username.isPresent() ? " with credentials" : "")
                + (qpidOptions.isEmpty() ? "" : " qpid " + qpidOptions.keySet()) + "]";
    }
}

package dev.consignee.transport;

import dev.consignee.declaration.BrokerProfile;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How to reach a broker.
 *
 * @param name the broker's name; empty for the unnamed one
 * @param urls where it may be found, tried in turn; at least one
 * @param credentials empty for none (ANONYMOUS, or a client certificate)
 * @param saslMechanisms the mechanisms that may be used; empty for all that are offered
 * @param containerId the AMQP container id; empty for a random one that begins with {@code application}
 * @param application the application's name
 * @param profile what kind of broker it is; empty where it is to be found out
 * @param timeouts how long things may take
 * @param options options of the client library, passed on as they are
 */
public record BrokerSpec(
        String name,
        List<URI> urls,
        Optional<Credentials> credentials,
        List<String> saslMechanisms,
        Optional<String> containerId,
        String application,
        Optional<BrokerProfile> profile,
        Timeouts timeouts,
        Map<String, String> options) {

    /** Copies what is mutable and refuses an empty list of URLs. */
    public BrokerSpec {
        urls = List.copyOf(urls);
        saslMechanisms = List.copyOf(saslMechanisms);
        options = Map.copyOf(options);
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("broker '" + name + "' has no URL");
        }
    }

    /** For messages: {@code the unnamed broker} or {@code broker 'eu'}. Without URL options, which may hold secrets. */
    public String display() {
        return name.isEmpty() ? "the unnamed broker" : "broker '" + name + "'";
    }

    @Override
    public String toString() {
        return display();
    }

    /** A user and a password; shows neither. */
    public record Credentials(String username, String password) {
        @Override
        public String toString() {
            return "Credentials[…]";
        }
    }

    /**
     * How long things may take; empty is for ever.
     *
     * @param connect until a connection is open
     * @param request until the broker has answered an attach, a begin
     * @param send until the broker has confirmed a message
     * @param close until the broker has answered a close
     * @param idle after which a silent connection is lost
     */
    public record Timeouts(
            Optional<Duration> connect,
            Optional<Duration> request,
            Optional<Duration> send,
            Optional<Duration> close,
            Optional<Duration> idle) {}
}

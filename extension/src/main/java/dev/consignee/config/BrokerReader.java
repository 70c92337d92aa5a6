package dev.consignee.config;

import dev.consignee.config.BrokerUrls.BadUrlException;
import dev.consignee.config.BrokerUrls.Credentials;
import dev.consignee.declaration.BrokerProfile;
import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads one broker. */
final class BrokerReader {

    private final String name;
    private final String prefix;
    private final Lookup lookup;
    private final List<Problem> problems;
    private final KeyReader keys;

    BrokerReader(String name, Lookup lookup, List<Problem> problems) {
        this.name = name;
        this.prefix = Key.brokerPrefix(name);
        this.lookup = lookup;
        this.problems = problems;
        this.keys = new KeyReader(lookup, problems, prefix);
    }

    /** The broker; empty where its URL is wrong, or a named one has none. */
    Optional<BrokerSettings> read(PropertyNames names) {
        Optional<BrokerUrls> urls = urls();
        Credentials credentials = credentials(urls.flatMap(BrokerUrls::credentials));
        Duration delay = keys.duration(Key.RECONNECT_DELAY, KeyReader.SHORTEST);
        Duration maxDelay = keys.duration(Key.RECONNECT_MAX_DELAY, KeyReader.SHORTEST);
        checkDelays(delay, maxDelay);
        // all of it is read before the URL decides, so that all problems are told at once
        List<String> saslMechanisms = saslMechanisms();
        Optional<String> containerId = keys.text(Key.CONTAINER_ID);
        Optional<BrokerProfile> profile = keys.choice(Key.PROFILE, BrokerProfile.class);
        Optional<Duration> connectTimeout = keys.timeout(Key.CONNECT_TIMEOUT);
        Optional<Duration> requestTimeout = keys.timeout(Key.REQUEST_TIMEOUT);
        Optional<Duration> sendTimeout = keys.timeout(Key.SEND_TIMEOUT);
        Optional<Duration> closeTimeout = keys.timeout(Key.CLOSE_TIMEOUT);
        Optional<Duration> idleTimeout = keys.timeout(Key.IDLE_TIMEOUT);
        double jitter = keys.fraction(Key.RECONNECT_JITTER);
        Map<String, String> qpidOptions = qpidOptions(names);
        return urls.map(found -> new BrokerSettings(
                name,
                found.urls(),
                credentials.username(),
                credentials.password(),
                saslMechanisms,
                containerId,
                profile,
                connectTimeout,
                requestTimeout,
                sendTimeout,
                closeTimeout,
                idleTimeout,
                delay,
                maxDelay,
                jitter,
                qpidOptions));
    }

    private Optional<BrokerUrls> urls() {
        Optional<Lookup.Value> url = keys.find(Key.URL);
        if (url.isEmpty()) {
            return name.isEmpty()
                    ? Key.URL.defaultText().flatMap(text -> parse(new Lookup.Value("", text, "")))
                    : Optional.empty();
        }
        return url.flatMap(this::parse);
    }

    private Optional<BrokerUrls> parse(Lookup.Value url) {
        try {
            BrokerUrls urls = BrokerUrls.parse(url.text());
            if (!urls.ignored().isEmpty()) {
                add(
                        ProblemId.IGNORED_OPTION,
                        url,
                        "has options that are ignored: " + String.join(", ", urls.ignored()),
                        "");
            }
            return Optional.of(urls);
        } catch (BadUrlException e) {
            add(ProblemId.BAD_URL, url, "is no URL to connect to: " + e.getMessage(), Key.URL.legal());
            return Optional.empty();
        }
    }

    private void add(ProblemId id, Lookup.Value url, String message, String legal) {
        String origin = url.origin(Redaction.url(url.text()));
        problems.add(new Problem(id, Place.CONFIGURATION, origin, url.key() + " " + message, legal));
    }

    /** The keys go before the URL; another user than the URL's does not get the URL's password. */
    private Credentials credentials(Optional<Credentials> ofUrl) {
        Optional<String> username = keys.text(Key.USERNAME);
        Optional<Lookup.Value> password = keys.find(Key.PASSWORD);
        Optional<String> user = username.or(() -> ofUrl.flatMap(Credentials::username));
        if (user.isEmpty() && password.isPresent()) {
            keys.addBadValue(Key.PASSWORD, password.get(), "is there, but no username");
        }
        boolean sameUser =
                username.isEmpty() || ofUrl.flatMap(Credentials::username).equals(username);
        return new Credentials(
                user,
                password.map(value -> new Secret(value.text()))
                        .or(() -> sameUser ? ofUrl.flatMap(Credentials::password) : Optional.empty()));
    }

    private void checkDelays(Duration delay, Duration maxDelay) {
        if (delay.compareTo(maxDelay) > 0) {
            keys.find(Key.RECONNECT_DELAY)
                    .map(value -> Map.entry(Key.RECONNECT_DELAY, value))
                    .or(() ->
                            keys.find(Key.RECONNECT_MAX_DELAY).map(value -> Map.entry(Key.RECONNECT_MAX_DELAY, value)))
                    .ifPresent(entry -> keys.addBadValue(
                            entry.getKey(),
                            entry.getValue(),
                            "makes the first delay longer than the longest: " + delay + " and " + maxDelay));
        }
    }

    private List<String> saslMechanisms() {
        return keys.text(Key.SASL_MECHANISMS).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .filter(mechanism -> !mechanism.isEmpty())
                .toList();
    }

    private Map<String, String> qpidOptions(PropertyNames names) {
        Map<String, String> options = new TreeMap<>();
        for (String key : names.dotted()) {
            if (key.startsWith(prefix + Key.QPID_PREFIX)) {
                lookup.find(key, Place.CONFIGURATION, true)
                        .ifPresent(value ->
                                options.put(key.substring(prefix.length() + Key.QPID_PREFIX.length()), value.text()));
            }
        }
        return options;
    }
}

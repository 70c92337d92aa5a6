package dev.consignee.transport.jms;

import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.Connection;
import dev.consignee.transport.Transport;
import dev.consignee.transport.TransportException;
import jakarta.jms.JMSException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.qpid.jms.JmsConnection;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.policy.JmsDefaultPrefetchPolicy;
import org.apache.qpid.jms.provider.Provider;
import org.apache.qpid.jms.provider.ProviderFutureFactory;
import org.apache.qpid.jms.transports.TransportFactory;
import org.apache.qpid.jms.transports.TransportOptions;
import org.apache.qpid.jms.util.PropertyUtil;
import org.jspecify.annotations.Nullable;

/** Reaches AMQP 1.0 brokers over TCP and TLS by Qpid JMS. */
public final class QpidTransport implements Transport {

    private static final Map<String, String> TRANSPORTS = Map.of("amqp", "tcp", "amqps", "ssl");

    /** For {@link java.util.ServiceLoader}. */
    public QpidTransport() {}

    @Override
    public Set<String> schemes() {
        return TRANSPORTS.keySet();
    }

    @Override
    public Connection connect(BrokerSpec broker, URI url, Role role) throws TransportException {
        String remote = remote(url);
        @Nullable JmsConnection connection = null;
        try {
            Factory factory = new Factory(uri(broker, url, role));
            factory.setClientIDPrefix(broker.application() + "-");
            JmsDefaultPrefetchPolicy noCreditOfItsOwn = new JmsDefaultPrefetchPolicy();
            noCreditOfItsOwn.setAll(0);
            factory.setPrefetchPolicy(noCreditOfItsOwn);
            factory.setUseDaemonThread(true);
            connection = (JmsConnection)
                    (broker.credentials().isPresent()
                            ? factory.createConnection(
                                    broker.credentials().get().username(),
                                    broker.credentials().get().password())
                            : factory.createConnection());
            connection.start();
            EventLoop loop = factory.loop();
            return new QpidConnection(
                    remote,
                    connection,
                    loop,
                    broker.profile().orElseGet(() -> Products.profile(loop.remoteProperties())));
        } catch (JMSException | RuntimeException failed) {
            if (connection != null) {
                closeQuietly(connection);
            }
            throw option(failed)
                    .map(refused -> new TransportException(
                            "connecting to " + remote + ": " + refused.text(names(broker, url)), null, null))
                    .orElseGet(() -> Failures.of("connecting to " + remote, failed));
        }
    }

    /** An option that is refused. Qpid's own text and stack quote values, and one may be a misspelt password. */
    private static Optional<RefusedOption> option(Throwable failure) {
        int depth = 0;
        for (Throwable t = failure; t != null && depth < 20; t = t.getCause(), depth++) {
            if (t instanceof RefusedOption refused) {
                return Optional.of(refused);
            } else if (t instanceof IllegalArgumentException) {
                return Optional.of(new RefusedOption(Set.of()));
            }
        }
        return Optional.empty();
    }

    /** Says which options Qpid JMS does not have; none where it is a value that it refuses. */
    private static final class RefusedOption extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        private final transient Set<String> unknown;

        RefusedOption(Set<String> unknown) {
            super("Qpid JMS refuses options");
            this.unknown = unknown;
        }

        String text(Set<String> all) {
            return unknown.isEmpty()
                    ? "Qpid JMS refuses one of the options " + all + ", or its value"
                    : "Qpid JMS has no options " + unknown;
        }
    }

    private static Set<String> names(BrokerSpec broker, URI url) {
        Set<String> names = new TreeSet<>(broker.options().keySet());
        try {
            names.addAll(PropertyUtil.parseQuery(url).keySet());
        } catch (Exception unreadable) {
            names.add("of the URL, which cannot be read");
        }
        return names;
    }

    /** Where a URL leads to, with the port that goes without saying and without anything that may be secret. */
    private static String remote(URI url) {
        int port = url.getPort() >= 0 ? url.getPort() : url.getScheme().equals("amqps") ? 5671 : 5672;
        return url.getScheme() + "://" + url.getHost() + ":" + port;
    }

    private static void closeQuietly(JmsConnection connection) {
        try {
            connection.close();
        } catch (JMSException alreadyGone) {
            // The failure that led here is the one to report.
        }
    }

    /** The URL with the broker's settings as Qpid's options: ours first, then the URL's own, then {@code qpid.…}. */
    static String uri(BrokerSpec broker, URI url, Role role) {
        Map<String, String> options = new LinkedHashMap<>();
        BrokerSpec.Timeouts timeouts = broker.timeouts();
        options.put("jms.connectTimeout", millis(timeouts.connect(), "-1"));
        options.put("jms.requestTimeout", millis(timeouts.request(), "-1"));
        options.put("jms.sendTimeout", millis(timeouts.send(), "-1"));
        options.put("jms.closeTimeout", millis(timeouts.close(), "-1"));
        options.put("transport.connectTimeout", millis(timeouts.connect(), "0"));
        options.put("amqp.idleTimeout", millis(timeouts.idle(), "0"));
        if (!broker.saslMechanisms().isEmpty()) {
            options.put("amqp.saslMechanisms", String.join(",", broker.saslMechanisms()));
        }
        broker.containerId()
                .ifPresent(id -> options.put("jms.clientID", role == Role.RECEIVING ? id : id + "-publisher"));
        try {
            options.putAll(PropertyUtil.parseQuery(url));
        } catch (Exception unreadable) {
            throw new IllegalArgumentException("the query of the broker's URL cannot be read", unreadable);
        }
        options.putAll(broker.options());
        String query = options.entrySet().stream()
                .map(option -> option.getKey() + "=" + URLEncoder.encode(option.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        String text = url.toString();
        int end = text.indexOf('?');
        return (end < 0 ? text : text.substring(0, end)) + "?" + query;
    }

    private static String millis(Optional<Duration> timeout, String forEver) {
        return timeout.map(Duration::toMillis).map(String::valueOf).orElse(forEver);
    }

    /** Qpid's factory, whose connections run on our event loop. */
    private static final class Factory extends JmsConnectionFactory {

        private @Nullable EventLoop loop;

        Factory(String uri) {
            super(uri);
        }

        EventLoop loop() {
            if (loop == null) {
                throw new IllegalStateException("not connected");
            }
            return loop;
        }

        @Override
        protected Provider createProvider(URI remote) throws Exception {
            Map<String, String> options = PropertyUtil.parseQuery(remote);
            Map<String, String> amqp = PropertyUtil.filterProperties(options, "amqp.");
            Map<String, String> futures = PropertyUtil.filterProperties(options, "provider.");
            ProviderFutureFactory futureFactory = ProviderFutureFactory.create(futures);
            refuse("provider.", futures);
            // Tried on options of nobody's first: Qpid logs what it refuses, with the values.
            refuse(
                    "transport.",
                    PropertyUtil.setProperties(
                            new TransportOptions(),
                            PropertyUtil.filterProperties(new LinkedHashMap<>(options), "transport.")));
            String scheme = TRANSPORTS.get(remote.getScheme());
            EventLoop created = new EventLoop(
                    remote, TransportFactory.create(scheme, PropertyUtil.replaceQuery(remote, options)), futureFactory);
            refuse("amqp.", PropertyUtil.setProperties(created, amqp));
            loop = created;
            return created;
        }

        private static void refuse(String prefix, Map<String, String> unknown) {
            if (!unknown.isEmpty()) {
                throw new RefusedOption(
                        unknown.keySet().stream().map(prefix::concat).collect(Collectors.toCollection(TreeSet::new)));
            }
        }
    }
}

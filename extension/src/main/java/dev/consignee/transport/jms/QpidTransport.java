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
import java.util.stream.Collectors;
import org.apache.qpid.jms.JmsConnection;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.policy.JmsDefaultPrefetchPolicy;
import org.apache.qpid.jms.provider.Provider;
import org.apache.qpid.jms.provider.ProviderFutureFactory;
import org.apache.qpid.jms.transports.TransportFactory;
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
            return new QpidConnection(remote, connection, factory.loop());
        } catch (JMSException | RuntimeException failed) {
            if (connection != null) {
                closeQuietly(connection);
            }
            throw Failures.of("connecting to " + remote, failed);
        }
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
            String scheme = TRANSPORTS.get(remote.getScheme());
            EventLoop created = new EventLoop(
                    remote,
                    TransportFactory.create(scheme, PropertyUtil.replaceQuery(remote, options)),
                    ProviderFutureFactory.create(futures));
            Map<String, String> unknown = new LinkedHashMap<>(PropertyUtil.setProperties(created, amqp));
            unknown.putAll(futures);
            if (!unknown.isEmpty()) {
                throw new IllegalArgumentException("Qpid JMS has no options " + unknown.keySet());
            }
            loop = created;
            return created;
        }
    }
}

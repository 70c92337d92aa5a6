package dev.consignee.sample.demo;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.jms.provider.Provider;
import org.apache.qpid.jms.provider.amqp.AmqpProvider;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.proton.amqp.Symbol;
import org.jspecify.annotations.Nullable;

/**
 * The demo's own way to the broker, by plain Qpid JMS: what it publishes and what it reads of the broker owes nothing to
 * the code that it checks.
 */
final class BrokerConnection implements AutoCloseable {

    private static final Symbol JSON = Symbol.valueOf("application/json");
    private static final int TIMEOUT_MILLIS = 10_000;

    private final Connection connection;
    private final Map<Symbol, Object> brokerProperties;

    private BrokerConnection(Connection connection, Map<Symbol, Object> brokerProperties) {
        this.connection = connection;
        this.brokerProperties = brokerProperties;
    }

    /** Connects. */
    static BrokerConnection open(Endpoint endpoint) throws JMSException {
        Factory factory = new Factory(endpoint);
        Connection connection = factory.createConnection();
        connection.start();
        return new BrokerConnection(connection, factory.brokerProperties());
    }

    /** Returns what the broker calls itself, such as {@code apache-activemq-artemis 2.50.0}. */
    Optional<String> product() {
        Object product = brokerProperties.get(Symbol.valueOf("product"));
        Object version = brokerProperties.get(Symbol.valueOf("version"));
        return product == null
                ? Optional.empty()
                : Optional.of(version == null ? product.toString() : product + " " + version);
    }

    /** Opens a session that acknowledges by itself. */
    Session session() throws JMSException {
        return connection.createSession(Session.AUTO_ACKNOWLEDGE);
    }

    /**
     * Publishes bodies as they are, each one data section that says it is JSON, and waits for the broker to accept each.
     *
     * <p>Every second one is not persistent, and Qpid JMS then writes no header section: nothing in the message says that
     * the broker counts its deliveries.
     */
    void publish(String queue, Iterable<byte[]> bodies) throws JMSException {
        try (Session session = session();
                MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            boolean persistent = true;
            for (byte[] body : bodies) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                // JMS has no property for the content type
                ((AmqpJmsMessageFacade) ((JmsMessage) message).getFacade()).setContentType(JSON);
                producer.setDeliveryMode(persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
                producer.send(message);
                persistent = !persistent;
            }
        }
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }

    /** Keeps the provider of its connection, which alone knows what the broker said of itself. */
    private static final class Factory extends JmsConnectionFactory {

        private static final long serialVersionUID = 1L;

        private transient @Nullable Provider provider;

        Factory(Endpoint endpoint) {
            super(endpoint.username(), endpoint.password(), endpoint.url());
            setConnectTimeout(TIMEOUT_MILLIS);
            setRequestTimeout(TIMEOUT_MILLIS);
            setSendTimeout(TIMEOUT_MILLIS);
            setCloseTimeout(TIMEOUT_MILLIS);
        }

        @Override
        protected Provider createProvider(URI remote) throws Exception {
            Provider created = super.createProvider(remote);
            provider = created;
            return created;
        }

        Map<Symbol, Object> brokerProperties() {
            Map<Symbol, Object> properties = provider instanceof AmqpProvider amqp
                    ? amqp.getProtonConnection().getRemoteProperties()
                    : null;
            return properties == null ? Map.of() : properties;
        }
    }
}

package dev.consignee.tck;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.net.URI;
import java.time.Duration;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.message.JmsInboundMessageDispatch;
import org.apache.qpid.jms.provider.AsyncResult;
import org.apache.qpid.jms.provider.Provider;
import org.apache.qpid.jms.provider.ProviderConstants.ACK_TYPE;
import org.apache.qpid.jms.provider.ProviderException;
import org.apache.qpid.jms.provider.ProviderWrapper;

/** A consumer for the tests of the fixtures: settles one message at a time, and never has more open than its credit. */
final class JmsReceiver implements AutoCloseable {

    static final int ACCEPTED = 1;
    static final int REJECTED = 2;
    static final int RELEASED = 3;
    static final int MODIFIED_FAILED = 4;

    private static final int INDIVIDUAL_ACKNOWLEDGE = 101;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Connection connection;
    private final MessageConsumer consumer;

    private JmsReceiver(String url, String address, int credit, boolean topic) throws JMSException {
        connection = new Factory(URI.create(url + "?jms.closeTimeout=2000&jms.prefetchPolicy.all=" + credit))
                .createConnection();
        Session session = connection.createSession(INDIVIDUAL_ACKNOWLEDGE);
        consumer = session.createConsumer(topic ? session.createTopic(address) : session.createQueue(address));
        connection.start();
    }

    static JmsReceiver ofQueue(String url, String queue, int credit) throws JMSException {
        return new JmsReceiver(url, queue, credit, false);
    }

    static JmsReceiver ofTopic(String url, String topic, int credit) throws JMSException {
        return new JmsReceiver(url, topic, credit, true);
    }

    Connection connection() {
        return connection;
    }

    Message next() throws JMSException {
        Message message = consumer.receive(TIMEOUT.toMillis());
        if (message == null) {
            throw new AssertionError("no message within " + TIMEOUT);
        }
        return message;
    }

    static void settle(Message message, int outcome) throws JMSException {
        message.setIntProperty("JMS_AMQP_ACK_TYPE", outcome);
        message.acknowledge();
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }

    /** Has credit follow settlement: the hand-over to the application is not told to the provider. */
    private static final class Factory extends JmsConnectionFactory {

        Factory(URI url) {
            super(url);
        }

        @Override
        protected Provider createProvider(URI url) throws Exception {
            return new ProviderWrapper<>(super.createProvider(url)) {
                @Override
                public void acknowledge(JmsInboundMessageDispatch envelope, ACK_TYPE type, AsyncResult result)
                        throws ProviderException {
                    if (type == ACK_TYPE.DELIVERED) {
                        result.onSuccess();
                    } else {
                        super.acknowledge(envelope, type, result);
                    }
                }
            };
        }
    }
}

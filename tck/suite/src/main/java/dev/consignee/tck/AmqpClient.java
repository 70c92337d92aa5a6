package dev.consignee.tck;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.message.JmsInboundMessageDispatch;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.jms.message.JmsOutboundMessageDispatch;
import org.apache.qpid.jms.message.facade.JmsMessageFacade;
import org.apache.qpid.jms.provider.AsyncResult;
import org.apache.qpid.jms.provider.Provider;
import org.apache.qpid.jms.provider.ProviderException;
import org.apache.qpid.jms.provider.ProviderWrapper;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;

/**
 * The other side of a test: sends messages for the application under test, and receives what it published.
 *
 * <p>Stands on plain Qpid JMS. Any thread may call it; calls wait for each other. Sending attaches a link and detaches
 * it again, and so does receiving, so that no link of this client is there while the test looks at the broker's
 * consumers.
 */
public final class AmqpClient implements AutoCloseable {

    private static final String OPTIONS = "jms.validatePropertyNames=false&jms.prefetchPolicy.all=0"
            + "&jms.requestTimeout=15000&jms.sendTimeout=30000&jms.closeTimeout=5000";
    private static final String WIRE = "consignee-tck-wire";
    private static final String ARRIVED = "consignee-tck-arrived";
    private static final int IN_FLIGHT = 1000;
    private static final Duration CONFIRMATION = Duration.ofSeconds(60);

    private final Connection connection;
    private final Session session;

    /** Connects without credentials. */
    public AmqpClient(String url) throws JMSException {
        this(factory(url).createConnection());
    }

    /** Connects with SASL PLAIN; wrong credentials are a {@link jakarta.jms.JMSSecurityException}. */
    public AmqpClient(String url, String username, String password) throws JMSException {
        this(factory(url).createConnection(username, password));
    }

    private AmqpClient(Connection connection) throws JMSException {
        this.connection = connection;
        try {
            connection.start();
            session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        } catch (JMSException e) {
            connection.close();
            throw e;
        }
    }

    private static JmsConnectionFactory factory(String url) {
        return new Factory(URI.create(url + (url.contains("?") ? "&" : "?") + OPTIONS));
    }

    /** Sends messages to a queue, in order; returns once the broker has accepted them all. */
    public void sendToQueue(String queue, Outbound... messages) throws JMSException {
        sendToQueue(queue, messages.length, i -> messages[i]);
    }

    /** Sends that many messages to a queue, in order; returns once the broker has accepted them all. */
    public synchronized void sendToQueue(String queue, int count, IntFunction<Outbound> messages) throws JMSException {
        send(session.createQueue(queue), count, messages);
    }

    /** Sends messages to a topic, in order; returns once the broker has accepted them all. */
    public void sendToTopic(String topic, Outbound... messages) throws JMSException {
        sendToTopic(topic, messages.length, i -> messages[i]);
    }

    /** Sends that many messages to a topic, in order; returns once the broker has accepted them all. */
    public synchronized void sendToTopic(String topic, int count, IntFunction<Outbound> messages) throws JMSException {
        send(session.createTopic(topic), count, messages);
    }

    private void send(Destination destination, int count, IntFunction<Outbound> messages) throws JMSException {
        Confirmations confirmations = new Confirmations();
        try (MessageProducer producer = session.createProducer(destination)) {
            for (int i = 0; i < count; i++) {
                Outbound outbound = messages.apply(i);
                confirmations.await(1);
                producer.send(
                        message(outbound),
                        outbound.durable() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT,
                        Message.DEFAULT_PRIORITY,
                        Message.DEFAULT_TIME_TO_LIVE,
                        confirmations);
            }
            confirmations.await(IN_FLIGHT);
        }
    }

    private Message message(Outbound outbound) throws JMSException {
        Message message = body(outbound.body());
        AmqpJmsMessageFacade facade = (AmqpJmsMessageFacade) ((JmsMessage) message).getFacade();
        if (outbound.body() instanceof Outbound.Body.Bytes bytes && bytes.contentType() != null) {
            facade.setContentType(Symbol.valueOf(bytes.contentType()));
        } else if (outbound.body() instanceof Outbound.Body.Encoded encoded) {
            facade.setTracingContext(
                    WIRE, Unpooled.wrappedBuffer(encoded.message().asByteBuffer()));
        }
        for (Outbound.Setting setting : outbound.settings()) {
            try {
                setting.apply(facade);
            } catch (JMSException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalArgumentException("a setting of the message failed", e);
            }
        }
        return message;
    }

    private Message body(Outbound.Body body) throws JMSException {
        if (body instanceof Outbound.Body.Bytes bytes) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(
                    bytes.bytes().getArray(),
                    bytes.bytes().getArrayOffset(),
                    bytes.bytes().getLength());
            return message;
        } else if (body instanceof Outbound.Body.Value value) {
            return session.createTextMessage(value.text());
        } else if (body instanceof Outbound.Body.Serialized serialized) {
            return session.createObjectMessage(serialized.object());
        }
        return session.createMessage();
    }

    /**
     * Receives the next message of a queue and accepts it; empty where none came in time.
     *
     * <p>The message is what Qpid JMS decoded and encodes again: of several data sections only the last is there, and
     * one that it can't decode is not given out (it is settled as modified with undeliverable-here). Where that
     * matters, look at {@link EmbeddedArtemis#messages} or at the frames.
     */
    public synchronized Optional<WireMessage> receive(String queue, Duration timeout) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            return next(consumer, timeout);
        }
    }

    /** Receives and accepts what a queue holds, until no message came for that long. */
    public synchronized List<WireMessage> receiveAll(String queue, Duration quiet) throws JMSException {
        List<WireMessage> received = new ArrayList<>();
        try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            Optional<WireMessage> message = next(consumer, quiet);
            while (message.isPresent()) {
                received.add(message.get());
                message = next(consumer, quiet);
            }
        }
        return received;
    }

    private static Optional<WireMessage> next(MessageConsumer consumer, Duration timeout) throws JMSException {
        Message message = consumer.receive(Math.max(1, timeout.toMillis())); // 0 would wait for ever
        if (message == null) {
            return Optional.empty();
        }
        JmsMessageFacade arrived =
                (JmsMessageFacade) ((JmsMessage) message).getFacade().getTracingContext(ARRIVED);
        byte[] encoded = ByteBufUtil.getBytes((ByteBuf) arrived.encodeMessage());
        return Optional.of(WireMessage.decode(new Binary(encoded)));
    }

    /** Closes the connection; what it was, it was. */
    @Override
    public void close() {
        try {
            connection.close();
        } catch (JMSException e) {
            throw new IllegalStateException("could not close the connection", e);
        }
    }

    /** Counts what the broker has yet to confirm, and keeps the first refusal. */
    private static final class Confirmations implements CompletionListener {

        private final Semaphore free = new Semaphore(IN_FLIGHT);
        private final AtomicReference<Exception> refused = new AtomicReference<>();

        /** Waits until that many more may be on their way; all of them, until none is. */
        void await(int permits) throws JMSException {
            boolean confirmed;
            try {
                confirmed = free.tryAcquire(permits, CONFIRMATION.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while sending", e);
            }
            Exception cause = refused.get();
            if (cause instanceof JMSException jms) {
                throw jms;
            } else if (cause != null) {
                throw new IllegalStateException("a message was not accepted", cause);
            } else if (!confirmed) {
                throw new IllegalStateException("the broker did not confirm within " + CONFIRMATION);
            }
        }

        @Override
        public void onCompletion(Message message) {
            free.release();
        }

        @Override
        public void onException(Message message, Exception exception) {
            refused.compareAndSet(null, exception);
            free.release();
        }
    }

    /** Lets encoded messages out, and the decoded ones in before Qpid JMS changes them for the application. */
    private static final class Factory extends JmsConnectionFactory {

        Factory(URI url) {
            super(url);
        }

        @Override
        protected Provider createProvider(URI url) throws Exception {
            return new ProviderWrapper<>(super.createProvider(url)) {
                @Override
                public void send(JmsOutboundMessageDispatch envelope, AsyncResult result) throws ProviderException {
                    Object encoded = envelope.getMessage().getFacade().getTracingContext(WIRE);
                    if (encoded != null) {
                        envelope.setPayload(encoded);
                    }
                    super.send(envelope, result);
                }

                @Override
                public void onInboundMessage(JmsInboundMessageDispatch envelope) {
                    JmsMessageFacade facade = envelope.getMessage().getFacade();
                    facade.setTracingContext(ARRIVED, facade);
                    super.onInboundMessage(envelope);
                }
            };
        }
    }
}

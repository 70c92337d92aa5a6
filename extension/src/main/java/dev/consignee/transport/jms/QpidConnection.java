package dev.consignee.transport.jms;

import dev.consignee.declaration.BrokerProfile;
import dev.consignee.transport.Address;
import dev.consignee.transport.Connection;
import dev.consignee.transport.ReceiverSpec;
import dev.consignee.transport.SettlementListener;
import dev.consignee.transport.TransportException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.qpid.jms.JmsConnection;
import org.apache.qpid.jms.JmsConnectionListener;
import org.apache.qpid.jms.JmsDestination;
import org.apache.qpid.jms.message.JmsInboundMessageDispatch;
import org.jspecify.annotations.Nullable;

/** A connection of Qpid JMS, once; whatever was opened on it is lost when it is. */
final class QpidConnection implements Connection {

    /** Qpid's mode for settling each message on its own. */
    private static final int INDIVIDUAL_ACKNOWLEDGE = 101;

    /** Qpid's mode in which it asks the broker to settle on hand-over. */
    private static final int NO_ACKNOWLEDGE = 257;

    private final String remote;
    private final JmsConnection connection;
    private final EventLoop loop;
    private final BrokerProfile profile;
    private final Set<QpidReceiver> receivers = ConcurrentHashMap.newKeySet();
    private final Set<QpidSender> senders = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable TransportException> lost = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    QpidConnection(String remote, JmsConnection connection, EventLoop loop, BrokerProfile profile) {
        this.remote = remote;
        this.connection = connection;
        this.loop = loop;
        this.profile = profile;
        connection.addConnectionListener(new Losses());
        if (connection.isFailed()) {
            lose(new TransportException("the connection to " + remote + " is gone", null, null));
        }
    }

    @Override
    public QpidReceiver openReceiver(ReceiverSpec spec, SettlementListener listener) throws TransportException {
        throwIfLost();
        Session session = open(spec.source(), spec.settled() ? NO_ACKNOWLEDGE : INDIVIDUAL_ACKNOWLEDGE);
        QpidReceiver[] receiver = new QpidReceiver[1];
        receiver[0] = new QpidReceiver(spec, listener, session, () -> receivers.remove(receiver[0]));
        receivers.add(receiver[0]);
        try {
            attach(session, spec, LinkAddress.of(spec.source(), receiver[0]));
        } catch (JMSException | RuntimeException refused) {
            receiver[0].close();
            throw Failures.of("attaching to " + spec.source(), refused);
        }
        TransportException reason = lost.get();
        if (reason != null) {
            receiver[0].lose(reason);
        }
        return receiver[0];
    }

    private static void attach(Session session, ReceiverSpec spec, JmsDestination source) throws JMSException {
        @Nullable String selector = spec.selector().orElse(null);
        if (spec.subscription().isEmpty()) {
            session.createConsumer(source, selector);
            return;
        }
        String name = spec.subscription().get();
        Topic topic = (Topic) source;
        if (spec.durable() && spec.shared()) {
            session.createSharedDurableConsumer(topic, name, selector);
        } else if (spec.durable()) {
            session.createDurableConsumer(topic, name, selector, false);
        } else {
            session.createSharedConsumer(topic, name, selector);
        }
    }

    @Override
    public QpidSender openSender(Address target) throws TransportException {
        throwIfLost();
        Session session = open(target, INDIVIDUAL_ACKNOWLEDGE);
        QpidSender[] sender = new QpidSender[1];
        sender[0] = new QpidSender(target, profile, session, () -> senders.remove(sender[0]));
        senders.add(sender[0]);
        try {
            session.createProducer(LinkAddress.of(target, sender[0]));
        } catch (JMSException | RuntimeException refused) {
            sender[0].close();
            throw Failures.of("attaching a sender to " + target, refused);
        }
        TransportException reason = lost.get();
        if (reason != null) {
            sender[0].lose(reason);
        }
        return sender[0];
    }

    private Session open(Address address, int mode) throws TransportException {
        try {
            return connection.createSession(false, mode);
        } catch (JMSException | RuntimeException refused) {
            throw Failures.of("opening a session for " + address, refused);
        }
    }

    private void throwIfLost() throws TransportException {
        TransportException reason = lost.get();
        if (reason != null) {
            throw reason.again();
        }
    }

    private void lose(TransportException reason) {
        if (lost.compareAndSet(null, reason)) {
            receivers.forEach(receiver -> receiver.lose(reason));
            senders.forEach(sender -> sender.lose(reason));
        }
    }

    @Override
    public boolean isOpen() {
        return lost.get() == null && !connection.isFailed();
    }

    @Override
    public BrokerProfile profile() {
        return profile;
    }

    @Override
    public String remote() {
        return remote;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            connection.close();
        } catch (JMSException alreadyGone) {
            // Closing is all that was wanted.
        } finally {
            loop.over();
            lose(new TransportException("the connection to " + remote + " is closed", null, null));
        }
    }

    /** Hears of what Qpid JMS has lost, on Qpid's own executor. */
    private final class Losses implements JmsConnectionListener {

        @Override
        public void onConnectionFailure(Throwable error) {
            lose(Failures.of("the connection to " + remote + " is gone", error));
        }

        @Override
        public void onSessionClosed(Session session, Throwable cause) {
            TransportException reason = Failures.of("the broker ended the session", cause);
            receivers.forEach(receiver -> {
                if (receiver.session().equals(session)) {
                    receiver.lose(reason);
                }
            });
            senders.forEach(sender -> {
                if (sender.session().equals(session)) {
                    sender.lose(reason);
                }
            });
        }

        @Override
        public void onConsumerClosed(MessageConsumer consumer, Throwable cause) {
            // The link's own events have told (LinkEvents).
        }

        @Override
        public void onProducerClosed(MessageProducer producer, Throwable cause) {
            // The link's own events have told (LinkEvents).
        }

        @Override
        public void onInboundMessage(JmsInboundMessageDispatch envelope) {
            // Messages go to the link's owner, not through Qpid JMS.
        }

        @Override
        public void onConnectionEstablished(URI to) {
            // Connecting has returned.
        }

        @Override
        public void onConnectionInterrupted(URI from) {
            // Only Qpid's own failover has interruptions.
        }

        @Override
        public void onConnectionRestored(URI to) {
            // Only Qpid's own failover has interruptions.
        }
    }
}

package dev.consignee.tck;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.server.impl.AddressInfo;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerMessagePlugin;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessage;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager2;
import org.apache.activemq.artemis.utils.collections.LinkedListIterator;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.codec.ReadableBuffer;

/**
 * Apache Artemis inside this JVM, speaking AMQP 1.0 on a port of 127.0.0.1 that the system chose.
 *
 * <p>Nothing is stored: a restart loses the messages. Addresses and queues are created when a client asks for them, as
 * anycast where it does not say otherwise, and never deleted by themselves. A message that was rejected or delivered
 * too often goes to {@code DLQ}, an expired one to {@code ExpiryQueue}; a message that comes back is delivered again at
 * once. Any thread may call the methods.
 */
public final class EmbeddedArtemis implements AutoCloseable {

    /** The queue to which rejected messages and those delivered too often go. */
    public static final String DEAD_LETTER_QUEUE = "DLQ";

    /** The queue to which expired messages go. */
    public static final String EXPIRY_QUEUE = "ExpiryQueue";

    private static final String ACCEPTOR = "amqp";
    private static final Duration START_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration START_PAUSE = Duration.ofMillis(100);

    private final Builder settings;
    private final DeliveryWatch watch = new DeliveryWatch();
    private final Set<String> forbidden = ConcurrentHashMap.newKeySet();
    private int port; // 0 until the system has chosen one
    private Optional<EmbeddedActiveMQ> running = Optional.empty();

    private EmbeddedArtemis(Builder settings) {
        this.settings = settings;
    }

    /** Starts a broker with the defaults: no security, ten delivery attempts. */
    public static EmbeddedArtemis withDefaults() {
        return builder().start();
    }

    /** A broker yet to be started. */
    public static Builder builder() {
        return new Builder();
    }

    /** What can be chosen before the start. */
    public static final class Builder {

        private final Map<String, String> users = new HashMap<>();
        private int maxDeliveryAttempts = 10;
        private boolean autoCreate = true;

        private Builder() {}

        /** Switches security on and lets this user do everything; nobody else, an anonymous client neither. */
        public Builder user(String name, String password) {
            users.put(name, password);
            return this;
        }

        /** After how many counted deliveries a message goes to the dead-letter queue; -1 for never. Default 10. */
        public Builder maxDeliveryAttempts(int attempts) {
            maxDeliveryAttempts = attempts;
            return this;
        }

        /** Whether a client that names an unknown address gets one. Default true; else it gets amqp:not-found. */
        public Builder autoCreate(boolean on) {
            autoCreate = on;
            return this;
        }

        /** Starts the broker. */
        public EmbeddedArtemis start() {
            EmbeddedArtemis broker = new EmbeddedArtemis(this);
            broker.start();
            return broker;
        }
    }

    /** Starts again after {@link #stop()}, on the same port and with nothing but the default queues. */
    public synchronized void start() {
        if (running.isPresent()) {
            return;
        }
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        Optional<EmbeddedActiveMQ> started = tryStart();
        while (started.isEmpty()) {
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("Artemis can't listen on port " + port);
            }
            LockSupport.parkNanos(START_PAUSE.toNanos()); // somebody else has the port for the moment
            started = tryStart();
        }
        running = started;
        port = acceptor(server()).getActualPort();
        createQueue(DEAD_LETTER_QUEUE);
        createQueue(EXPIRY_QUEUE);
    }

    /** One try; empty where the broker runs but its port could not be had. */
    private Optional<EmbeddedActiveMQ> tryStart() {
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
        broker.setConfiguration(configuration());
        broker.setSecurityManager(new Users(Map.copyOf(settings.users), forbidden));
        try {
            broker.start();
            if (acceptor(broker.getActiveMQServer()).getActualPort() != 0) { // Artemis starts without it, too
                return Optional.of(broker);
            }
            broker.stop();
            return Optional.empty();
        } catch (Exception e) {
            throw new IllegalStateException("Artemis did not start", e);
        }
    }

    private AddressSettings addressSettings() {
        return new AddressSettings()
                .setDeadLetterAddress(SimpleString.of(DEAD_LETTER_QUEUE))
                .setExpiryAddress(SimpleString.of(EXPIRY_QUEUE))
                .setMaxDeliveryAttempts(settings.maxDeliveryAttempts)
                .setRedeliveryDelay(0)
                .setAutoCreateAddresses(settings.autoCreate)
                .setAutoCreateQueues(settings.autoCreate)
                .setAutoDeleteAddresses(false)
                .setAutoDeleteQueues(false)
                .setDefaultAddressRoutingType(RoutingType.ANYCAST)
                .setDefaultQueueRoutingType(RoutingType.ANYCAST);
    }

    private Configuration configuration() {
        Configuration configuration = new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(!settings.users.isEmpty())
                .setJMXManagementEnabled(false)
                .setMaxDiskUsage(-1) // a full disk would block senders, though nothing is stored
                .setGlobalMaxSize(-1)
                .setSecurityInvalidationInterval(0) // nothing is remembered
                .setAuthenticationCacheSize(0)
                .setAuthorizationCacheSize(0)
                .addAddressSetting("#", addressSettings());
        configuration.registerBrokerPlugin(watch);
        try {
            return configuration.addAcceptorConfiguration(
                    ACCEPTOR, "tcp://127.0.0.1:" + port + "?protocols=AMQP;amqpCredits=1000;amqpLowCredits=300");
        } catch (Exception e) {
            throw new IllegalStateException("a wrong acceptor", e);
        }
    }

    private static NettyAcceptor acceptor(ActiveMQServer server) {
        return (NettyAcceptor) server.getRemotingService().getAcceptor(ACCEPTOR);
    }

    /** Stops the broker: connections are closed, messages are gone, the port is refused. */
    public synchronized void stop() {
        if (running.isPresent()) {
            EmbeddedActiveMQ broker = running.get();
            running = Optional.empty();
            call(broker::stop);
        }
    }

    /** Stops for good. */
    @Override
    public void close() {
        stop();
    }

    /** Where clients connect: {@code amqp://127.0.0.1:port}. */
    public String url() {
        return "amqp://127.0.0.1:" + port();
    }

    /** The port, the same for the life of this object. */
    public synchronized int port() {
        return port;
    }

    /** Creates an anycast queue of that name, with its address; does nothing where it exists. */
    public void createQueue(String name) {
        QueueConfiguration queue =
                QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST).setAutoCreateAddress(true);
        call(() -> server().createQueue(queue, true));
    }

    /** Creates a multicast address; does nothing where it exists. */
    public void createTopic(String address) {
        call(() -> server().addAddressInfo(new AddressInfo(SimpleString.of(address), RoutingType.MULTICAST)));
    }

    /**
     * Deletes a queue with its messages. The link of each consumer is detached with amqp:resource-deleted, while its
     * connection lives; the consumer's next attach creates the queue again, unless the broker was built without.
     */
    public void deleteQueue(String name) {
        call(() -> {
            server().destroyQueue(SimpleString.of(name), null, false, true);
            return name;
        });
    }

    /** What the broker does with a message for an address that is full. */
    public enum WhenFull {
        /** It rejects a message. */
        FAIL,
        /** It grants no more credit, and takes what it has granted. */
        BLOCK
    }

    /**
     * Lets an address hold no more than so many messages, over all its queues; at once.
     *
     * <p>Either way a sender that is attached while the address is full gets no credit; {@link WhenFull#FAIL} rejects one
     * message of a sender that has some, and takes the rest of it away. To make room, raise the limit.
     */
    public void limit(String address, long messages, WhenFull whenFull) {
        server().getAddressSettingsRepository()
                .addMatch(
                        address,
                        addressSettings()
                                .setMaxSizeMessages(messages)
                                .setAddressFullMessagePolicy(AddressFullMessagePolicy.valueOf(whenFull.name())));
    }

    /** Where there are users: whether one of them may not send to an address; at once, also over links that are there. */
    public void forbidSending(String user, String address, boolean on) {
        if (on) {
            forbidden.add(user + ' ' + address);
        } else {
            forbidden.remove(user + ' ' + address);
        }
    }

    /** The broker's counters of a queue. */
    public QueueCounters queue(String name) {
        return find(name)
                .map(queue -> new QueueCounters(
                        name,
                        true,
                        queue.getMessageCount(),
                        queue.getDeliveringCount(),
                        queue.getScheduledCount(),
                        queue.getMessagesAdded(),
                        queue.getMessagesAcknowledged(),
                        queue.getMessagesKilled(),
                        queue.getAcknowledgeAttempts(),
                        queue.getConsumerCount()))
                .orElseGet(() -> QueueCounters.none(name));
    }

    /** The broker's counters of each queue bound to an address: for a topic, one for each subscription. */
    public List<QueueCounters> queuesOf(String address) {
        return call(() -> server().bindingQuery(SimpleString.of(address)).getQueueNames()).stream()
                .map(name -> queue(name.toString()))
                .toList();
    }

    /** How many messages are in the dead-letter queue. */
    public long deadLetters() {
        return queue(DEAD_LETTER_QUEUE).messageCount();
    }

    /**
     * The messages that wait in a queue, those in delivery or scheduled not among them, as the next receiver would get
     * them: the delivery-count in the header is how many deliveries the broker has counted so far.
     */
    public List<WireMessage> messages(String queue) {
        List<WireMessage> messages = new ArrayList<>();
        find(queue).ifPresent(found -> {
            found.flushExecutor();
            try (LinkedListIterator<MessageReference> references = found.browserIterator()) {
                while (references.hasNext()) {
                    messages.add(message(references.next()));
                }
            }
        });
        return messages;
    }

    private static WireMessage message(MessageReference reference) {
        if (!(reference.getMessage() instanceof AMQPMessage message)) {
            throw new IllegalStateException("not sent by AMQP: " + reference.getMessage());
        }
        ReadableBuffer stored = message.getSendBuffer(1, null);
        byte[] encoded = new byte[stored.remaining()];
        stored.get(encoded);
        return WireMessage.decode(new Binary(encoded)).countedTimes(reference.getDeliveryCount());
    }

    /** How many of a queue's messages the broker counts as in delivery right now, over all consumers. */
    public int unsettled(String queue) {
        return find(queue).map(Queue::getDeliveringCount).orElse(0);
    }

    /**
     * The most messages of a queue that the broker ever counted as in delivery, over all consumers, since the start of
     * this object or {@link #resetMaxUnsettled}.
     *
     * <p>It is the broker's own counter, read at each delivery right after the broker has raised it and before the
     * transfer is written. A message counts from then until its accepted, rejected, released or modified disposition
     * has been carried out, or its link is gone.
     *
     * <p>Artemis uses the credit of a flow before it has carried out the dispositions that came along with it. While
     * deliveries are settled, the mark therefore goes above the credit of a client that never granted too much (24 was
     * seen at a credit of 16). It is exact where nothing is settled meanwhile: a client that holds what it gets. What a
     * client allowed the broker to have out is told by the frames, whatever their timing:
     * {@link FrameProxy#maxUnsettled}.
     */
    public int maxUnsettled(String queue) {
        return watch.highest(queue);
    }

    /** Forgets the high-water mark of a queue. */
    public void resetMaxUnsettled(String queue) {
        watch.reset(queue);
    }

    /** How many clients are connected. */
    public int connectionCount() {
        return server().getConnectionCount();
    }

    /** Closes each client's socket without a word; the broker goes on. */
    public void closeConnections() {
        for (RemotingConnection connection :
                Set.copyOf(server().getRemotingService().getConnections())) {
            connection.getTransportConnection().forceClose();
        }
    }

    /** Tells a plugin what becomes of messages from now on, until the broker stops; on the broker's threads. */
    public void plugIn(ActiveMQServerMessagePlugin plugin) {
        server().registerBrokerPlugin(plugin);
    }

    private synchronized ActiveMQServer server() {
        return running.orElseThrow(() -> new IllegalStateException("the broker is stopped"))
                .getActiveMQServer();
    }

    private Optional<Queue> find(String name) {
        return Optional.ofNullable(server().locateQueue(SimpleString.of(name)));
    }

    /** A call of the broker, which declares every exception. */
    private interface Call<T> {
        T run() throws Exception;
    }

    private static <T> T call(Call<T> call) {
        try {
            return call.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Artemis refused", e);
        }
    }

    /**
     * Lets the named users do everything that is not forbidden.
     *
     * @param forbidden to send: {@code user address}
     */
    private record Users(Map<String, String> passwords, Set<String> forbidden) implements ActiveMQSecurityManager2 {

        @Override
        public boolean validateUser(String user, String password) {
            return user != null && password != null && password.equals(passwords.get(user));
        }

        @Override
        public boolean validateUser(String user, String password, X509Certificate[] certificates) {
            return validateUser(user, password);
        }

        @Override
        public boolean validateUserAndRole(String user, String password, Set<Role> roles, CheckType checkType) {
            return validateUser(user, password);
        }

        @Override
        public boolean validateUserAndRole(
                String user,
                String password,
                Set<Role> roles,
                CheckType checkType,
                String address,
                RemotingConnection connection) {
            return validateUser(user, password)
                    && !(checkType == CheckType.SEND && forbidden.contains(user + ' ' + address));
        }
    }
}

package dev.consignee.sample.demo;

import java.util.List;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** An Artemis in this process, in memory, on a port of the system's choice. */
final class EmbeddedBroker implements AutoCloseable {

    private static final String ACCEPTOR = "amqp";
    private static final String DEAD_LETTERS = "DLQ";
    private static final int MAX_DELIVERY_ATTEMPTS = 10;

    private final ActiveMQServer server;

    private EmbeddedBroker(ActiveMQServer server) {
        this.server = server;
    }

    /** Starts the broker with these queues and {@code DLQ}. */
    static EmbeddedBroker start(List<String> queues) throws Exception {
        Configuration configuration = new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .setJMXManagementEnabled(false)
                .addAcceptorConfiguration(ACCEPTOR, "tcp://127.0.0.1:0?protocols=AMQP")
                .addAddressSetting(
                        "#",
                        new AddressSettings()
                                .setDefaultAddressRoutingType(RoutingType.ANYCAST)
                                .setDefaultQueueRoutingType(RoutingType.ANYCAST)
                                .setDeadLetterAddress(SimpleString.of(DEAD_LETTERS))
                                .setMaxDeliveryAttempts(MAX_DELIVERY_ATTEMPTS));
        EmbeddedBroker broker = new EmbeddedBroker(ActiveMQServers.newActiveMQServer(configuration, false));
        broker.server.start();
        broker.createQueue(DEAD_LETTERS);
        for (String queue : queues) {
            broker.createQueue(queue);
        }
        return broker;
    }

    private void createQueue(String name) throws Exception {
        server.createQueue(QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST));
    }

    /** Returns the URL that it listens on. */
    String url() {
        NettyAcceptor acceptor = (NettyAcceptor) server.getRemotingService().getAcceptor(ACCEPTOR);
        return "amqp://127.0.0.1:" + acceptor.getActualPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception failure) {
            throw new IllegalStateException("The broker did not stop", failure);
        }
    }
}

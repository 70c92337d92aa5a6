package dev.consignee.transport;

import java.net.URI;
import java.util.Set;

/** A way to reach brokers. Found by {@link java.util.ServiceLoader}; stateless, any thread may use it. */
public interface Transport {

    /** The URL schemes that it serves, in lower case. */
    Set<String> schemes();

    /**
     * Connects to one broker, once.
     *
     * <p>Blocks for at most the broker's connect timeout. Nothing reconnects behind the caller's back: when the
     * connection is lost it is over, and everything opened on it.
     *
     * @param url one of the broker's URLs, without credentials
     * @throws TransportException where that did not work, after everything begun has been cleaned up
     */
    Connection connect(BrokerSpec broker, URI url, Role role) throws TransportException;

    /** What a connection is for: receiving and publishing never share one, so that neither can starve the other. */
    enum Role {
        RECEIVING,
        PUBLISHING
    }
}

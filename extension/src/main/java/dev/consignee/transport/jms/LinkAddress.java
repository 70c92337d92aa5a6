package dev.consignee.transport.jms;

import dev.consignee.transport.Address;
import org.apache.qpid.jms.JmsDestination;
import org.apache.qpid.jms.JmsQueue;
import org.apache.qpid.jms.JmsTopic;

/**
 * A destination that knows whose link it is for.
 *
 * <p>Qpid JMS takes a subclass of its destinations as it is, all the way to the provider, which can thus hand the open
 * link to its owner before the first frame on it is read.
 */
interface LinkAddress {

    LinkOwner owner();

    static JmsDestination of(Address address, LinkOwner owner) {
        return switch (address.kind()) {
            case QUEUE -> new OwnedQueue(address.name(), owner);
            case TOPIC -> new OwnedTopic(address.name(), owner);
            case VERBATIM -> new OwnedNode(address.name(), owner);
        };
    }

    /** A queue: the terminus has the capability {@code queue}. */
    final class OwnedQueue extends JmsQueue implements LinkAddress {
        private final transient LinkOwner owner;

        OwnedQueue(String name, LinkOwner owner) {
            super(name);
            this.owner = owner;
        }

        @Override
        public LinkOwner owner() {
            return owner;
        }
    }

    /** A topic: the terminus has the capability {@code topic}. */
    final class OwnedTopic extends JmsTopic implements LinkAddress {
        private final transient LinkOwner owner;

        OwnedTopic(String name, LinkOwner owner) {
            super(name);
            this.owner = owner;
        }

        @Override
        public LinkOwner owner() {
            return owner;
        }
    }

    /** Neither: the terminus has no capability. */
    final class OwnedNode extends JmsDestination implements LinkAddress {
        private final transient LinkOwner owner;

        OwnedNode(String name, LinkOwner owner) {
            super(name, false, false);
            this.owner = owner;
        }

        @Override
        public boolean isQueue() {
            return false;
        }

        @Override
        public LinkOwner owner() {
            return owner;
        }
    }
}

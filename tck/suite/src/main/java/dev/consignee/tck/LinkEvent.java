package dev.consignee.tck;

import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/** Something that happened on a link, told with the link's address; read from the frames by {@link LinkHistory}. */
public sealed interface LinkEvent {

    /** Which way the frame went that made it happen. */
    Direction direction();

    /** The link that it happened on. */
    Link link();

    /** Whether it happened on a link of that address on which the client receives. */
    default boolean receivingFrom(String address) {
        return link().clientReceives() && link().address().equals(address);
    }

    /** Whether it happened on a link of that address on which the client sends. */
    default boolean sendingTo(String address) {
        return !link().clientReceives() && link().address().equals(address);
    }

    /**
     * A link, from its first attach to its end: attached anew, it is another one.
     *
     * @param connection the number of the proxied connection
     * @param number the number of the link, from 0 in the order of the first attach, over all connections
     * @param name its name
     * @param clientReceives true where the client is the receiver
     * @param address the source's address where the client receives, the target's where it sends; empty where there is
     *     none (an anonymous sender, a transaction coordinator)
     */
    record Link(int connection, int number, String name, boolean clientReceives, String address) {}

    /** One side has attached the link. */
    record Attached(Direction direction, Link link) implements LinkEvent {}

    /**
     * One side has stated the link's flow; by the receiver it is a grant of credit.
     *
     * @param credit the link credit as stated
     * @param unsettled how many deliveries were unsettled at that moment
     * @param outstanding how much credit the sender had not used at that moment
     */
    record Flowed(Direction direction, Link link, long credit, boolean drain, long unsettled, long outstanding)
            implements LinkEvent {}

    /**
     * A delivery has passed, with its last frame.
     *
     * @param payload the encoded message, put together from all frames of the delivery
     */
    record Transferred(Direction direction, Link link, long deliveryId, boolean settled, Binary payload)
            implements LinkEvent {

        /** The message. */
        public WireMessage message() {
            return WireMessage.decode(payload);
        }
    }

    /**
     * One delivery's disposition; a disposition frame with a range makes one for each.
     *
     * @param state what it says of the delivery, null where it says nothing
     */
    record Disposed(
            Direction direction,
            Link link,
            long deliveryId,
            @Nullable DeliveryState state,
            boolean settled) implements LinkEvent {}

    /**
     * One side has detached the link.
     *
     * @param error why, null where no reason is given
     */
    record Detached(
            Direction direction,
            Link link,
            boolean closed,
            @Nullable ErrorCondition error) implements LinkEvent {}
}

package dev.consignee.tck;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/** Tells what the frames say of one address, a word for each event that matters to a message. */
public final class Story {

    private Story() {}

    /**
     * What happened at an address, in order.
     *
     * <p>{@code delivered} to the client, which then {@code accepted}, {@code rejected}, {@code modified} or {@code
     * released}; {@code published} by the client, and {@code confirmed} by the broker. Two that happened on different
     * connections, and of which none is the other's cause, may stand either way.
     */
    public static List<String> of(String address, List<LinkEvent> events) {
        return events.stream().flatMap(event -> word(address, event).stream()).toList();
    }

    private static Optional<String> word(String address, LinkEvent event) {
        boolean outward = event.direction() == Direction.CLIENT_TO_BROKER;
        if (event instanceof LinkEvent.Transferred) {
            return outward
                    ? only(event.sendingTo(address), "published")
                    : only(event.receivingFrom(address), "delivered");
        } else if (event instanceof LinkEvent.Disposed disposed) {
            return outward
                    ? only(event.receivingFrom(address), name(disposed.state()))
                    : only(event.sendingTo(address) && disposed.state() instanceof Accepted, "confirmed");
        }
        return Optional.empty();
    }

    private static Optional<String> only(boolean here, String word) {
        return here ? Optional.of(word) : Optional.empty();
    }

    private static String name(@Nullable DeliveryState state) {
        return state == null ? "settled" : state.getType().name().toLowerCase(Locale.ROOT);
    }
}

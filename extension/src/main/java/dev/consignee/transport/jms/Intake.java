package dev.consignee.transport.jms;

import dev.consignee.transport.Forwarding;
import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Message;
import java.util.Optional;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Receiver;

/**
 * Keeps a message that is too large out: from the frame on that shows it, its bytes are dropped as they arrive. AMQP does
 * not let the transfers of two deliveries on one link interleave, so that one count is enough.
 *
 * <p>A copy of a message is larger than the message, by its count and its id. So a little more is let in, of copies only: the
 * largest message that is taken must be able to come back.
 *
 * <p>Confined to the event loop, but for {@link #objection}.
 *
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-transport-v1.0-os.html#type-transfer">AMQP 1.0,
 *     transport §2.7.5 transfer</a>
 */
final class Intake {

    /** What a copy may have more than what it copies: an id, a count, a delivery time, and wider sizes around them. */
    static final int SURPLUS = 1024;

    private final long most;
    private long dropped;

    /**
     * Begins with no delivery.
     *
     * @param most how many bytes of a delivery are kept
     */
    Intake(long most) {
        this.most = most;
    }

    /** Looks at the current delivery after each of its transfers. */
    void arrived(Receiver link, Delivery delivery) {
        if (dropped > 0 || delivery.pending() > most + SURPLUS) {
            dropped += link.recv().remaining();
        }
    }

    /** Ends a delivery; says what is wrong with it where its bytes were dropped. */
    Optional<MalformedMessageException> complete() {
        long size = dropped;
        dropped = 0;
        return size == 0 ? Optional.empty() : Optional.of(tooLarge(size));
    }

    /** Looks at a message that was kept; says what is wrong with one that is too large and no copy. Any thread. */
    Optional<MalformedMessageException> objection(int size, Message message) {
        boolean copy = message.applicationProperties().containsKey(Forwarding.RETRY_COUNT);
        return size > most && !copy ? Optional.of(tooLarge(size)) : Optional.empty();
    }

    private MalformedMessageException tooLarge(long size) {
        return new MalformedMessageException(
                "the message has " + size + " bytes, more than the " + most + " that max-message-size allows");
    }
}

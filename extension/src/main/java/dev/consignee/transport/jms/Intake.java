package dev.consignee.transport.jms;

import dev.consignee.transport.MalformedMessageException;
import java.util.Optional;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Receiver;

/**
 * Keeps a message that is too large out: from the frame on that shows it, its bytes are dropped as they arrive. AMQP does
 * not let the transfers of two deliveries on one link interleave, so that one count is enough. Confined to the event loop.
 *
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-transport-v1.0-os.html#type-transfer">AMQP 1.0,
 *     transport §2.7.5 transfer</a>
 */
final class Intake {

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
        if (dropped > 0 || delivery.pending() > most) {
            dropped += link.recv().remaining();
        }
    }

    /** Ends a delivery; says what is wrong with it where its bytes were dropped. */
    Optional<MalformedMessageException> complete() {
        long size = dropped;
        dropped = 0;
        return size == 0
                ? Optional.empty()
                : Optional.of(new MalformedMessageException(
                        "the message has " + size + " bytes, more than the " + most + " that max-message-size allows"));
    }
}

package dev.consignee.transport.jms;

import dev.consignee.transport.Disposition;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Released;
import org.apache.qpid.proton.amqp.transport.DeliveryState;

/** What each disposition is on the wire. The only place that knows. */
final class Dispositions {

    private static final Rejected REJECTED = new Rejected();
    private static final Modified MODIFIED_FAILED = new Modified();

    static {
        MODIFIED_FAILED.setDeliveryFailed(true);
        MODIFIED_FAILED.setUndeliverableHere(false);
    }

    private Dispositions() {}

    static DeliveryState stateOf(Disposition disposition) {
        return switch (disposition) {
            case ACCEPTED -> Accepted.getInstance();
            case MODIFIED_FAILED -> MODIFIED_FAILED;
            case REJECTED -> REJECTED;
            case RELEASED -> Released.getInstance();
        };
    }
}

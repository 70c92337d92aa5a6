package dev.consignee.tck;

import dev.consignee.tck.LinkHistory.HighWater;
import java.util.EnumSet;
import java.util.Set;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Flow;
import org.jspecify.annotations.Nullable;

/** One link's account: what was granted, sent and settled. The rules (L3, L4) stand at {@link LinkHistory}. */
final class LinkState {

    private final int connection;
    private final int number;
    private final String name;
    private final Direction sender;
    private final Set<Direction> attached = EnumSet.noneOf(Direction.class);
    private final Set<Direction> detached = EnumSet.noneOf(Direction.class);

    private String address = "";
    private int sent; // the sender's delivery-count
    private int limit; // the receiver's delivery-count + link-credit
    private boolean granted;
    private long unsettled;
    private HighWater highWater = HighWater.NONE;
    private @Nullable LinkDelivery current;

    LinkState(int connection, int number, String name, Direction sender) {
        this.connection = connection;
        this.number = number;
        this.name = name;
        this.sender = sender;
    }

    /** Whether an attach of that side answers this link's first attach. */
    boolean awaits(Direction side, String linkName, Direction sending) {
        return name.equals(linkName) && sender == sending && !attached.contains(side) && !attached.isEmpty();
    }

    void attach(Direction side, Attach attach) {
        attached.add(side);
        if (side == sender && attach.getInitialDeliveryCount() != null) {
            int initial = attach.getInitialDeliveryCount().intValue();
            if (granted) {
                limit += initial - sent; // granted before the initial count was known, so relative to 0
            }
            sent = initial;
        }
        String stated = clientReceives() ? address(attach.getSource()) : address(attach.getTarget());
        if (address.isEmpty()) { // a dynamic node's address comes with the answer
            address = stated;
        }
    }

    private static String address(@Nullable Object terminus) {
        String stated = null;
        if (terminus instanceof Source source) {
            stated = source.getAddress();
        } else if (terminus instanceof Target target) {
            stated = target.getAddress();
        }
        return stated == null ? "" : stated;
    }

    void flow(Direction side, Flow flow) {
        if (side == sender) {
            if (flow.getDeliveryCount() != null) {
                sent = flow.getDeliveryCount().intValue();
            }
        } else if (flow.getLinkCredit() != null) {
            int seen = flow.getDeliveryCount() == null
                    ? sent
                    : flow.getDeliveryCount().intValue();
            limit = seen + flow.getLinkCredit().intValue();
            granted = true;
        }
        raiseMark();
    }

    void begin(LinkDelivery delivery) {
        current = delivery;
        sent++;
        if (detached.isEmpty()) {
            unsettled++;
        }
    }

    void end() {
        current = null;
    }

    void settled() {
        if (detached.isEmpty()) {
            unsettled--;
        }
    }

    void detach(Direction side) {
        detached.add(side);
        unsettled = 0;
        granted = false;
    }

    /** Ends the link with its session or connection. */
    void lose() {
        detach(Direction.CLIENT_TO_BROKER);
        detach(Direction.BROKER_TO_CLIENT);
    }

    /** Whether both sides have detached, or nobody ever will. */
    boolean gone() {
        return !attached.isEmpty() && detached.containsAll(attached);
    }

    void raiseMark() {
        highWater = highWater.max(open());
    }

    void lowerMark() {
        highWater = open();
    }

    private HighWater open() {
        return new HighWater(unsettled, unsettled + outstanding());
    }

    long unsettled() {
        return unsettled;
    }

    long outstanding() {
        return granted && detached.isEmpty() ? Math.max(0, limit - sent) : 0;
    }

    HighWater highWater() {
        return highWater;
    }

    @Nullable
    LinkDelivery current() {
        return current;
    }

    boolean clientReceives() {
        return sender == Direction.BROKER_TO_CLIENT;
    }

    int connection() {
        return connection;
    }

    String address() {
        return address;
    }

    LinkEvent.Link link() {
        return new LinkEvent.Link(connection, number, name, clientReceives(), address);
    }
}

package dev.consignee.tck;

import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Begin;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.Detach;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.End;
import org.apache.qpid.proton.amqp.transport.Flow;
import org.apache.qpid.proton.amqp.transport.FrameBody;
import org.apache.qpid.proton.amqp.transport.Role;
import org.apache.qpid.proton.amqp.transport.Transfer;

/** Writes the frames of a session by hand; the broker uses other channels and handles than the client. */
final class Frames {

    private static final int BROKER_OFFSET = 10;

    private final List<Frame> frames = new ArrayList<>();

    List<Frame> list() {
        return List.copyOf(frames);
    }

    Frames client(FrameBody body) {
        frames.add(new Frame(Direction.CLIENT_TO_BROKER, 0, 1, body, new Binary(new byte[0])));
        return this;
    }

    Frames broker(FrameBody body, byte... payload) {
        frames.add(new Frame(Direction.BROKER_TO_CLIENT, 0, 1 + BROKER_OFFSET, body, new Binary(payload)));
        return this;
    }

    Frames session() {
        Begin answer = new Begin();
        answer.setRemoteChannel(UnsignedShort.valueOf((short) 1));
        return client(new Begin()).broker(answer);
    }

    /** The client receives from an address on that handle. */
    Frames receiver(String address, int handle, int initialDeliveryCount) {
        return client(attach("to-" + address, handle, Role.RECEIVER, address, 0))
                .broker(attach("to-" + address, handle + BROKER_OFFSET, Role.SENDER, address, initialDeliveryCount));
    }

    /** The client sends to an address on that handle. */
    Frames sender(String address, int handle) {
        return client(attach("from-" + address, handle, Role.SENDER, address, 0))
                .broker(attach("from-" + address, handle + BROKER_OFFSET, Role.RECEIVER, address, 0));
    }

    private static Attach attach(String name, int handle, Role role, String address, int initialDeliveryCount) {
        Source source = new Source();
        source.setAddress(address);
        Target target = new Target();
        target.setAddress(address);
        Attach attach = new Attach();
        attach.setName(name);
        attach.setHandle(UnsignedInteger.valueOf(handle));
        attach.setRole(role);
        attach.setSource(source);
        attach.setTarget(target);
        if (role == Role.SENDER) {
            attach.setInitialDeliveryCount(UnsignedInteger.valueOf(initialDeliveryCount));
        }
        return attach;
    }

    Frames grant(int handle, int deliveryCount, int credit) {
        return client(flow(handle, deliveryCount, credit));
    }

    Frames drained(int handle, int deliveryCount) {
        return broker(flow(handle + BROKER_OFFSET, deliveryCount, 0));
    }

    private static Flow flow(int handle, int deliveryCount, int credit) {
        Flow flow = new Flow();
        flow.setHandle(UnsignedInteger.valueOf(handle));
        flow.setDeliveryCount(UnsignedInteger.valueOf(deliveryCount));
        flow.setLinkCredit(UnsignedInteger.valueOf(credit));
        return flow;
    }

    Frames deliver(int handle, int id) {
        return broker(transfer(handle + BROKER_OFFSET, id));
    }

    static Transfer transfer(int handle, int id) {
        Transfer transfer = new Transfer();
        transfer.setHandle(UnsignedInteger.valueOf(handle));
        transfer.setDeliveryId(UnsignedInteger.valueOf(id));
        return transfer;
    }

    Frames settle(int first, int last, DeliveryState state) {
        return client(disposition(Role.RECEIVER, first, last, state, true));
    }

    static Disposition disposition(Role role, int first, int last, DeliveryState state, boolean settled) {
        Disposition disposition = new Disposition();
        disposition.setRole(role);
        disposition.setFirst(UnsignedInteger.valueOf(first));
        disposition.setLast(UnsignedInteger.valueOf(last));
        disposition.setState(state);
        disposition.setSettled(settled);
        return disposition;
    }

    static Detach detach(int handle) {
        Detach detach = new Detach();
        detach.setHandle(UnsignedInteger.valueOf(handle));
        detach.setClosed(true);
        return detach;
    }

    static End end() {
        return new End();
    }
}

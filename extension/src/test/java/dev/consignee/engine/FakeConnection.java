package dev.consignee.engine;

import dev.consignee.declaration.BrokerProfile;
import dev.consignee.transport.Address;
import dev.consignee.transport.Connection;
import dev.consignee.transport.Receiver;
import dev.consignee.transport.ReceiverSpec;
import dev.consignee.transport.Sender;
import dev.consignee.transport.SettlementListener;
import dev.consignee.transport.Transport;
import dev.consignee.transport.TransportException;

/** A connection of the {@link FakeTransport}. */
final class FakeConnection implements Connection {

    final Transport.Role role;
    private final FakeTransport transport;
    private final int number;
    private volatile boolean open = true;
    private volatile boolean closed;

    FakeConnection(FakeTransport transport, int number, Transport.Role role) {
        this.transport = transport;
        this.number = number;
        this.role = role;
    }

    @Override
    public Receiver openReceiver(ReceiverSpec spec, SettlementListener listener) throws TransportException {
        transport.attachedAt.add(System.nanoTime());
        transport.onReceiver.run(transport.attachedAt.size());
        refuseIfNotOpen();
        FakeReceiver receiver = new FakeReceiver(this, spec, listener);
        transport.onAttached.accept(receiver);
        transport.receivers.add(receiver);
        return receiver;
    }

    @Override
    public Sender openSender(Address target) throws TransportException {
        transport.onSender.run(transport.senders.size() + 1);
        refuseIfNotOpen();
        FakeSender sender = new FakeSender(this, target);
        transport.onSenderAttached.accept(sender);
        transport.senders.add(sender);
        return sender;
    }

    private void refuseIfNotOpen() throws TransportException {
        if (!open) {
            throw new TransportException("connection " + number + " is gone", null, null);
        }
    }

    /** The network goes. */
    void lose() {
        open = false;
        transport.senders.stream().filter(each -> each.connection == this).forEach(FakeSender::detach);
        transport.receivers.stream().filter(each -> each.connection == this).forEach(FakeReceiver::lose);
    }

    boolean closed() {
        return closed;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public BrokerProfile profile() {
        return transport.profile;
    }

    @Override
    public String remote() {
        return "fake://remote-" + number;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            transport.events.add("close " + number);
            lose();
        }
    }
}

package dev.consignee.engine;

import dev.consignee.transport.Disposition;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Message;
import dev.consignee.transport.Original;
import dev.consignee.transport.Receiver;
import dev.consignee.transport.ReceiverSpec;
import dev.consignee.transport.SettlementListener;
import dev.consignee.transport.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;

/** A receiver that gets what a test delivers, and keeps the promises of {@link Receiver}. */
final class FakeReceiver implements Receiver {

    private static final Object WAKE = new Object();

    final FakeConnection connection;
    final ReceiverSpec spec;
    final List<String> events = new CopyOnWriteArrayList<>();
    volatile Runnable beforeHandingOut = () -> {};
    private final SettlementListener listener;
    private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();
    private volatile TransportException lost;
    private boolean withdrawn;
    private boolean abandoned;
    private boolean closed;

    FakeReceiver(FakeConnection connection, ReceiverSpec spec, SettlementListener listener) {
        this.connection = connection;
        this.spec = spec;
        this.listener = listener;
    }

    // --- what a test does

    FakeDelivery deliver(String text) {
        return deliver(Messages.text(text));
    }

    synchronized FakeDelivery deliver(Message message) {
        FakeDelivery delivery = new FakeDelivery(message);
        if (withdrawn && !spec.settled()) {
            release(delivery);
        } else {
            arrived.add(delivery);
        }
        return delivery;
    }

    /** Bytes that are no message. */
    FakeDelivery deliverGarbage() {
        return deliver((Message) null);
    }

    /** The link goes, its connection may live. */
    void lose() {
        lose(new TransportException("the link is gone", null, null));
    }

    private synchronized void lose(TransportException reason) {
        if (lost == null) {
            lost = reason;
            if (!spec.settled()) {
                arrived.clear();
            }
            arrived.add(WAKE);
            if (!closed) {
                listener.linkLost(reason);
            }
        }
    }

    /** The next call to receive throws it. */
    void breakWith(RuntimeException bug) {
        arrived.add(bug);
    }

    // --- what a subscription does

    @Override
    public InboundDelivery receive(Duration timeout) throws TransportException, InterruptedException {
        if (spec.settled()) {
            return receiveSettled(timeout);
        }
        throwIfLost();
        Object next = arrived.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        throwIfLost();
        if (next == WAKE) {
            arrived.add(WAKE);
            return null;
        } else if (next instanceof RuntimeException bug) {
            throw bug;
        }
        if (next != null) {
            beforeHandingOut.run();
        }
        return (FakeDelivery) next;
    }

    /** What arrived settled is handed out whatever became of the link. */
    private InboundDelivery receiveSettled(Duration timeout) throws TransportException, InterruptedException {
        Object next = arrived.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (next instanceof FakeDelivery delivery) {
            beforeHandingOut.run();
            return delivery;
        } else if (next == WAKE) {
            arrived.add(WAKE);
        }
        throwIfLost();
        return null;
    }

    private void throwIfLost() throws TransportException {
        TransportException reason = lost;
        if (reason != null) {
            throw reason.again();
        }
    }

    @Override
    public synchronized void withdrawCredit() {
        if (withdrawn) {
            return;
        }
        withdrawn = true;
        events.add("withdrawn");
        if (!spec.settled()) {
            for (Object next = arrived.poll(); next != null; next = arrived.poll()) {
                if (next instanceof FakeDelivery untouched) {
                    release(untouched);
                }
            }
        }
        arrived.add(WAKE);
    }

    private void release(FakeDelivery untouched) {
        if (lost == null) {
            untouched.written = Disposition.RELEASED;
        }
    }

    @Override
    public synchronized boolean awaitWithdrawn(Duration timeout) {
        return withdrawn;
    }

    @Override
    public synchronized void abandon() {
        abandoned = true;
        events.add("abandoned");
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            events.add("closed");
            lose(new TransportException("the receiver is closed", null, null));
        }
    }

    synchronized boolean closed() {
        return closed;
    }

    private synchronized void settle(FakeDelivery delivery, Disposition disposition) {
        Assertions.assertThat(delivery.settled()).as("settled once").isFalse();
        if (lost != null || abandoned) {
            delivery.lost = disposition;
            listener.lost(delivery, disposition);
        } else {
            delivery.written = disposition;
            events.add(disposition.toString());
            listener.written(delivery, disposition);
        }
    }

    @Override
    public synchronized void grant() {
        events.add("granted " + listener.mayGrant());
    }

    /** Whether a broker would be granted credit now. */
    boolean mayGrant() {
        return listener.mayGrant();
    }

    /** What {@link FakeDelivery#original()} gives. */
    record FakeOriginal(Message message) implements Original {}

    /** A delivery, and what became of it. */
    final class FakeDelivery implements InboundDelivery {

        /** The disposition that the broker got. */
        volatile Disposition written;
        /** The disposition that nobody got. */
        volatile Disposition lost;
        /** Whether one that arrived settled has been dealt with. */
        volatile boolean ended;
        /** Whether the message's bytes were kept. */
        volatile boolean kept = true;

        private final Message message;

        FakeDelivery(Message message) {
            this.message = message;
        }

        @Override
        public Message message() throws MalformedMessageException {
            if (message == null) {
                throw new MalformedMessageException("garbage", new IllegalArgumentException());
            }
            return message;
        }

        @Override
        public Optional<Original> original() {
            return kept ? Optional.of(new FakeOriginal(message)) : Optional.empty();
        }

        @Override
        public boolean arrivedSettled() {
            return spec.settled();
        }

        @Override
        public void end() {
            Assertions.assertThat(arrivedSettled()).isTrue();
            Assertions.assertThat(ended).as("ended once").isFalse();
            ended = true;
        }

        @Override
        public void settle(Disposition disposition) {
            FakeReceiver.this.settle(this, disposition);
        }

        boolean settled() {
            return written != null || lost != null;
        }
    }
}

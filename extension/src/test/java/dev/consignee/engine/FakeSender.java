package dev.consignee.engine;

import dev.consignee.transport.Address;
import dev.consignee.transport.Forwarding;
import dev.consignee.transport.Message;
import dev.consignee.transport.Original;
import dev.consignee.transport.Sender;
import dev.consignee.transport.TransportException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A sender that does what a test says, and keeps what it was given. */
final class FakeSender implements Sender {

    /** What the broker does with a message. */
    interface Script {
        CompletableFuture<Void> send(Message message);
    }

    final FakeConnection connection;
    final Address target;
    final List<Message> sent = new CopyOnWriteArrayList<>();
    final List<Duration> timeouts = new CopyOnWriteArrayList<>();
    volatile Script onSend = message -> CompletableFuture.completedFuture(null);
    final List<Forwarded> forwarded = new CopyOnWriteArrayList<>();
    final List<CompletableFuture<Void>> waiting = new CopyOnWriteArrayList<>();
    /** Whether the broker grants any for what is sent again. */
    volatile boolean credit = true;

    volatile ForwardScript onForward = how -> CompletableFuture.completedFuture(null);
    volatile boolean offersDelay = true;
    private volatile boolean open = true;
    private volatile boolean closed;

    FakeSender(FakeConnection connection, Address target) {
        this.connection = connection;
        this.target = target;
    }

    @Override
    public CompletableFuture<Void> send(Message message, Duration timeout) {
        if (!isOpen()) {
            return CompletableFuture.failedFuture(new TransportException("the sender is closed", null, null));
        }
        sent.add(message);
        timeouts.add(timeout);
        return onSend.send(message);
    }

    @Override
    public CompletableFuture<Void> forward(Original original, Forwarding how, Duration timeout) {
        if (!isOpen()) {
            return CompletableFuture.failedFuture(new TransportException("the sender is closed", null, null));
        }
        if (!credit) {
            CompletableFuture<Void> waits = new CompletableFuture<>();
            waiting.add(waits);
            return waits;
        }
        forwarded.add(new Forwarded(((FakeReceiver.FakeOriginal) original).message(), how));
        return left(onForward.forward(how));
    }

    /** What has left can't be taken back. */
    private static CompletableFuture<Void> left(CompletableFuture<Void> outcome) {
        CompletableFuture<Void> left = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                return false;
            }
        };
        outcome.whenComplete((confirmed, failed) -> {
            if (failed == null) {
                left.complete(null);
            } else {
                left.completeExceptionally(failed);
            }
        });
        return left;
    }

    /** A message that was sent again. */
    record Forwarded(Message message, Forwarding how) {
        String text() {
            return new String(((Message.Data) message.body()).bytes(), StandardCharsets.UTF_8);
        }
    }

    /** What the broker does with a message that is sent again. */
    interface ForwardScript {
        CompletableFuture<Void> forward(Forwarding how);
    }

    @Override
    public boolean offersDelay() {
        return offersDelay;
    }

    /** The broker detaches it. */
    void detach() {
        open = false;
    }

    boolean closed() {
        return closed;
    }

    @Override
    public boolean isOpen() {
        return open && connection.isOpen();
    }

    @Override
    public void close() {
        closed = true;
        open = false;
    }
}

package dev.consignee.transport.jms;

import dev.consignee.declaration.BrokerProfile;
import dev.consignee.transport.Address;
import dev.consignee.transport.Forwarding;
import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Message;
import dev.consignee.transport.Original;
import dev.consignee.transport.Sender;
import dev.consignee.transport.TransportException;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.qpid.jms.provider.amqp.AmqpProvider;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Outcome;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Link;
import org.jspecify.annotations.Nullable;

/**
 * A sending link, attached by Qpid JMS; transfers and their outcomes are handled here.
 *
 * <ul>
 *   <li>S1: a send ends once: accepted, refused, timed out, or failed with its link.
 *   <li>S2: a send that timed out while it waited for credit never leaves.
 *   <li>S3: messages leave in the order they were sent.
 *   <li>S4: a message that is larger than the broker takes is refused here: the broker would detach the link, and fail all
 *       others with it.
 *   <li>S5: a message that is forwarded and has left does not time out: who sends it again would have two.
 * </ul>
 *
 * <p>The link, {@code waiting} and {@code sent} belong to the event loop; any thread may send.
 */
final class QpidSender implements Sender, LinkOwner {

    private static final Symbol DELAYED_DELIVERY = Symbol.valueOf("DELAYED_DELIVERY");

    private final Address target;
    private final boolean takesOnlyItsOwnUserId;
    private final Session session;
    private final Runnable onClose;
    private final Queue<Send> waiting = new ArrayDeque<>();
    private final Set<Send> sent = new LinkedHashSet<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Queue<MessageCodec> codecs = new ConcurrentLinkedQueue<>();
    private volatile boolean offersDelay;
    private volatile @Nullable TransportException lost;
    private volatile @Nullable EventLoop loop;
    private org.apache.qpid.proton.engine.@Nullable Sender link;
    private long nextTag;

    QpidSender(Address target, BrokerProfile profile, Session session, Runnable onClose) {
        this.target = target;
        this.takesOnlyItsOwnUserId = profile == BrokerProfile.RABBITMQ;
        this.session = session;
        this.onClose = onClose;
    }

    // --- any thread

    @Override
    public CompletableFuture<@Nullable Void> send(Message message, Duration timeout) {
        return send(new Send(encode(message), timeout, false));
    }

    private CompletableFuture<@Nullable Void> send(Send send) {
        EventLoop current = loop;
        if (current == null || !current.execute(() -> begin(send))) {
            send.fail(gone("the connection is closed"));
        }
        return send.outcome;
    }

    private byte[] encode(Message message) {
        @Nullable MessageCodec codec = codecs.poll();
        if (codec == null) {
            codec = new MessageCodec();
        }
        try {
            return codec.encode(addressed(message));
        } finally {
            codecs.offer(codec);
        }
    }

    private Message addressed(Message message) {
        Message.Properties properties = message.properties();
        return new Message(
                message.header(),
                message.annotations(),
                properties.with(target.name(), Instant.now().truncatedTo(ChronoUnit.MILLIS)),
                message.applicationProperties(),
                message.body());
    }

    @Override
    public CompletableFuture<@Nullable Void> forward(Original original, Forwarding how, Duration timeout) {
        if (!(original instanceof EncodedMessage arrived)) {
            throw new IllegalArgumentException("a message of another transport: " + original.getClass());
        }
        byte[] encoded;
        try {
            encoded = Splice.of(arrived.bytes(), how, takesOnlyItsOwnUserId);
        } catch (MalformedMessageException malformed) {
            return CompletableFuture.failedFuture(
                    new TransportException("sending to " + target + ": " + malformed.getMessage(), null, malformed));
        }
        return send(new Send(encoded, timeout, true));
    }

    @Override
    public boolean offersDelay() {
        return offersDelay;
    }

    @Override
    public boolean isOpen() {
        return lost == null && !closed.get();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            session.close();
        } catch (JMSException alreadyGone) {
            // A session that cannot be closed is gone with its connection.
        }
        lose(gone("the sender is closed"));
        onClose.run();
    }

    /** The link, its session or its connection is gone. Any thread. */
    void lose(TransportException reason) {
        lost = reason;
        EventLoop current = loop;
        if (current == null || !current.execute(() -> failAll(reason))) {
            // The loop has ended, so nothing else touches the sends.
            failAll(reason);
        }
    }

    Session session() {
        return session;
    }

    private TransportException gone(String why) {
        return new TransportException("sending to " + target + ": " + why, null, null);
    }

    // --- the event loop's side

    @Override
    public void opened(EventLoop eventLoop, Link attached) {
        loop = eventLoop;
        link = (org.apache.qpid.proton.engine.Sender) attached;
        offersDelay = offers(attached.getRemoteOfferedCapabilities())
                || offers(attached.getSession().getConnection().getRemoteOfferedCapabilities());
        new Events(attached);
    }

    private static boolean offers(Symbol @Nullable [] capabilities) {
        return capabilities != null && Arrays.asList(capabilities).contains(DELAYED_DELIVERY);
    }

    private void begin(Send send) {
        TransportException reason = lost;
        EventLoop current = loop;
        if (reason != null || current == null || !usable()) {
            send.fail(reason != null ? reason.again() : gone("the link is gone"));
            return;
        }
        @Nullable UnsignedLong most = link == null ? null : link.getRemoteMaxMessageSize();
        if (most != null && most.longValue() > 0 && send.encoded.length > most.longValue()) { // S4
            send.fail(
                    gone("the message has " + send.encoded.length + " bytes, and the broker takes " + most + " there"));
            return;
        }
        send.deadline = current.after(send.timeout, () -> timedOut(send));
        waiting.add(send);
        sendWaiting();
    }

    private void timedOut(Send send) {
        waiting.remove(send);
        send.fail(gone(
                send.transferred
                        ? "no outcome within " + send.timeout + "; the broker may have the message"
                        : "the broker granted no credit within " + send.timeout
                                + " (is the address full?); the message was not sent"));
    }

    private boolean usable() {
        return link != null
                && link.getLocalState() == EndpointState.ACTIVE
                && link.getRemoteState() == EndpointState.ACTIVE
                && loop != null
                && loop.canWrite();
    }

    private void sendWaiting() {
        if (link == null) {
            return;
        }
        while (link.getCredit() > 0 && !waiting.isEmpty()) {
            Send next = waiting.remove();
            if (!next.leaves()) {
                continue; // taken back
            }
            Delivery delivery = link.delivery(
                    ByteBuffer.allocate(Long.BYTES).putLong(nextTag++).array());
            delivery.setContext(next);
            sent.add(next);
            link.send(next.encoded, 0, next.encoded.length);
            link.advance();
        }
        if (link.getDrain()) {
            link.drained();
        }
    }

    private void ended(Delivery delivery) {
        DeliveryState state = delivery.getRemoteState();
        boolean ended = delivery.remotelySettled() || state instanceof Outcome;
        if (!(delivery.getContext() instanceof Send send) || !ended) {
            return;
        }
        sent.remove(send);
        delivery.settle();
        if (state instanceof Accepted) {
            send.accepted();
        } else if (state instanceof Rejected rejected) {
            send.fail(Failures.of("sending to " + target, rejected.getError(), "the broker rejected the message"));
        } else {
            send.fail(gone("the broker did not accept the message: "
                    + (state == null ? "no outcome" : state.getType().toString().toLowerCase(java.util.Locale.ROOT))));
        }
    }

    private void failAll(TransportException reason) {
        waiting.forEach(send -> send.fail(reason));
        waiting.clear();
        sent.forEach(send -> send.fail(reason));
        sent.clear();
    }

    /** One message on its way. Event loop, but for the outcome. */
    private static final class Send {
        private final byte[] encoded;
        private final Duration timeout;
        private final AtomicBoolean decided = new AtomicBoolean(); // that it leaves, or never will
        private final CompletableFuture<@Nullable Void> outcome = new Promise();
        private @Nullable Future<?> deadline;
        private final boolean patient;
        private boolean transferred;

        /**
         * Makes one.
         *
         * @param patient whether its outcome is waited for as long as the link lives, once it has left (S5)
         */
        Send(byte[] encoded, Duration timeout, boolean patient) {
            this.encoded = encoded;
            this.timeout = timeout;
            this.patient = patient;
        }

        /** Whether it still leaves; then it does. */
        boolean leaves() {
            if (!decided.compareAndSet(false, true)) {
                return false;
            }
            transferred = true;
            if (patient) {
                end();
            }
            return true;
        }

        /** Can be taken back until it leaves. */
        private final class Promise extends CompletableFuture<@Nullable Void> {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                return decided.compareAndSet(false, true) && super.cancel(mayInterrupt);
            }
        }

        void accepted() {
            end();
            outcome.complete(null);
        }

        void fail(TransportException reason) {
            end();
            outcome.completeExceptionally(reason);
        }

        private void end() {
            if (deadline != null) {
                deadline.cancel(false);
            }
        }
    }

    private final class Events extends LinkEvents {

        Events(Link link) {
            super(link);
        }

        @Override
        public void processDeliveryUpdates(AmqpProvider provider, Delivery delivery) {
            ended(delivery);
        }

        @Override
        public void processFlowUpdates(AmqpProvider provider) {
            sendWaiting();
        }

        @Override
        void detached(String reason, @Nullable ErrorCondition condition) {
            lose(new TransportException(
                    "the link to " + target + " is gone: " + reason, Failures.symbol(condition), null));
        }
    }
}

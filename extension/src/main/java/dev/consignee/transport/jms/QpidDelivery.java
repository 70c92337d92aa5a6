package dev.consignee.transport.jms;

import dev.consignee.transport.Disposition;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Message;
import dev.consignee.transport.Original;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.Delivery;
import org.jspecify.annotations.Nullable;

/**
 * A delivery of one link. Settled at most once: the first disposition is the one that counts. One that arrived settled is
 * ended instead, at most once.
 */
final class QpidDelivery implements InboundDelivery {

    private final QpidReceiver receiver;
    private final Delivery delivery;
    private final boolean arrivedSettled;
    private final AtomicReference<@Nullable Disposition> disposition = new AtomicReference<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private @Nullable ReadableBuffer bytes;
    private @Nullable EncodedMessage original;
    private @Nullable Message message;
    private @Nullable MalformedMessageException malformed;

    QpidDelivery(QpidReceiver receiver, Delivery delivery, boolean arrivedSettled, ReadableBuffer bytes) {
        this.receiver = receiver;
        this.delivery = delivery;
        this.arrivedSettled = arrivedSettled;
        this.bytes = bytes;
    }

    /** Makes one whose bytes were not kept. */
    QpidDelivery(
            QpidReceiver receiver, Delivery delivery, boolean arrivedSettled, MalformedMessageException malformed) {
        this.receiver = receiver;
        this.delivery = delivery;
        this.arrivedSettled = arrivedSettled;
        this.malformed = malformed;
    }

    /** Decodes the message, on the thread that receives. */
    void decode(MessageCodec codec) {
        ReadableBuffer encoded = bytes;
        bytes = null;
        if (encoded == null) {
            return;
        }
        EncodedMessage kept = EncodedMessage.of(encoded);
        original = kept;
        try {
            Message decoded = codec.decode(ReadableBuffer.ByteBufferReader.wrap(kept.bytes()));
            malformed =
                    receiver.intake().objection(kept.bytes().length, decoded).orElse(null);
            if (malformed == null) {
                message = decoded;
            } else {
                original = null;
            }
        } catch (MalformedMessageException e) {
            malformed = e;
        }
    }

    @Override
    public Message message() throws MalformedMessageException {
        if (message != null) {
            return message;
        }
        if (malformed != null) {
            throw malformed;
        }
        throw new IllegalStateException("not received");
    }

    @Override
    public Optional<Original> original() {
        return Optional.ofNullable(original);
    }

    @Override
    public boolean arrivedSettled() {
        return arrivedSettled;
    }

    @Override
    public void end() {
        if (!arrivedSettled) {
            throw new IllegalStateException("a delivery that did not arrive settled is settled, not ended");
        }
        if (!ended.compareAndSet(false, true)) {
            throw new IllegalStateException("a delivery is ended once");
        }
        receiver.loop().settle(this);
    }

    @Override
    public void settle(Disposition outcome) {
        if (arrivedSettled) {
            throw new IllegalStateException("a delivery that arrived settled is ended, not settled: " + outcome);
        }
        if (!disposition.compareAndSet(null, outcome)) {
            throw new IllegalStateException("a delivery is settled once: " + disposition.get() + ", now " + outcome);
        }
        receiver.loop().settle(this);
    }

    QpidReceiver receiver() {
        return receiver;
    }

    Delivery proton() {
        return delivery;
    }

    Disposition disposition() {
        Disposition chosen = disposition.get();
        if (chosen == null) {
            throw new IllegalStateException("not settled");
        }
        return chosen;
    }

    void written() {
        receiver.listener().written(this, disposition());
    }

    void lost() {
        receiver.listener().lost(this, disposition());
    }
}

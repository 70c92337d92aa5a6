package dev.consignee.transport.jms;

import dev.consignee.transport.Disposition;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Message;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.Delivery;
import org.jspecify.annotations.Nullable;

/** A delivery of one link. Settled at most once: the first disposition is the one that counts. */
final class QpidDelivery implements InboundDelivery {

    private final QpidReceiver receiver;
    private final Delivery delivery;
    private final AtomicReference<@Nullable Disposition> disposition = new AtomicReference<>();
    private @Nullable ReadableBuffer bytes;
    private @Nullable Message message;
    private @Nullable MalformedMessageException malformed;

    QpidDelivery(QpidReceiver receiver, Delivery delivery, ReadableBuffer bytes) {
        this.receiver = receiver;
        this.delivery = delivery;
        this.bytes = bytes;
    }

    /** Makes one whose bytes were not kept. */
    QpidDelivery(QpidReceiver receiver, Delivery delivery, MalformedMessageException malformed) {
        this.receiver = receiver;
        this.delivery = delivery;
        this.malformed = malformed;
    }

    /** Decodes the message, on the thread that receives. */
    void decode(MessageCodec codec) {
        ReadableBuffer encoded = bytes;
        bytes = null;
        if (encoded == null) {
            return;
        }
        try {
            message = codec.decode(encoded);
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
    public void settle(Disposition outcome) {
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

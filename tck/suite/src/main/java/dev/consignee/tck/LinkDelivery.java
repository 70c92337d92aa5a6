package dev.consignee.tck;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;

/** One delivery on a link, while {@link LinkHistory} follows it. */
final class LinkDelivery {

    final int id;
    final LinkState link;
    final List<Binary> payload = new ArrayList<>(1);
    boolean cameSettled;
    private boolean settled;

    LinkDelivery(int id, LinkState link) {
        this.id = id;
        this.link = link;
    }

    /** Counts it as settled, the first time. */
    void settle() {
        if (!settled) {
            settled = true;
            link.settled();
        }
    }

    /** The encoded message, once; what was kept of it is let go. */
    Binary takePayload() {
        Binary whole = payload.size() == 1 ? payload.get(0) : join();
        payload.clear();
        return whole;
    }

    private Binary join() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Binary part : payload) {
            bytes.write(part.getArray(), part.getArrayOffset(), part.getLength());
        }
        return new Binary(bytes.toByteArray());
    }
}

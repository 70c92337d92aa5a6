package dev.consignee.tck;

import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.transport.FrameBody;

/**
 * One AMQP frame as it passed the {@link FrameProxy}. SASL frames, protocol headers and empty frames (heartbeats) are
 * none.
 *
 * @param direction which way it went
 * @param connection the number of the accepted connection, from 0
 * @param channel the channel of the side that sent the frame; the other side may use another for the same session
 * @param performative what the frame says: {@code Open}, {@code Begin}, {@code Attach}, {@code Flow}, {@code Transfer},
 *     {@code Disposition}, {@code Detach}, {@code End} or {@code Close}
 * @param payload what follows the performative: this frame's part of a message, empty for all but a {@code Transfer}
 */
public record Frame(Direction direction, int connection, int channel, FrameBody performative, Binary payload) {

    /** Whether this is a frame of the given kind that went the given way. */
    public boolean is(Direction way, Class<? extends FrameBody> kind) {
        return direction == way && kind.isInstance(performative);
    }

    @Override
    public String toString() {
        String arrow = direction == Direction.CLIENT_TO_BROKER ? "-->" : "<--";
        String bytes = payload.getLength() == 0 ? "" : " +" + payload.getLength() + " bytes";
        return connection + "/" + channel + " " + arrow + " " + performative + bytes;
    }
}

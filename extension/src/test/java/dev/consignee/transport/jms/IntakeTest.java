package dev.consignee.transport.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.transport.Forwarding;
import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Message;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.engine.Session;
import org.apache.qpid.proton.engine.Transport;
import org.junit.jupiter.api.Test;

/** Two ends of a link, with nothing between them but their frames. */
class IntakeTest {

    private static final int FRAME = 512;
    private static final int MOST = 4_000;

    private static final EnumSet<EndpointState> NEW = EnumSet.of(EndpointState.UNINITIALIZED);
    private static final EnumSet<EndpointState> ACTIVE = EnumSet.of(EndpointState.ACTIVE);

    private final Transport there = Proton.transport();
    private final Transport here = Proton.transport();
    private final Sender sender;
    private Receiver receiver;
    private final Intake intake = new Intake(MOST);
    private int transfers;
    private int mostPending;

    IntakeTest() {
        Connection remote = connection(there);
        Connection local = connection(here);
        Session sending = remote.session();
        sending.open();
        sender = sending.sender("link");
        sender.open();
        exchange();
        local.sessionHead(NEW, ACTIVE).open();
        receiver = (Receiver) local.linkHead(NEW, ACTIVE);
        receiver.open();
        receiver.flow(10);
        exchange();
    }

    private static Connection connection(Transport transport) {
        Connection connection = Proton.connection();
        transport.setMaxFrameSize(FRAME);
        transport.bind(connection);
        connection.open();
        return connection;
    }

    private void exchange() {
        boolean moved = true;
        while (moved) {
            moved = move(there, here) | move(here, there);
        }
    }

    /** Moves one frame at most, and lets the intake look at what it brought. */
    private boolean move(Transport from, Transport to) {
        int length = Math.min(Math.max(0, from.pending()), FRAME);
        if (length == 0) {
            return false;
        }
        ByteBuffer output = from.head();
        output.limit(output.position() + length);
        to.tail().put(output);
        to.process();
        from.pop(length);
        if (receiver != null && receiver.current() != null) {
            transfers++;
            intake.arrived(receiver, receiver.current());
            mostPending = Math.max(mostPending, receiver.current().pending());
        }
        return true;
    }

    private void send(int size) {
        sender.delivery(String.valueOf(size).getBytes(StandardCharsets.UTF_8));
        sender.send(new byte[size], 0, size);
        sender.advance();
        exchange();
    }

    private Delivery complete() {
        Delivery delivery = receiver.current();
        assertThat(delivery).isNotNull();
        assertThat(delivery.isPartial()).isFalse();
        return delivery;
    }

    @Test
    void ofAMessageThatIsTooLargeNoMoreThanTheBoundAndAFrameIsHeld() {
        send(100_000);

        assertThat(complete().pending()).isZero();
        assertThat(transfers).isGreaterThan(100);
        assertThat(mostPending).isLessThanOrEqualTo(MOST + Intake.SURPLUS);
        assertThat(intake.complete().map(MalformedMessageException::getMessage))
                .contains("the message has 100000 bytes, more than the 4000 that max-message-size allows");
    }

    @Test
    void aMessageUpToTheBoundIsKeptWhole() {
        send(MOST);

        assertThat(complete().pending()).isEqualTo(MOST);
        assertThat(intake.complete()).isEmpty();
        assertThat(receiver.recv().remaining()).isEqualTo(MOST);
    }

    @Test
    void aMessageAfterOneThatWasTooLargeIsKept() {
        send(MOST + Intake.SURPLUS + 1);
        complete();
        assertThat(intake.complete()).isPresent();
        receiver.advance();

        send(10);
        complete();
        assertThat(intake.complete()).isEqualTo(Optional.empty());
        assertThat(receiver.recv().remaining()).isEqualTo(10);
    }

    @Test
    void aCopyMayBeALittleLargerThanWhatItCopies() {
        send(MOST + Intake.SURPLUS);

        complete();
        assertThat(intake.complete()).isEmpty();
        assertThat(intake.objection(MOST + Intake.SURPLUS, message(Map.of(Forwarding.RETRY_COUNT, "1"))))
                .isEmpty();
    }

    @Test
    void whatIsNoCopyMayNot() {
        assertThat(intake.objection(MOST, message(Map.of()))).isEmpty();
        assertThat(intake.objection(MOST + 1, message(Map.of())).map(MalformedMessageException::getMessage))
                .contains("the message has 4001 bytes, more than the 4000 that max-message-size allows");
    }

    private static Message message(Map<String, Object> applicationProperties) {
        return new Message(
                Message.Header.NONE, Map.of(), Message.Properties.NONE, applicationProperties, new Message.None());
    }
}

package dev.consignee.transport.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.transport.Disposition;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Released;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DispositionsTest {

    @Test
    void acceptedIsAccepted() {
        assertThat(Dispositions.stateOf(Disposition.ACCEPTED)).isInstanceOf(Accepted.class);
    }

    @Test
    void retryIsModifiedWithDeliveryFailedAndNotUndeliverableHere() {
        assertThat(Dispositions.stateOf(Disposition.MODIFIED_FAILED))
                .isInstanceOfSatisfying(Modified.class, modified -> {
                    assertThat(modified.getDeliveryFailed()).isTrue();
                    assertThat(modified.getUndeliverableHere()).isFalse();
                    assertThat((Object) modified.getMessageAnnotations()).isNull();
                });
    }

    @Test
    void rejectedCarriesNoError() {
        assertThat(Dispositions.stateOf(Disposition.REJECTED))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(rejected.getError()).isNull());
    }

    @Test
    void releasedIsReleased() {
        assertThat(Dispositions.stateOf(Disposition.RELEASED)).isInstanceOf(Released.class);
    }

    /** AMQP 1.0, messaging §3.4: the descriptors 0x24 to 0x27, each with the list of its fields. */
    @ParameterizedTest
    @CsvSource({"ACCEPTED, 00532445", "REJECTED, 00532545", "RELEASED, 00532645", "MODIFIED_FAILED, 005327c003024142"})
    void theseAreItsBytesOnTheWire(Disposition disposition, String expected) {
        DecoderImpl decoder = new DecoderImpl();
        EncoderImpl encoder = new EncoderImpl(decoder);
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
        ByteBuffer buffer = ByteBuffer.allocate(64);
        encoder.setByteBuffer(buffer);

        encoder.writeObject(Dispositions.stateOf(disposition));

        assertThat(HexFormat.of().formatHex(buffer.array(), 0, buffer.position()))
                .isEqualTo(expected);
    }
}

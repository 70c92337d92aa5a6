package dev.consignee.transport.jms;

import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Message;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.CompositeReadableBuffer;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.codec.WritableBuffer;

/**
 * Turns the bytes of a transfer into a message and back, section by section. Confined to one thread at a time.
 *
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#section-message-format">AMQP
 *     1.0, messaging §3.2 message format</a>
 */
final class MessageCodec {

    private static final int ROOM_FOR_SECTIONS = 1024;

    private final DecoderImpl decoder = new DecoderImpl();
    private final EncoderImpl encoder = new EncoderImpl(decoder);

    MessageCodec() {
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
    }

    Message decode(ReadableBuffer bytes) throws MalformedMessageException {
        decoder.setBuffer(bytes);
        try {
            Outline.check(bytes);
            Sections sections = new Sections();
            while (bytes.hasRemaining()) {
                sections.add(decoder.readObject());
            }
            return sections.message();
        } catch (RuntimeException | StackOverflowError malformed) {
            throw new MalformedMessageException("the message cannot be decoded: " + malformed, malformed);
        } finally {
            decoder.setBuffer(new CompositeReadableBuffer());
        }
    }

    /** Encodes a message with a body of data sections. */
    byte[] encode(Message message) {
        if (!(message.body() instanceof Message.Data data)) {
            throw new IllegalArgumentException("only data sections are published, not " + message.body());
        }
        List<Object> sections = new ArrayList<>();
        sections.add(header(message.header()));
        if (!message.annotations().isEmpty()) {
            Map<Symbol, Object> annotations = new LinkedHashMap<>();
            message.annotations()
                    .forEach((name, value) -> annotations.put(Symbol.valueOf(name), AmqpTypes.toAmqp(value)));
            sections.add(new MessageAnnotations(annotations));
        }
        sections.add(properties(message.properties()));
        if (!message.applicationProperties().isEmpty()) {
            Map<String, Object> values = new LinkedHashMap<>();
            message.applicationProperties().forEach((name, value) -> values.put(name, AmqpTypes.toAmqp(value)));
            sections.add(new ApplicationProperties(values));
        }
        int room = ROOM_FOR_SECTIONS;
        for (byte[] section : data.sections()) {
            sections.add(new Data(new Binary(section)));
            room = Math.addExact(room, section.length);
        }
        return write(sections, room);
    }

    private byte[] write(List<Object> sections, int room) {
        WritableBuffer.ByteBufferWrapper buffer = WritableBuffer.ByteBufferWrapper.allocate(room);
        try {
            encoder.setByteBuffer(buffer);
            sections.forEach(encoder::writeObject);
        } catch (BufferOverflowException | IndexOutOfBoundsException tooSmall) {
            return write(sections, Math.multiplyExact(room, 2));
        } finally {
            encoder.setByteBuffer((WritableBuffer) null);
        }
        ByteBuffer written = buffer.byteBuffer();
        written.flip();
        byte[] bytes = new byte[written.remaining()];
        written.get(bytes);
        return bytes;
    }

    private static Header header(Message.Header from) {
        Header header = new Header();
        header.setDurable(from.durable());
        from.priority().ifPresent(priority -> header.setPriority(UnsignedByte.valueOf((byte) priority)));
        from.timeToLive().ifPresent(time -> header.setTtl(UnsignedInteger.valueOf(time.toMillis())));
        return header;
    }

    private static Properties properties(Message.Properties from) {
        Properties properties = new Properties();
        from.messageId().map(AmqpTypes::id).ifPresent(properties::setMessageId);
        from.userId().map(Binary::new).ifPresent(properties::setUserId);
        from.to().ifPresent(properties::setTo);
        from.subject().ifPresent(properties::setSubject);
        from.replyTo().ifPresent(properties::setReplyTo);
        from.correlationId().map(AmqpTypes::id).ifPresent(properties::setCorrelationId);
        from.contentType().map(Symbol::valueOf).ifPresent(properties::setContentType);
        from.contentEncoding().map(Symbol::valueOf).ifPresent(properties::setContentEncoding);
        from.expiryTime().map(Date::from).ifPresent(properties::setAbsoluteExpiryTime);
        from.creationTime().map(Date::from).ifPresent(properties::setCreationTime);
        from.groupId().ifPresent(properties::setGroupId);
        from.groupSequence().ifPresent(sequence -> properties.setGroupSequence(UnsignedInteger.valueOf(sequence)));
        from.replyToGroupId().ifPresent(properties::setReplyToGroupId);
        return properties;
    }
}

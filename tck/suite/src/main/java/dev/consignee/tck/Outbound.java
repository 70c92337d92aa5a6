package dev.consignee.tck;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;

/**
 * A message for the {@link AmqpClient} to send: a body and what else it says. Immutable; the methods that begin with
 * {@code with} return another one.
 *
 * <p>All but {@link #sections} and {@link #encoded} go out as Qpid JMS writes them: with a header section if durable,
 * with message id and time, and with the annotations {@code x-opt-jms-dest} and {@code x-opt-jms-msg-type}, of which
 * the latter decides what a Qpid JMS receiver makes of the body.
 */
public final class Outbound {

    /** Sets something on the message before it goes. */
    @FunctionalInterface
    public interface Setting {
        void apply(AmqpJmsMessageFacade message) throws Exception;
    }

    /** What the message carries. */
    sealed interface Body {
        record Bytes(Binary bytes, @Nullable String contentType) implements Body {}

        record Value(String text) implements Body {}

        record Serialized(Serializable object) implements Body {}

        record Encoded(Binary message) implements Body {}
    }

    private final Body body;
    private final List<Setting> settings;
    private final boolean durable;

    private Outbound(Body body, List<Setting> settings, boolean durable) {
        this.body = body;
        this.settings = List.copyOf(settings);
        this.durable = durable;
    }

    private static Outbound of(Body body) {
        return new Outbound(body, List.of(), true);
    }

    /** JSON, in one data section with content type {@code application/json}. */
    public static Outbound json(String json) {
        return data(json.getBytes(StandardCharsets.UTF_8), "application/json");
    }

    /** Text, in one data section with content type {@code text/plain}. */
    public static Outbound text(String text) {
        return data(text.getBytes(StandardCharsets.UTF_8), "text/plain");
    }

    /** Bytes, in one data section with a content type. */
    public static Outbound data(byte[] bytes, String contentType) {
        return of(new Body.Bytes(new Binary(bytes.clone()), contentType));
    }

    /** Bytes, in one data section without a content type. */
    public static Outbound data(byte[] bytes) {
        return of(new Body.Bytes(new Binary(bytes.clone()), null));
    }

    /** A string, in an amqp-value section. */
    public static Outbound value(String text) {
        return of(new Body.Value(text));
    }

    /** A serialized Java object, in one data section with content type {@code application/x-java-serialized-object}. */
    public static Outbound serialized(Serializable object) {
        return of(new Body.Serialized(object));
    }

    /** Exactly these sections, as a peer that is no JMS client may send them: nothing is added, a header neither. */
    public static Outbound sections(Section... sections) {
        return encoded(new WireMessage(List.of(sections)).encode());
    }

    /** Exactly these bytes for a message, be they AMQP or not; a broker may refuse them. */
    public static Outbound encoded(byte[] message) {
        return of(new Body.Encoded(new Binary(message.clone())));
    }

    /** With an application property of any name and any AMQP type. */
    public Outbound withProperty(String name, Object value) {
        return with(message -> message.setProperty(name, value));
    }

    /** With a message annotation. */
    public Outbound withAnnotation(String name, Object value) {
        return with(message -> message.setTracingAnnotation(name, value));
    }

    /** With a correlation id, sent as an AMQP string. */
    public Outbound withCorrelationId(String id) {
        return with(message -> message.setCorrelationId(id));
    }

    /** With a group id. */
    public Outbound withGroupId(String id) {
        return with(message -> message.setGroupId(id));
    }

    /** With something that has no method of its own. */
    public Outbound with(Setting setting) {
        if (body instanceof Body.Encoded) {
            throw new IllegalStateException("the message is encoded already: put this into its sections");
        }
        List<Setting> more = new ArrayList<>(settings);
        more.add(setting);
        return new Outbound(body, more, durable);
    }

    /** Not durable, and so without a header section. */
    public Outbound notDurable() {
        return new Outbound(body, settings, false);
    }

    Body body() {
        return body;
    }

    List<Setting> settings() {
        return settings;
    }

    boolean durable() {
        return durable;
    }
}

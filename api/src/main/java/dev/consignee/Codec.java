package dev.consignee;

import java.lang.reflect.Type;
import java.util.Set;

/**
 * Turns bodies of some content types into payloads and back, in place of JSON-B: an application offers it as a CDI bean.
 *
 * <pre>{@code
 * @ApplicationScoped
 * class Cbor implements Codec {
 *     public Set<String> contentTypes() { return Set.of("application/cbor"); }
 *     …
 * }
 * }</pre>
 *
 * <p>A codec is asked where the message's content type is one of its own, compared without parameters and regardless of
 * case: {@code Application/CBOR; version=2} is {@code application/cbor}. Payloads of type {@code String} and {@code byte[]}
 * never go through a codec. A codec for {@code application/json} is asked for what says that it is JSON; a message without
 * a content type is still JSON-B's.
 *
 * <p>Each content type has one codec: two beans for one do not deploy ({@code CONS0127}), unless one is an alternative
 * that CDI prefers. Qualifiers do not matter. The bean may have any scope that is active on the threads of handlers before
 * they are called, which the request scope is not; its reference is taken once, and used by many threads at the same time.
 *
 * <p>Both methods may throw what they like. What {@link #decode} throws is a decode failure, settled by {@link
 * Subscriber#onDecodeError()}; what {@link #encode} throws reaches the caller who sends.
 */
public interface Codec {

    /**
     * Returns what it takes over. Asked once, when the application is deployed; a codec that throws, names nothing, or
     * names what is no content type does not deploy ({@code CONS0128}).
     *
     * @return media types without parameters, such as {@code application/cbor}
     */
    Set<String> contentTypes();

    /**
     * Turns a body into a payload.
     *
     * @param body the bytes: those of all data sections, those of an amqp-value binary, or an amqp-value string in UTF-8;
     *     empty where the data section is, and the codec's to keep
     * @param type the type of the handler's parameter, with its type arguments
     * @param contentType the message's content type as it was sent, with parameters
     * @return the payload, an instance of that type; anything else, and null, is a decode failure
     * @throws Exception where the body is no such payload
     */
    Object decode(byte[] body, Type type, String contentType) throws Exception;

    /**
     * Turns a payload into a body, which is sent as one data section.
     *
     * @param payload what the application sends, neither a {@code String} nor a {@code byte[]}
     * @param contentType the content type that the application chose, with parameters; it is sent as it is
     * @return the bytes
     * @throws Exception where the payload cannot be written
     */
    byte[] encode(Object payload, String contentType) throws Exception;
}

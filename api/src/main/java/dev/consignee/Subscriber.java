package dev.consignee;

import dev.consignee.declaration.Unwritten;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a CDI bean the handler of a subscription: it is called for each delivery of an AMQP 1.0 address, and
 * what it returns settles the delivery.
 *
 * <pre>{@code
 * @Subscriber(queue = "shipments", credit = 32)
 * HandlerOutcome pick(Shipment shipment) { … }
 * }</pre>
 *
 * <p>The method takes exactly one payload (an object by JSON-B, a {@code String}, or a {@code byte[]}), and a {@link
 * Delivery} where it wants one, in any order. It returns a {@link HandlerOutcome}, or {@code void}, which acknowledges
 * when it returns. It may have any visibility but private, and may be inherited; it may not be static. The bean may have
 * any scope but session and conversation; a {@code @Dependent} bean lives for one call. Each call has a request context
 * of its own.
 *
 * <p>Exactly one of {@link #queue()}, {@link #topic()} and {@link #value()} is written. Each attribute may be configured:
 * {@code consignee.subscriber.<name>.<attribute>} (in kebab case) goes before what is written here, which goes before
 * {@code consignee.defaults.<attribute>}. A wrong declaration stops deployment with one report of all problems, each with
 * its id ({@code CONS01…}).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Subscriber {

    /**
     * The address as it is sent, without a capability that says what kind it is. May contain {@code ${key}}, a
     * configuration expression.
     *
     * @return the address
     */
    String value() default Unwritten.TEXT;

    /**
     * The address of a queue: receivers compete (the source has the capability {@code queue}). May contain {@code ${key}}.
     *
     * @return the queue
     */
    String queue() default Unwritten.TEXT;

    /**
     * The address of a topic: every subscription receives each message (the source has the capability {@code topic}). May
     * contain {@code ${key}}.
     *
     * @return the topic
     */
    String topic() default Unwritten.TEXT;

    /**
     * The subscriber's name: the key under {@code consignee.subscriber.}, unique in the deployment. By default the
     * method's name in kebab case.
     *
     * @return the name
     */
    String name() default Unwritten.TEXT;

    /**
     * The broker, {@code consignee.broker.<name>}. By default the unnamed one.
     *
     * @return the broker's name
     */
    String broker() default Unwritten.TEXT;

    /**
     * The name of a durable subscription to a topic: what arrives while nobody is attached is kept. Unless it is {@link
     * #shared()}, it belongs to the broker connection's {@code container-id}, which must then be configured. May contain
     * {@code ${key}}.
     *
     * @return the subscription's name
     */
    String durable() default Unwritten.TEXT;

    /**
     * Whether a topic's subscription is shared, so that the receivers of one subscription compete. The subscription is
     * known to the broker by {@link #durable()}, or else by the subscriber's name. At most one value; false by default.
     *
     * @return whether shared
     */
    boolean[] shared() default {};

    /**
     * A JMS selector over the message's header fields and application properties, evaluated by the broker. May contain
     * {@code ${key}}.
     *
     * @return the selector
     */
    String selector() default Unwritten.TEXT;

    /**
     * The link credit: how many deliveries the broker may have handed over that are not settled. Prefetched ones and
     * those in a handler both count; at no moment are there more. 1 to 32767, 256 by default.
     *
     * @return the credit
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-transport-v1.0-os.html#doc-flow-control">AMQP
     *     1.0, transport §2.6.7 flow control</a>
     */
    int credit() default Unwritten.NUMBER;

    /**
     * When a delivery is settled. At most one value; {@link Settle#AT_LEAST_ONCE} by default.
     *
     * @return the guarantee
     */
    Settle[] settle() default {};

    /**
     * What becomes of a delivery whose handler throws. At most one value; {@link OnException#RETRY} by default.
     *
     * @return the policy
     */
    OnException[] onException() default {};

    /**
     * What becomes of a delivery whose body cannot be decoded. At most one value; {@link OnDecodeError#DROP} by default.
     *
     * @return the policy
     */
    OnDecodeError[] onDecodeError() default {};
}

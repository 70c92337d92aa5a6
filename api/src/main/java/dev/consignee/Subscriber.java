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
 * <p>A message whose handler fails, or asks for it again, comes back; {@link #maxAttempts()} says how often, {@link
 * #deadLetter()} where it goes then, and {@link #backoff()} and {@link #dropOn()} what an exception makes of that.
 *
 * <p>Exactly one of {@link #queue()}, {@link #topic()} and {@link #value()} is written. Each attribute but {@link #name()}
 * and {@link #dropOn()} may be configured: {@code consignee.subscriber.<name>.<attribute>} (in kebab case) goes before
 * what is written here, which goes before {@code consignee.defaults.<attribute>}. A wrong declaration stops deployment with
 * one report of all problems, each with its id ({@code CONS01…}).
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
     * The cap on retries: how many deliveries a message gets, the first included. 1 to 1,000,000; by default there is no
     * cap of ours, only the broker's own.
     *
     * <p>A retry ({@link HandlerOutcome#retry()}, {@link HandlerOutcome#retryAfter}, {@link OnException#RETRY}) of an attempt
     * that has reached the cap is the last: the message goes to {@link #deadLetter()}, and without one the delivery is
     * {@code rejected}, with a warning. {@link HandlerOutcome#ack()} and {@link HandlerOutcome#drop()} are as ever. The
     * attempt is the broker's {@code delivery-count} plus one, and for a copy the number of the delivery that it copies
     * besides (application property {@code x-ruststream-retry-count}). A message without a header section says nothing of
     * the broker's count: under a cap its retry is a copy, so that it is counted. A cap above the broker's own limit is
     * never reached by retries that the broker counts.
     *
     * @return the cap
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-header">AMQP 1.0,
     *     messaging §3.2.1 header</a>
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-rejected">AMQP
     *     1.0, messaging §3.4.3 rejected</a>
     */
    int maxAttempts() default Unwritten.NUMBER;

    /**
     * The dead-letter address, on the same broker: a queue, or a topic if it begins with {@code topic:}. None by default;
     * it may not be the address that is consumed from. May contain {@code ${key}}.
     *
     * <p>With a cap, {@link #maxAttempts()}, a message that has reached it is published there; without one, each retry goes
     * there. So does what cannot be decoded under {@link OnDecodeError#DEAD_LETTER}. The message is published as it arrived
     * (the same body, properties and application properties), and the delivery is {@code accepted} once the broker has
     * confirmed that; until then it stays unsettled. The link to the address (its target has the capability {@code queue}
     * or {@code topic}) is attached before the subscription's own, so that a wrong address shows at start. What is {@code
     * rejected}, by {@link HandlerOutcome#drop()} for one, does not go here but where the broker's own policy says.
     *
     * <p>{@code consignee.defaults.dead-letter} does not hold for a subscriber that consumes from just that address.
     *
     * @return the address
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-accepted">AMQP
     *     1.0, messaging §3.4.2 accepted</a>
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-target">AMQP 1.0,
     *     messaging §3.5.4 target</a>
     */
    String deadLetter() default Unwritten.TEXT;

    /**
     * What becomes of a delivery whose handler throws. At most one value; {@link OnException#RETRY} by default.
     *
     * @return the policy
     */
    OnException[] onException() default {};

    /**
     * The delays of retries after an exception, {@code min..max}: two durations ({@code 50ms}, {@code 2s}, {@code 5m},
     * {@code 1h}, {@code 1d}, or ISO-8601), each more than zero and at most 24 days, such as {@code 1s..5m}. None by
     * default: the message is asked for again at once.
     *
     * <p>It makes {@link HandlerOutcome#retryAfter} of {@link OnException#RETRY}, with its effects: by default the delivery
     * is {@code rejected} and a copy waits in this process. The delay is the first one after the first attempt, doubles with
     * each further attempt up to the longest, and is lengthened or shortened at random by up to a fifth, though never beyond
     * the longest. A handler that returns a retry is not affected, and at most once nothing is.
     *
     * @return the shortest and the longest delay
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-rejected">AMQP
     *     1.0, messaging §3.4.3 rejected</a>
     */
    String backoff() default Unwritten.TEXT;

    /**
     * The exceptions, with their subclasses, after which a retry makes no sense: the delivery is {@code rejected} at once,
     * whatever {@link #onException()} says. None by default; at most once they change nothing. It cannot be configured.
     *
     * @return the types
     * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#type-rejected">AMQP
     *     1.0, messaging §3.4.3 rejected</a>
     */
    Class<? extends Throwable>[] dropOn() default {};

    /**
     * What becomes of a delivery whose body cannot be decoded. At most one value; {@link OnDecodeError#DROP} by default.
     *
     * @return the policy
     */
    OnDecodeError[] onDecodeError() default {};
}

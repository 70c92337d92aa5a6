package dev.consignee.engine;

import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.transport.ReceiverSpec;
import java.lang.reflect.Type;

/**
 * A subscription, as declared and configured.
 *
 * @param name the subscriber's name
 * @param broker the broker's name; empty for the unnamed one
 * @param receiver what it consumes, and with which credit
 * @param onException what becomes of a delivery whose handler threw
 * @param onDecodeError what becomes of a delivery whose body is no payload
 * @param payload the type that a body is decoded to
 */
public record SubscriptionSpec(
        String name,
        String broker,
        ReceiverSpec receiver,
        OnException onException,
        OnDecodeError onDecodeError,
        Type payload) {}

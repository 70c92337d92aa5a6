package dev.consignee.transport;

import java.util.Optional;

/**
 * What a receiver consumes.
 *
 * @param source the address
 * @param subscription the name of a topic's durable or shared subscription
 * @param durable whether that subscription outlives its receivers
 * @param shared whether its receivers compete
 * @param selector a JMS selector
 * @param credit the link credit, 1 or more
 * @param settled whether deliveries arrive settled: the broker forgets a message as it hands it over (at most once)
 * @param maxMessageSize how many bytes of a message are taken, all its sections together; of a larger one none is kept
 */
public record ReceiverSpec(
        Address source,
        Optional<String> subscription,
        boolean durable,
        boolean shared,
        Optional<String> selector,
        int credit,
        boolean settled,
        long maxMessageSize) {

    /** Refuses a credit that would never receive anything. */
    public ReceiverSpec {
        if (credit < 1) {
            throw new IllegalArgumentException("credit " + credit + " would never receive anything");
        }
    }
}

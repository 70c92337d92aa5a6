package dev.consignee.sample;

/**
 * A line of the pick log.
 *
 * @param shipment the number of the shipment that was picked
 */
public record Picked(long shipment) {}

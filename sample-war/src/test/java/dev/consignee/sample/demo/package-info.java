/**
 * Runs the warehouse on Weld SE: {@link dev.consignee.sample.demo.Demo} with shipments and a broker of its own, whose
 * numbers it compares with the extension's; {@link dev.consignee.sample.demo.WarehouseMain} for as long as you like.
 *
 * <p>Among the tests, so that neither a container nor a broker gets into the sample's artifact.
 */
@NullMarked
package dev.consignee.sample.demo;

import org.jspecify.annotations.NullMarked;

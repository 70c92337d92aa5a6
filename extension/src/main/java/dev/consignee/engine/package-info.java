/**
 * One subscription's life and one delivery's way: receive, decode, invoke, decide, settle. And the publisher.
 *
 * <p>What becomes of a delivery is decided by {@link dev.consignee.engine.SettlementPolicy}, a pure function; the rest
 * carries it out. Knows no container, no JMS, no configuration. May use: {@link dev.consignee.transport}, {@link
 * dev.consignee.time}, {@link dev.consignee.diagnostics} (docs/decisions/0002).
 */
@NullMarked
package dev.consignee.engine;

import org.jspecify.annotations.NullMarked;

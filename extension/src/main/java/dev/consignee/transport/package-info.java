/**
 * The port to a broker: connect, open a receiver with a credit, settle with a disposition, send and have it confirmed.
 *
 * <p>Implementations are {@link dev.consignee.transport.Transport}s, found by {@link java.util.ServiceLoader} and chosen
 * by the scheme of the broker's URL. May use: nothing but the API.
 */
@NullMarked
package dev.consignee.transport;

import org.jspecify.annotations.NullMarked;

/**
 * The transport over Qpid JMS: {@code amqp:} and {@code amqps:}.
 *
 * <p>Qpid JMS opens and closes connections, sessions and links, with its TLS, SASL and addressing; transfers,
 * dispositions and credit are the transport's own, on Qpid's event loop (docs/decisions/0001). May use: {@link
 * dev.consignee.transport}. The only package that sees {@code jakarta.jms} or {@code org.apache.qpid}.
 */
@NullMarked
package dev.consignee.transport.jms;

import org.jspecify.annotations.NullMarked;

/**
 * The contract as tests, and the fixtures they stand on: a broker inside the JVM ({@link EmbeddedArtemis}), a peer that
 * sends and receives ({@link AmqpClient}), and a proxy that reads what passes between application and broker
 * ({@link FrameProxy}).
 *
 * <p>Fixtures may use Artemis, Qpid JMS and proton-j; they know nothing of the extension.
 */
@NullMarked
package dev.consignee.tck;

import org.jspecify.annotations.NullMarked;

/**
 * The extension in the container: finds handlers, builds the engine, starts and stops it with the application, calls
 * handlers through the bean's contextual reference, and makes {@link dev.consignee.Publisher} injectable.
 *
 * <p>The only package that sees {@code jakarta.enterprise}. May use every other package of this module but {@code
 * transport.jms}, which is found by {@link java.util.ServiceLoader}.
 */
@NullMarked
package dev.consignee.cdi;

import org.jspecify.annotations.NullMarked;

/**
 * A {@code @Subscriber} method as data: which methods of a class are handlers, their parameters, payload type and result,
 * and the {@link dev.consignee.declaration.Declaration} that the rules check.
 *
 * <p>May use: {@link dev.consignee} and {@link dev.consignee.declaration}, and {@link dev.consignee.diagnostics}. It sees
 * classes, methods and types, and nothing of a container.
 */
@NullMarked
package dev.consignee.discovery;

import org.jspecify.annotations.NullMarked;

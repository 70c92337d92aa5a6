/**
 * Keys, defaults and overrides as records: what MicroProfile Config says of the application, its brokers and its
 * subscribers, each value with where it comes from, and each wrong one as a problem.
 *
 * <p>May use: {@link dev.consignee} and {@link dev.consignee.declaration}, {@link dev.consignee.diagnostics}, and
 * MicroProfile Config, which no other package sees.
 */
@NullMarked
package dev.consignee.config;

import org.jspecify.annotations.NullMarked;

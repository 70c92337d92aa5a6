/**
 * How long to wait: back-off, and timers. May use: nothing but the Java platform.
 */
@NullMarked
package dev.consignee.time;

import org.jspecify.annotations.NullMarked;

/**
 * How long to wait: back-off. May use: nothing but the Java platform.
 */
@NullMarked
package dev.consignee.time;

import org.jspecify.annotations.NullMarked;

/**
 * The rules of a declaration, written once, over a neutral model of a subscriber: what is legal, in which range and
 * combination, and the id and text of each problem. The annotation processor and the extension both run them.
 *
 * <p>May use: the Java platform, and {@link dev.consignee} for its enumerations.
 */
@NullMarked
package dev.consignee.declaration;

import org.jspecify.annotations.NullMarked;

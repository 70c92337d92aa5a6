/**
 * What an application compiles against: the {@link dev.consignee.Subscriber} annotation, the outcomes a handler
 * returns, what it may ask a {@link dev.consignee.Delivery}, and the {@link dev.consignee.Publisher}.
 *
 * <p>May use: nothing but {@link dev.consignee.declaration}, whose constants mark attributes that are not written.
 */
@NullMarked
package dev.consignee;

import org.jspecify.annotations.NullMarked;

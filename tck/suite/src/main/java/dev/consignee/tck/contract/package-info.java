/**
 * The contract as tests, each naming its clauses with {@link dev.consignee.tck.Asserts}. Written once: they run on every
 * container, through its {@link dev.consignee.tck.TckTarget}.
 */
@NullMarked
package dev.consignee.tck.contract;

import org.jspecify.annotations.NullMarked;

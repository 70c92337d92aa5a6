/**
 * A warehouse: it picks shipments from its shelves, logs every pick, and restocks.
 *
 * <p>Uses the API of Consignee and CDI, and nothing of the extension: the same beans run on Weld SE and in a server.
 */
@NullMarked
package dev.consignee.sample;

import org.jspecify.annotations.NullMarked;

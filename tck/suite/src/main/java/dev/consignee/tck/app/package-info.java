/**
 * The application under test: deployed as it is to any container, on any transport. Its handlers do what the messages they
 * receive say, and it tells what it has seen.
 */
@NullMarked
package dev.consignee.tck.app;

import org.jspecify.annotations.NullMarked;

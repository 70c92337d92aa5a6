package dev.consignee.engine;

import dev.consignee.declaration.AttemptSource;
import dev.consignee.declaration.DelayedRetry;
import dev.consignee.declaration.OnStop;
import dev.consignee.transport.Address;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How often and how a message comes back.
 *
 * @param maxAttempts how many deliveries a message gets, the first included; empty for no cap
 * @param deadLetter where a message goes that has had them
 * @param delayed who keeps a message while a retry waits for its time
 * @param onStop what becomes of copies that wait in the process when it stops
 * @param maxWaitingCopies how many copies may wait in the process, 1 or more
 * @param attemptSource whose count is trusted
 */
public record RetrySpec(
        OptionalInt maxAttempts,
        Optional<Address> deadLetter,
        DelayedRetry delayed,
        OnStop onStop,
        int maxWaitingCopies,
        AttemptSource attemptSource) {}

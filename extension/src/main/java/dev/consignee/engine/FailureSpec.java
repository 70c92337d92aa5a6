package dev.consignee.engine;

import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.time.Backoff;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a delivery that was not handled.
 *
 * @param onException for handlers that throw
 * @param onDecodeError for bodies that are no payload
 * @param backoff the delays of retries after an exception; empty for at once
 * @param dropOn the exceptions after which a retry makes no sense
 */
public record FailureSpec(
        OnException onException,
        OnDecodeError onDecodeError,
        Optional<Backoff> backoff,
        List<Class<? extends Throwable>> dropOn) {

    /** Copies the list. */
    public FailureSpec {
        dropOn = List.copyOf(dropOn);
    }
}

package dev.consignee.engine;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for what another thread is about to do, and looks often, so that tests take milliseconds. */
final class Eventually {

    private Eventually() {}

    static ConditionFactory await() {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(Duration.ofSeconds(10));
    }
}

package dev.consignee.cdi;

import dev.consignee.AckError;
import dev.consignee.SettlementFailed;
import dev.consignee.diagnostics.Notice;
import dev.consignee.engine.Engine;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fires {@link SettlementFailed}, and nothing where the application has no observer of it: at most once, each message may
 * be worth an event.
 */
final class SettlementEvents {

    private static final Logger LOG = LoggerFactory.getLogger(SettlementEvents.class);

    private SettlementEvents() {}

    /** Looks for observers once: there are no more of them after the deployment. */
    static Consumer<SettlementFailed> of(BeanManager beans) {
        SettlementFailed any = new SettlementFailed("any", AckError.UNSUPPORTED, Optional.empty());
        boolean observed = beans.resolveObserverMethods(any).stream().anyMatch(observer -> !observer.isAsync());
        return observed ? firing(beans.getEvent().select(SettlementFailed.class)) : Engine.NOBODY_LISTENS;
    }

    private static Consumer<SettlementFailed> firing(Event<SettlementFailed> event) {
        return failed -> {
            try {
                event.fire(failed);
            } catch (RuntimeException thrown) {
                Notice.OBSERVER_FAILED.log(LOG, "an observer of {} failed", failed, thrown);
            }
        };
    }
}

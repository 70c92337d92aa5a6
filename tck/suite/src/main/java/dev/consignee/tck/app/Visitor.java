package dev.consignee.tck.app;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;

/** A handler of the dependent scope, with a package-private method of a generic superclass: queue {@code visits}. */
@Dependent
public class Visitor extends Visits<String> {

    private final Scripted scripted;

    /** Makes the bean, for one call. */
    @Inject
    public Visitor(Scripted scripted) {
        this.scripted = scripted;
        scripted.visitorCame();
    }

    @Override
    @Nullable
    HandlerOutcome perform(String script, Delivery delivery) {
        return scripted.perform("visits", script, delivery);
    }

    @PreDestroy
    void leave() {
        scripted.visitorLeft();
    }
}

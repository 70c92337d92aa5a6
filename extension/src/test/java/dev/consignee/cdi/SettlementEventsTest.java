package dev.consignee.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.AckError;
import dev.consignee.SettlementFailed;
import dev.consignee.engine.Engine;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.Test;

class SettlementEventsTest {

    private static final SettlementFailed FAILED = new SettlementFailed("pick", AckError.UNSUPPORTED, Optional.empty());

    /** Observes what is meant for it. */
    @ApplicationScoped
    static class Observer {
        final List<Object> seen = new CopyOnWriteArrayList<>();

        void on(@Observes SettlementFailed failed) {
            seen.add(failed);
        }

        List<Object> seen() {
            return seen;
        }
    }

    /** Observes whatever there is. */
    @ApplicationScoped
    static class Auditor {
        final List<Object> seen = new CopyOnWriteArrayList<>();

        void on(@Observes Object event) {
            seen.add(event);
        }

        List<Object> seen() {
            return seen;
        }
    }

    /** Observes events of another kind, and asynchronous ones, which nobody fires. */
    @ApplicationScoped
    static class Stranger {
        void on(@Observes String event) {}

        void onAsync(@ObservesAsync SettlementFailed failed) {}
    }

    private static void with(Class<?> bean, BiConsumer<WeldContainer, Consumer<SettlementFailed>> test) {
        try (WeldContainer container =
                new Weld().disableDiscovery().addBeanClass(bean).initialize()) {
            test.accept(container, SettlementEvents.of(container.getBeanManager()));
        }
    }

    @Test
    void nothingIsFiredWhereNobodyListens() {
        with(Stranger.class, (container, events) -> assertThat(events).isSameAs(Engine.NOBODY_LISTENS));
    }

    @Test
    void observerIsToldOfEach() {
        with(Observer.class, (container, events) -> {
            events.accept(FAILED);
            assertThat(container.select(Observer.class).get().seen()).containsExactly(FAILED);
        });
    }

    @Test
    void observerOfASupertypeListensToo() {
        with(Auditor.class, (container, events) -> {
            events.accept(FAILED);
            assertThat(container.select(Auditor.class).get().seen()).contains(FAILED);
        });
    }
}

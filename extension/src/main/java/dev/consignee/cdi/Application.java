package dev.consignee.cdi;

import dev.consignee.Publisher;
import dev.consignee.config.Configuration;
import dev.consignee.config.SubscriberSettings;
import dev.consignee.diagnostics.Diagnostics;
import dev.consignee.diagnostics.Notice;
import dev.consignee.diagnostics.SubscriptionDiagnosis;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.diagnostics.SubscriptionStatus;
import dev.consignee.engine.Brokers;
import dev.consignee.engine.Engine;
import dev.consignee.engine.MessagePublisher;
import dev.consignee.engine.PayloadEncoder;
import dev.consignee.engine.SubscriptionSpec;
import dev.consignee.transport.Transport;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs for one application, from its deployment to its end. Everything it needs of the container is looked up when it
 * is made: at the end, some containers no longer answer.
 */
final class Application implements Diagnostics {

    private static final Logger LOG = LoggerFactory.getLogger(Application.class);

    private final Engine engine;
    private final Publisher publisher;
    private final Payloads payloads;
    private final List<SubscriptionDiagnosis> subscriptions;

    private Application(
            Engine engine, Publisher publisher, Payloads payloads, List<SubscriptionDiagnosis> subscriptions) {
        this.engine = engine;
        this.publisher = publisher;
        this.payloads = payloads;
        this.subscriptions = List.copyOf(subscriptions);
    }

    /** Builds everything and starts nothing. */
    static Application of(
            Configuration configuration,
            Map<String, Transport> transports,
            Map<ConsigneeExtension.Deployed, ContextualHandlers> handlers,
            Payloads payloads,
            BeanManager beans) {
        ApplicationThreads threads =
                new ApplicationThreads(Thread.currentThread().getContextClassLoader());
        Brokers brokers = new Brokers(threads);
        configuration
                .brokers()
                .values()
                .forEach(broker -> brokers.add(
                        Wiring.broker(broker), Wiring.transport(broker, transports), Wiring.backoff(broker)));
        Engine engine = new Engine(
                brokers,
                payloads.jsonb(),
                payloads.codecs(),
                threads,
                configuration.application().shutdownTimeout(),
                SettlementEvents.of(beans));
        List<SubscriptionDiagnosis> subscriptions = new ArrayList<>();
        for (Map.Entry<SubscriberSettings, ContextualHandlers> each : bySettings(configuration, handlers)) {
            SubscriberSettings settings = each.getKey();
            boolean enabled = configuration.application().enabled() && settings.enabled();
            SubscriptionSpec spec =
                    Wiring.subscription(settings, each.getValue().handler());
            SubscriptionDiagnosis diagnosis = new SubscriptionDiagnosis(
                    spec.name(),
                    spec.receiver().source().name(),
                    spec.broker(),
                    enabled ? SubscriptionState.NEW : SubscriptionState.DISABLED);
            subscriptions.add(diagnosis);
            if (enabled) {
                engine.add(spec, each.getValue(), payloads.check(each.getValue().handler()), diagnosis);
            }
        }
        return new Application(
                engine,
                new MessagePublisher(brokers, new PayloadEncoder(payloads.jsonb(), payloads.codecs())),
                payloads,
                subscriptions);
    }

    /** The subscribers with what is configured of them, in the order of their names. */
    private static List<Map.Entry<SubscriberSettings, ContextualHandlers>> bySettings(
            Configuration configuration, Map<ConsigneeExtension.Deployed, ContextualHandlers> handlers) {
        List<Map.Entry<SubscriberSettings, ContextualHandlers>> all = new ArrayList<>();
        handlers.forEach((deployed, handler) -> all.add(Map.entry(
                configuration.subscriber(deployed.found().declaration()).orElseThrow(), handler)));
        all.sort(Comparator.comparing(each -> each.getKey().name()));
        return all;
    }

    Publisher publisher() {
        return publisher;
    }

    @Override
    public List<SubscriptionStatus> subscriptions() {
        return subscriptions.stream().map(SubscriptionDiagnosis::status).toList();
    }

    void start() {
        boolean allDisabled = subscriptions.stream().allMatch(each -> each.state() == SubscriptionState.DISABLED);
        if (!subscriptions.isEmpty() && allDisabled) {
            Notice.DISABLED.log(LOG, "no subscription starts: all are disabled by configuration");
        }
        engine.start();
    }

    void stop() {
        engine.stop();
        payloads.close();
    }
}

package dev.consignee.cdi;

import dev.consignee.Publisher;
import dev.consignee.Subscriber;
import dev.consignee.config.ConfigReader;
import dev.consignee.config.Configuration;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.Scope;
import dev.consignee.diagnostics.Diagnostics;
import dev.consignee.diagnostics.Notice;
import dev.consignee.diagnostics.Report;
import dev.consignee.discovery.Discovery;
import dev.consignee.discovery.Found;
import dev.consignee.transport.Transport;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeShutdown;
import jakarta.enterprise.inject.spi.DeploymentException;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The portable extension.
 *
 * <p>It starts its subscriptions at {@link Startup}, after the application's own observers, and stops them at {@link
 * Shutdown}, before any other. Where a container fires neither (Arquillian's embedded Weld), the application context's
 * initialization and {@link BeforeShutdown} stand in; both ends are idempotent.
 */
public final class ConsigneeExtension implements Extension {

    private static final Logger LOG = LoggerFactory.getLogger(ConsigneeExtension.class);

    private static final int LAST = Integer.MAX_VALUE - 10;
    private static final int FIRST = 0;

    private final List<Candidate> candidates = new ArrayList<>();
    private @Nullable Application application;

    /** For the container. */
    public ConsigneeExtension() {}

    <T> void find(@Observes ProcessManagedBean<T> event) {
        Class<?> beanClass = event.getBean().getBeanClass();
        Map<Method, @Nullable Subscriber> annotated = new HashMap<>(); // null where another extension has taken it away
        for (AnnotatedMethod<? super T> method : event.getAnnotatedBeanClass().getMethods()) {
            annotated.put(method.getJavaMember(), method.getAnnotation(Subscriber.class));
        }
        Function<Method, @Nullable Subscriber> annotation = method ->
                annotated.containsKey(method) ? annotated.get(method) : method.getAnnotation(Subscriber.class);
        for (Method method : Discovery.handlerMethods(beanClass, method -> annotation.apply(method) != null)) {
            Subscriber subscriber = annotation.apply(method);
            if (subscriber != null) {
                candidates.add(new Candidate(event.getBean(), method, subscriber));
            }
        }
    }

    void addBeans(@Observes AfterBeanDiscovery event) {
        event.<Publisher>addBean()
                .types(Publisher.class, Object.class)
                .scope(ApplicationScoped.class)
                .createWith(context -> application().publisher());
        event.<Diagnostics>addBean()
                .types(Diagnostics.class, Object.class)
                .scope(ApplicationScoped.class)
                .createWith(context -> application());
    }

    void validate(@Observes AfterDeploymentValidation event, BeanManager beans) {
        // Containers list beans in no order; ours is the same at each start, and so is the report.
        candidates.sort(Comparator.comparing(
                candidate -> candidate.bean().getBeanClass().getName()));
        List<Deployed> deployed = new ArrayList<>();
        for (Candidate candidate : candidates) {
            deployed.add(new Deployed(
                    candidate.bean(),
                    Discovery.read(
                            candidate.bean().getBeanClass(),
                            candidate.method(),
                            candidate.subscriber(),
                            scope(candidate.bean(), beans))));
        }
        Configuration configuration = ConfigReader.ofTheApplication()
                .read(deployed.stream().map(each -> each.found().declaration()).toList());
        List<Problem> problems = new ArrayList<>(configuration.problems());
        Map<String, Transport> transports = Wiring.transports();
        configuration
                .brokers()
                .values()
                .forEach(broker -> Wiring.withoutTransport(broker, transports).ifPresent(problems::add));
        ContextualReferences references = new ContextualReferences(beans, problems);
        Map<Deployed, ContextualHandlers> handlers = new HashMap<>();
        for (Deployed each : deployed) {
            each.found()
                    .handler()
                    .flatMap(method -> references.of(each, method))
                    .ifPresent(handler -> handlers.put(each, handler));
        }
        Payloads payloads = Payloads.of(deployed, beans, problems);
        Report report = Report.of(problems);
        report.warnings().forEach(warning -> Notice.CONFIGURATION_WARNING.log(LOG, "{}", warning.text()));
        if (report.failed()) {
            payloads.close();
            event.addDeploymentProblem(new DeploymentException(report.text()));
            return;
        }
        application = Application.of(configuration, transports, handlers, payloads, beans);
    }

    private static Scope scope(Bean<?> bean, BeanManager beans) {
        return Scope.of(bean.getScope().getName(), beans.isNormalScope(bean.getScope()));
    }

    private Application application() {
        Application current = application;
        if (current == null) {
            throw new IllegalStateException("Consignee is not deployed yet, or not without problems");
        }
        return current;
    }

    void startUp(@Observes @Priority(LAST) Startup event) {
        start();
    }

    /** Arquillian's embedded Weld never fires {@link Startup}; it alone initializes with a bare {@link Object}. */
    void initialized(@Observes @Priority(LAST) @Initialized(ApplicationScoped.class) Object event) {
        if (event.getClass() == Object.class) {
            start();
        }
    }

    void shutDown(@Observes @Priority(FIRST) Shutdown event) {
        stop();
    }

    void beforeShutdown(@Observes @Priority(FIRST) BeforeShutdown event) {
        stop();
    }

    private void start() {
        if (application != null) {
            application.start();
        }
    }

    private void stop() {
        if (application != null) {
            application.stop();
        }
    }

    /** A method with the annotation on it. */
    private record Candidate(Bean<?> bean, Method method, Subscriber subscriber) {}

    /** The same, read. */
    record Deployed(Bean<?> bean, Found found) {}
}

package dev.consignee.cdi;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import dev.consignee.discovery.HandlerMethod;
import dev.consignee.engine.Handler;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Calls a handler through its bean's contextual reference, in a request context of the call's own (life-5, life-6).
 *
 * @param type the bean type that has the method
 * @param proxy the client proxy of a normal scope
 * @param oneForEachCall whether the bean lives for one call
 */
record ContextualHandlers(
        BeanManager beans,
        Bean<?> bean,
        HandlerMethod handler,
        Class<?> type,
        Optional<Object> proxy,
        boolean oneForEachCall)
        implements Handler.Source {

    @Override
    public Handler open() {
        return new ContextualHandler();
    }

    private final class ContextualHandler implements Handler {

        private final CreationalContext<?> own = beans.createCreationalContext(null);
        private final RequestContextController requests = requestContextController();
        private final @Nullable Object reference = oneForEachCall ? null : proxy.orElseGet(this::sharedInstance);

        private RequestContextController requestContextController() {
            Bean<?> controller = beans.resolve(beans.getBeans(RequestContextController.class));
            return (RequestContextController) beans.getReference(controller, RequestContextController.class, own);
        }

        private Object sharedInstance() {
            return beans.getReference(bean, type, beans.createCreationalContext(bean));
        }

        @Override
        public @Nullable HandlerOutcome handle(Object payload, Delivery delivery) throws Throwable {
            boolean activated = requests.activate();
            try {
                return reference == null ? callOnce(payload, delivery) : call(reference, payload, delivery);
            } finally {
                if (activated) {
                    requests.deactivate();
                }
            }
        }

        private @Nullable HandlerOutcome callOnce(Object payload, Delivery delivery) throws Throwable {
            CreationalContext<?> forThisCall = beans.createCreationalContext(bean);
            try {
                return call(beans.getReference(bean, type, forThisCall), payload, delivery);
            } finally {
                forThisCall.release();
            }
        }

        private @Nullable HandlerOutcome call(Object instance, Object payload, Delivery delivery) throws Throwable {
            Object returned;
            try {
                returned = handler.method().invoke(instance, handler.arguments(payload, delivery));
            } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
            }
            return handler.result() == HandlerMethod.Result.VOID ? HandlerOutcome.ack() : (HandlerOutcome) returned;
        }

        @Override
        public void close() {
            own.release();
        }
    }
}

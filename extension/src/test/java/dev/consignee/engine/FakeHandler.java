package dev.consignee.engine;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A handler that does what a test says. */
final class FakeHandler implements Handler.Source {

    /** What the method does. */
    interface Method {
        HandlerOutcome call(String payload, Delivery delivery) throws Throwable;
    }

    final List<String> payloads = new CopyOnWriteArrayList<>();
    final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();
    volatile Method method;
    volatile RuntimeException openWith;

    FakeHandler(Method method) {
        this.method = method;
    }

    @Override
    public Handler open() {
        threads.add("opened on " + Thread.currentThread().getName());
        if (openWith != null) {
            throw openWith;
        }
        return new Handler() {
            @Override
            public HandlerOutcome handle(Object payload, Delivery delivery) throws Throwable {
                payloads.add((String) payload);
                deliveries.add(delivery);
                return method.call((String) payload, delivery);
            }

            @Override
            public void close() {
                threads.add("closed on " + Thread.currentThread().getName());
            }
        };
    }
}

package dev.consignee.tck.weld;

import dev.consignee.Delivery;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.inject.Singleton;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntUnaryOperator;

/** What the soak's handlers were called with, over all the applications of one run. Any thread. */
final class SoakLedger {

    private static final int EXAMPLES = 20;

    private final SoakModel model;
    private final AtomicIntegerArray calls;
    private final AtomicInteger total = new AtomicInteger();
    private final AtomicInteger beyondTheCap = new AtomicInteger();
    private final AtomicInteger outOfStep = new AtomicInteger();
    private final Queue<String> examples = new ConcurrentLinkedQueue<>();
    private final IntUnaryOperator nextMark;
    private final AtomicInteger mark = new AtomicInteger();
    private final Semaphore marks = new Semaphore(0);

    /**
     * Begins with nothing.
     *
     * @param nextMark by how many calls later than the one before the next mark is
     */
    SoakLedger(SoakModel model, int messages, IntUnaryOperator nextMark) {
        this.model = model;
        this.calls = new AtomicIntegerArray(messages);
        this.nextMark = nextMark;
        mark.set(nextMark.applyAsInt(0));
    }

    SoakModel model() {
        return model;
    }

    void called(int id, Delivery delivery) {
        int attempt = delivery.attempt();
        int call = calls.incrementAndGet(id);
        if (attempt > model.lane(id).cap) {
            beyondTheCap.incrementAndGet();
            if (delivery.redeliveryCount().orElse(1) < 2) {
                example("attempt " + attempt + " of " + id + ", which the broker has delivered once");
            }
        }
        if (attempt != call) {
            outOfStep.incrementAndGet();
        }
        int number = total.incrementAndGet();
        int due = mark.get();
        if (number >= due && mark.compareAndSet(due, due + nextMark.applyAsInt(due))) {
            marks.release();
        }
    }

    private void example(String problem) {
        if (examples.size() < EXAMPLES) {
            examples.add(problem);
        }
    }

    /** Each permit is one mark that the number of calls has passed. */
    Semaphore marks() {
        return marks;
    }

    int calls(int id) {
        return calls.get(id);
    }

    int total() {
        return total.get();
    }

    /** How many calls had an attempt number beyond the cap. */
    int beyondTheCap() {
        return beyondTheCap.get();
    }

    /** How many calls had another attempt number than their place among the calls of their message. */
    int outOfStep() {
        return outOfStep.get();
    }

    /** Attempts beyond the cap that the broker has no part in, some of them. */
    Queue<String> examples() {
        return examples;
    }

    /** Makes it a bean of an application. */
    final class Bean implements Extension {
        void add(@Observes AfterBeanDiscovery discovered) {
            discovered
                    .addBean()
                    .beanClass(SoakLedger.class)
                    .types(SoakLedger.class)
                    .scope(Singleton.class)
                    .createWith(context -> SoakLedger.this);
        }
    }
}

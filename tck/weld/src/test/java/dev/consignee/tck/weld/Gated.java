package dev.consignee.tck.weld;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import dev.consignee.Subscriber;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Acknowledges what comes on queue {@code work}, but holds {@code hold} until the test lets go, whatever interrupts it
 * meanwhile. A singleton: the instance can be looked at when the container is gone.
 */
@Singleton
class Gated {

    private final CountDownLatch letGo = new CountDownLatch(1);
    private final AtomicInteger held = new AtomicInteger();
    private final List<String> returned = new CopyOnWriteArrayList<>();
    private final List<String> handled = new CopyOnWriteArrayList<>();

    @Subscriber(queue = "work")
    HandlerOutcome work(String payload, Delivery delivery) {
        handled.add(payload);
        if (payload.startsWith("hold")) {
            held.incrementAndGet();
            awaitUninterruptibly();
        }
        returned.add(payload);
        return HandlerOutcome.ack();
    }

    private void awaitUninterruptibly() {
        boolean interrupted = false;
        while (letGo.getCount() > 0) {
            try {
                letGo.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets every held and every later {@code hold} go on. */
    void letGo() {
        letGo.countDown();
    }

    /** How many calls are or were held. */
    int held() {
        return held.get();
    }

    /** What it was called with, in order. */
    List<String> handled() {
        return handled;
    }

    /** The calls that have ended. */
    List<String> returned() {
        return returned;
    }
}

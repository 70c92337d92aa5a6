package dev.consignee.tck.weld;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/**
 * Does what the messages say: a body is a list of steps, one a delivery of it, the last one for all further ones.
 *
 * <p>{@code ack}, {@code retry}, {@code drop}, {@code throw}, {@code error}, {@code null}; {@code hold} waits until the
 * test lets go, and acknowledges. Handlers in tests call {@link #perform}.
 */
@ApplicationScoped
class Scripted {

    private final List<Handled> handled = new CopyOnWriteArrayList<>();
    private final Semaphore holding = new Semaphore(0);
    private final Semaphore goingOn = new Semaphore(0);

    /** One call of a handler. */
    record Handled(String script, Delivery delivery, Thread thread, ClassLoader loader) {}

    HandlerOutcome perform(String script, Delivery delivery) {
        int earlier = (int) handled.stream()
                .filter(each -> each.script().equals(script)
                        && each.delivery().messageId().equals(delivery.messageId()))
                .count();
        handled.add(new Handled(
                script, delivery, Thread.currentThread(), Thread.currentThread().getContextClassLoader()));
        String[] steps = script.split(",");
        return step(steps[Math.min(earlier, steps.length - 1)]);
    }

    @SuppressWarnings("NullAway") // a handler that returns null is one of the steps
    private HandlerOutcome step(String step) {
        return switch (step) {
            case "retry" -> HandlerOutcome.retry();
            case "drop" -> HandlerOutcome.drop();
            case "throw" -> throw new IllegalStateException("thrown by script");
            case "error" -> throw new AssertionError("an error by script");
            case "null" -> null;
            case "hold" -> hold();
            default -> HandlerOutcome.ack();
        };
    }

    private HandlerOutcome hold() {
        holding.release();
        try {
            goingOn.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return HandlerOutcome.ack();
    }

    /** Lets every held and every later {@code hold} go on. */
    void letGo() {
        goingOn.release(Integer.MAX_VALUE / 2);
    }

    /** Lets one held call go on. */
    void letOneGo() {
        goingOn.release();
    }

    /** How many calls are or were held. */
    int held() {
        return holding.availablePermits();
    }

    List<Handled> handled() {
        return handled;
    }

    List<String> scripts() {
        return handled.stream().map(Handled::script).toList();
    }
}

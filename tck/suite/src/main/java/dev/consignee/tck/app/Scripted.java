package dev.consignee.tck.app;

import dev.consignee.Delivery;
import dev.consignee.HandlerOutcome;
import dev.consignee.MessageId;
import dev.consignee.Publisher;
import dev.consignee.SettlementFailed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Does what the messages say: a body is a list of steps, one a delivery of it, the last one for all further ones.
 *
 * <p>{@code ack}, {@code retry}, {@code after:<milliseconds>}, {@code drop}, {@code throw}, {@code unsupported}, {@code
 * error}, {@code null}; {@code hold} waits until the test lets go, and acknowledges; {@code hold:} and a step waits and takes
 * that step; {@code publish:<queue>:<step>} publishes a message with that script, and acknowledges. A copy has another id than what it copies, so give messages that come back as copies a correlation id. Any
 * thread.
 */
@ApplicationScoped
public class Scripted {

    private final List<Handled> handled = new CopyOnWriteArrayList<>();
    private final List<SettlementFailed> failures = new CopyOnWriteArrayList<>();
    private final Semaphore holding = new Semaphore(0);
    private final Semaphore goingOn = new Semaphore(0);
    private final List<String> callsOver = new CopyOnWriteArrayList<>();
    private final AtomicInteger visitorsHere = new AtomicInteger();
    private final AtomicInteger visitors = new AtomicInteger();
    private final Instance<Call> call;
    private final Instance<Publisher> publisher;

    /** For the container's proxy. */
    @SuppressWarnings("NullAway") // a proxy has no fields of its own
    protected Scripted() {
        this.call = null;
        this.publisher = null;
    }

    /** Makes a bean that has seen nothing. */
    @Inject
    public Scripted(Instance<Call> call, Instance<Publisher> publisher) {
        this.call = call;
        this.publisher = publisher;
    }

    /** Notes the call and takes the step that is due. */
    public @Nullable HandlerOutcome perform(String subscription, String script, Delivery delivery) {
        Handled now = note(subscription, script, delivery);
        int earlier = (int) handled.stream()
                        .filter(each -> each.subscription().equals(subscription)
                                && each.script().equals(script)
                                && each.message().equals(now.message()))
                        .count()
                - 1;
        String[] steps = script.split(",", -1);
        return step(steps[Math.min(earlier, steps.length - 1)]);
    }

    /** Notes the call and does nothing. */
    public Handled note(String subscription, String script, Delivery delivery) {
        Handled noted = new Handled(
                subscription,
                script,
                delivery.correlationId()
                        .or(delivery::messageId)
                        .map(MessageId::toString)
                        .orElse(""),
                delivery.attempt(),
                delivery.redeliveryCount(),
                call.get().id(),
                Thread.currentThread().getName(),
                classesAreTheApplications());
        handled.add(noted);
        return noted;
    }

    /** Whether the thread's context class loader finds this class where it is. */
    private static boolean classesAreTheApplications() {
        try {
            return Thread.currentThread().getContextClassLoader().loadClass(Scripted.class.getName()) == Scripted.class;
        } catch (ClassNotFoundException elsewhere) {
            return false;
        }
    }

    void callIsOver(String id) {
        callsOver.add(id);
    }

    void visitorCame() {
        visitors.incrementAndGet();
        visitorsHere.incrementAndGet();
    }

    void visitorLeft() {
        visitorsHere.decrementAndGet();
    }

    /** The calls whose request is over, by their ids. */
    public List<String> callsOver() {
        return List.copyOf(callsOver);
    }

    /** How many beans of the dependent scope were made for handlers, and how many of them are still there. */
    public List<Integer> visitors() {
        return List.of(visitors.get(), visitorsHere.get());
    }

    private @Nullable HandlerOutcome step(String step) {
        if (step.startsWith("hold:")) {
            hold();
            return step(step.substring("hold:".length()));
        }
        return switch (step) {
            case "retry" -> HandlerOutcome.retry();
            case "drop" -> HandlerOutcome.drop();
            case "throw" -> throw new IllegalStateException("thrown by script");
            case "unsupported" -> throw new UnsupportedOperationException("thrown by script");
            case "error" -> throw new AssertionError("an error by script");
            case "null" -> null;
            case "hold" -> hold();
            default -> step(step.split(":", 3));
        };
    }

    private HandlerOutcome step(String[] words) {
        if (words[0].equals("after")) {
            return HandlerOutcome.retryAfter(Duration.ofMillis(Long.parseLong(words[1])));
        } else if (words[0].equals("publish")) {
            publisher
                    .get()
                    .toQueue(words[1])
                    .correlationId("published to " + words[1])
                    .send(words[2]);
        }
        return HandlerOutcome.ack();
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

    void failed(@Observes SettlementFailed event) {
        failures.add(event);
    }

    /** Lets every held and every later {@code hold} go on. */
    public void letGo() {
        goingOn.release(Integer.MAX_VALUE / 2);
    }

    /** Lets one held call go on. */
    public void letOneGo() {
        goingOn.release();
    }

    /** How many calls are or were held. */
    public int held() {
        return holding.availablePermits();
    }

    /** Every call so far, in order. */
    public List<Handled> handled() {
        return List.copyOf(handled);
    }

    /** Every outcome that did not reach its delivery, as observed. */
    public List<SettlementFailed> failures() {
        return List.copyOf(failures);
    }
}

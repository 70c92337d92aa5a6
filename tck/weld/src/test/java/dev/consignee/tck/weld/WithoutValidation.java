package dev.consignee.tck.weld;

import dev.consignee.Subscriber;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;

/** An application whose payload is {@code @Valid}, to be run where Bean Validation is not, or not whole. */
public final class WithoutValidation {

    private WithoutValidation() {}

    /** Deploys it, without a broker, and ends it. */
    public static void run() {
        WeldApplication.of(Orders.class)
                .config("consignee.enabled", "false")
                .start()
                .close();
    }

    /** A payload with a constraint. */
    public record Order(@Positive int id) {}

    /** Takes it. */
    @ApplicationScoped
    static class Orders {
        @Subscriber(queue = "orders")
        void orders(@Valid Order order) {}
    }
}

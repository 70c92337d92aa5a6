package dev.consignee.discovery.elsewhere;

import dev.consignee.Subscriber;

/** A superclass in another package, whose package-private method nobody outside of it overrides. */
public class Stranger {
    @Subscriber(queue = "stranger")
    void packagePrivate(String payload) {}

    @Subscriber(queue = "stranger")
    protected void inherited(String payload) {}
}

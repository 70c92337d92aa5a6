package dev.consignee.tck.app;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import java.util.UUID;

/** What there is one of for each call of a handler: a request's. */
@RequestScoped
public class Call {

    private final String id = UUID.randomUUID().toString();
    private final Scripted scripted;

    /** For the container's proxy. */
    @SuppressWarnings("NullAway") // a proxy has no fields of its own
    protected Call() {
        this.scripted = null;
    }

    /** Makes the bean. */
    @Inject
    public Call(Scripted scripted) {
        this.scripted = scripted;
    }

    /** Tells this call from others. */
    public String id() {
        return id;
    }

    @PreDestroy
    void over() {
        scripted.callIsOver(id);
    }
}

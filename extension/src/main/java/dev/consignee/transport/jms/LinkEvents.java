package dev.consignee.transport.jms;

import org.apache.qpid.jms.provider.ProviderException;
import org.apache.qpid.jms.provider.amqp.AmqpEventSink;
import org.apache.qpid.jms.provider.amqp.AmqpProvider;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Link;

/**
 * Stands before Qpid's own handler of a link: transfers and flow are the owner's, the rest goes on to Qpid. Confined to
 * the event loop.
 */
abstract class LinkEvents implements AmqpEventSink {

    private final Link link;
    private final AmqpEventSink qpid;

    /** Takes over the link's events. */
    LinkEvents(Link link) {
        this.link = link;
        this.qpid = (AmqpEventSink) link.getContext();
        link.setContext(this);
    }

    /** The broker detached the link. */
    abstract void detached(String reason, ErrorCondition condition);

    @Override
    public final void processRemoteOpen(AmqpProvider provider) throws ProviderException {
        qpid.processRemoteOpen(provider);
    }

    @Override
    public final void processRemoteDetach(AmqpProvider provider) throws ProviderException {
        gone();
        qpid.processRemoteDetach(provider);
    }

    @Override
    public final void processRemoteClose(AmqpProvider provider) throws ProviderException {
        gone();
        qpid.processRemoteClose(provider);
    }

    private void gone() {
        ErrorCondition condition = link.getRemoteCondition();
        detached(Failures.text(condition, "the broker detached the link"), condition);
    }

    @Override
    public abstract void processDeliveryUpdates(AmqpProvider provider, Delivery delivery);

    @Override
    public abstract void processFlowUpdates(AmqpProvider provider);
}

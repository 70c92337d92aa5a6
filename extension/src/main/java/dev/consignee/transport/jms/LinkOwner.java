package dev.consignee.transport.jms;

import org.apache.qpid.proton.engine.Link;

/** Whoever handles the frames of a link. */
interface LinkOwner {

    /** The link is attached and nothing has been granted or sent on it. Called on the event loop, once. */
    void opened(EventLoop loop, Link link);
}

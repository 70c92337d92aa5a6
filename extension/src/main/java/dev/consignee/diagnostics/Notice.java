package dev.consignee.diagnostics;

import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * The catalogue of what this module logs above DEBUG: an id each, which is never reused, with its level, its cause and its
 * cure. CONS03 is the engine, CONS05 the container's side; CONS01 are problems of declarations and configuration,
 * which have a catalogue of their own.
 */
public enum Notice {
    /** One back-off step of connecting. */
    CONNECT_FAILED(
            "CONS0301",
            Level.WARN,
            "A broker could not be reached, or refused the connection.",
            "Nothing, if it is about to come up: connecting is tried again until it works. Otherwise check"
                    + " 'consignee.url', the credentials and the network."),
    /** Connected. */
    CONNECTED("CONS0302", Level.INFO, "A connection to a broker is open.", "Nothing."),
    /** The connection went. */
    CONNECTION_LOST(
            "CONS0303",
            Level.WARN,
            "A connection was closed by the broker, cut, or silent for longer than 'idle-timeout'.",
            "Nothing: it is established again; what was unsettled comes back from the broker."),
    /** One back-off step of attaching. */
    ATTACH_FAILED(
            "CONS0304",
            Level.WARN,
            "A broker refused a link: the address does not exist, or may not be consumed from by this user.",
            "Create the address or grant the right; attaching is tried again until it works."),
    /** Attached. */
    ATTACHED("CONS0305", Level.INFO, "A subscription's link is attached: it receives.", "Nothing."),
    /** The link went. */
    LINK_LOST(
            "CONS0306",
            Level.WARN,
            "A subscription's link went, alone or with its connection.",
            "Nothing: it is attached again; what was unsettled comes back from the broker."),
    /** The handler threw. */
    HANDLER_FAILED(
            "CONS0307",
            Level.WARN,
            "A handler threw an exception, or returned null where an outcome is due. The delivery was settled by"
                    + " 'on-exception'. The first of a kind is logged, then at most one a minute.",
            "Mend the handler, or return an outcome for what it cannot handle."),
    /** The body could not be decoded. */
    DECODE_FAILED(
            "CONS0308",
            Level.WARN,
            "A body is no payload of the handler's. The delivery was settled by 'on-decode-error'. The first of a kind"
                    + " is logged, then at most one a minute.",
            "Find out who sends it; look at it where the broker keeps rejected messages."),
    /** Stopped by a policy. */
    STOPPED_BY_POLICY(
            "CONS0309",
            Level.ERROR,
            "The policy 'STOP' ended a subscription; the delivery went back to the queue unsettled.",
            "Mend the cause and start the application again."),
    /** An outcome came too late. */
    SETTLEMENT_LOST(
            "CONS0310",
            Level.WARN,
            "An outcome could not be sent, because the link went first. Nothing was settled: the message comes back.",
            "Nothing, if handlers tolerate to see a message twice; at least once they must."),
    /** A thread would not end. */
    THREAD_STUCK(
            "CONS0311",
            Level.ERROR,
            "A subscription's thread did not end within 'consignee.shutdown-timeout': its handler did not return, or the"
                    + " broker does not answer a close. What it has in hand goes back to the broker.",
            "Bound what the handler waits for, or raise the timeout. The thread lives on until the handler returns."),
    /** A fault of our own. */
    UNEXPECTED(
            "CONS0312",
            Level.ERROR,
            "A subscription met a failure that nobody foresaw; it goes on with a new link.",
            "Report it with the stack trace."),
    /** It cannot even begin. */
    ENDED(
            "CONS0313",
            Level.ERROR,
            "A subscription has ended: the container gave it no way to call its handler.",
            "Report it with the stack trace; the application's other subscriptions go on."),
    /** The application is up. */
    STARTED("CONS0501", Level.INFO, "The application's subscriptions have begun to connect.", "Nothing."),
    /** The application is down. */
    STOPPED("CONS0502", Level.INFO, "The application's subscriptions have ended.", "Nothing."),
    /** Switched off. */
    DISABLED("CONS0503", Level.INFO, "'consignee.enabled' is false, or every subscriber's 'enabled' is.", "Nothing."),
    /** Something in the configuration has no effect. */
    CONFIGURATION_WARNING(
            "CONS0504",
            Level.WARN,
            "Something in the configuration has no effect here. The problem's own id stands behind this one.",
            "As the problem's own id says; if other applications share the configuration, perhaps nothing."),
    /** An observer of an event threw. */
    OBSERVER_FAILED(
            "CONS0505",
            Level.WARN,
            "An observer of an event of this library threw an exception, which changes nothing.",
            "Mend the observer.");

    private final String id;
    private final Level level;
    private final String cause;
    private final String cure;

    Notice(String id, Level level, String cause, String cure) {
        this.id = id;
        this.level = level;
        this.cause = cause;
        this.cure = cure;
    }

    /** The id, such as {@code CONS0301}. */
    public String id() {
        return id;
    }

    /** The level it is logged at. */
    public Level level() {
        return level;
    }

    /** What brings it about. */
    public String cause() {
        return cause;
    }

    /** What to do. */
    public String cure() {
        return cure;
    }

    /**
     * Logs it.
     *
     * @param text the message after the id, with {@code {}} for the arguments
     * @param arguments as SLF4J takes them, the last one may be a throwable
     */
    public void log(Logger logger, String text, Object... arguments) {
        String message = id + ": " + text;
        switch (level) {
            case ERROR -> logger.error(message, arguments);
            case WARN -> logger.warn(message, arguments);
            default -> logger.info(message, arguments);
        }
    }
}

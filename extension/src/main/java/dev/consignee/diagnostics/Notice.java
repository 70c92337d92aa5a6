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
            "A subscription met a failure that nobody foresaw. It goes on; where it was receiving, with a new link.",
            "Report it with the stack trace."),
    /** It cannot even begin. */
    ENDED(
            "CONS0313",
            Level.ERROR,
            "A subscription has ended: the container gave it no way to call its handler.",
            "Report it with the stack trace; the application's other subscriptions go on."),
    /** The broker does not do what the subscription relies on. */
    NOT_ON_THIS_BROKER(
            "CONS0314",
            Level.ERROR,
            "A subscription does not start, because its delayed retry is not possible on this broker: 'broker' where no"
                    + " delayed delivery is offered, or 'in-process' where a rejected message is delivered again. It is"
                    + " tried again, since the broker may change.",
            "Set 'delayed-retry' to another value; 'hold' works everywhere."),
    /** Publishing is impossible for now. */
    PUBLISH_FAILED(
            "CONS0315",
            Level.WARN,
            "Copies or dead letters could not be published: the broker cannot be reached, or refuses the sender. Their"
                    + " originals stay unsettled meanwhile, at most as many as the credit.",
            "Create the address, grant the right to send to it, or bring the broker up; it is tried again until it works."),
    /** One message was refused. */
    PUBLISH_REFUSED(
            "CONS0316",
            Level.WARN,
            "The broker did not accept a copy or a dead letter, or granted no credit for it in time (a full address). Its"
                    + " original stays unsettled meanwhile. The first one is logged, then at most one a minute.",
            "Make room at the address, or find out why the broker refuses the message; it is tried again."),
    /** At the cap, without a dead-letter address. */
    ATTEMPTS_SPENT(
            "CONS0317",
            Level.WARN,
            "A message has had 'max-attempts' deliveries and was given up: rejected, for the broker's dead-letter policy;"
                    + " at most once, it is gone. The first one is logged, then at most one a minute.",
            "Look at it where the broker keeps rejected messages; set 'dead-letter' to keep such messages yourself."),
    /** Nothing to settle. */
    UNSUPPORTED(
            "CONS0318",
            Level.WARN,
            "A handler of an at-most-once subscription returned an outcome, but the delivery arrived settled. The first"
                    + " of a kind is logged, then at most one a minute.",
            "Let the handler return void, or consume at least once."),
    /** The bound of waiting copies. */
    WAITING_COPIES_FULL(
            "CONS0319",
            Level.WARN,
            "As many copies wait in the process as 'max-waiting-copies' allows; the subscription takes no more deliveries"
                    + " until some have left.",
            "Nothing, if it passes; else set 'delayed-retry' to 'broker', retry with shorter delays, or raise the bound."),
    /** Copies that nobody will publish. */
    COPIES_LOST(
            "CONS0320",
            Level.ERROR,
            "The subscription ended with copies or dead letters that nobody else has and that could not be published in"
                    + " time: they are lost.",
            "Raise 'consignee.shutdown-timeout', or set 'delayed-retry' to 'broker' or 'hold', with which nothing waits in"
                    + " the process."),
    /** Copies that nobody wanted published. */
    COPIES_DISCARDED(
            "CONS0321",
            Level.WARN,
            "Copies that waited when the subscription stopped were discarded, as 'on-stop' says.",
            "Set 'on-stop' to 'publish' if they should not be lost."),
    /** Deliveries that were only ours. */
    UNHANDLED(
            "CONS0322",
            Level.ERROR,
            "An at-most-once subscription ended with deliveries that it had received and not handled in time: they are"
                    + " lost.",
            "Raise 'consignee.shutdown-timeout', lower the credit, or consume at least once."),
    /** A count that is none. */
    BAD_RETRY_COUNT(
            "CONS0323",
            Level.WARN,
            "The application property 'x-ruststream-retry-count' of a message is no whole number of zero or more; it counts"
                    + " as zero. The first one is logged, then at most one a minute.",
            "Find out who writes it: only copies carry it."),
    /** No bytes to publish. */
    NOT_KEPT(
            "CONS0324",
            Level.WARN,
            "A message was to be published to the dead-letter address, but nothing of it was kept, because it is larger than"
                    + " 'max-message-size'. It was rejected instead; at most once, it is gone.",
            "Raise 'max-message-size', or find out who sends such messages."),
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

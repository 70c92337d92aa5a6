package dev.consignee.tck.weld;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** What is logged from its opening to its closing. */
final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private static final String CONSIGNEE = "dev.consignee";
    private static final String QPID = "org.apache.qpid.jms";

    private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
    private final List<Runnable> restore = new ArrayList<>();

    private LogCapture() {
        setContext((LoggerContext) LoggerFactory.getILoggerFactory());
        start();
    }

    /** Of this project, at the level that it has in tests. */
    static LogCapture ofConsignee() {
        LogCapture capture = new LogCapture();
        capture.attach(CONSIGNEE);
        return capture;
    }

    /** All that this project and Qpid JMS have to say, which the console is spared. */
    static LogCapture ofEverything() {
        LogCapture capture = new LogCapture();
        capture.attach(Logger.ROOT_LOGGER_NAME);
        capture.trace(CONSIGNEE);
        capture.trace(QPID);
        return capture;
    }

    private void attach(String name) {
        Logger logger = (Logger) LoggerFactory.getLogger(name);
        logger.addAppender(this);
        restore.add(() -> logger.detachAppender(this));
    }

    private void trace(String name) {
        Logger logger = (Logger) LoggerFactory.getLogger(name);
        Level level = logger.getLevel();
        attach(name);
        logger.setAdditive(false);
        logger.setLevel(Level.TRACE);
        restore.add(() -> {
            logger.setLevel(level);
            logger.setAdditive(true);
        });
    }

    @Override
    protected void append(ILoggingEvent event) {
        event.prepareForDeferredProcessing();
        events.add(event);
    }

    /** Everything, each event with its stack trace. */
    List<String> lines() {
        return events.stream().map(LogCapture::text).toList();
    }

    private static String text(ILoggingEvent event) {
        String message = event.getLoggerName() + ": " + event.getFormattedMessage();
        return event.getThrowableProxy() == null
                ? message
                : message + "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy());
    }

    /** The events whose message begins with an id, in order. */
    List<ILoggingEvent> events(String id) {
        return events.stream()
                .filter(event -> event.getMessage().startsWith(id + ":"))
                .toList();
    }

    /** Their messages. */
    List<String> messages(String id) {
        return events(id).stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Override
    public void close() {
        restore.forEach(Runnable::run);
        stop();
    }
}

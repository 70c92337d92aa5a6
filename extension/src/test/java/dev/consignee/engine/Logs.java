package dev.consignee.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the engine logs at INFO and above while a test runs. */
final class Logs implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.consignee.engine");
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    Logs() {
        appender.list = new CopyOnWriteArrayList<>();
        appender.start();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(appender);
    }

    List<String> lines() {
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    List<String> lines(String id) {
        return lines().stream().filter(line -> line.startsWith(id + ": ")).toList();
    }

    /** The ids of the lines, in order. */
    List<String> ids() {
        return lines().stream()
                .map(line -> line.substring(0, line.indexOf(':')))
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(null);
    }
}

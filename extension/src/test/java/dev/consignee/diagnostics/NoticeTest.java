package dev.consignee.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.consignee.declaration.ProblemId;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.event.Level;

class NoticeTest {

    @Test
    void noIdIsUsedTwiceNotEvenByTheProblemsOfDeclarations() {
        Stream<String> ids = Stream.concat(
                Arrays.stream(Notice.values()).map(Notice::id),
                Arrays.stream(ProblemId.values()).map(ProblemId::id));

        assertThat(ids).doesNotHaveDuplicates().hasSizeGreaterThan(Notice.values().length);
    }

    @ParameterizedTest
    @EnumSource(Notice.class)
    void anIdIsConsAndFourDigitsInTheRangeOfItsPackage(Notice notice) {
        assertThat(notice.id()).matches("CONS0[35]\\d{2}");
    }

    @ParameterizedTest
    @EnumSource(Notice.class)
    void eachHasACauseACureAndALevelThatSomebodyReads(Notice notice) {
        assertThat(notice.cause()).isNotBlank().endsWith(".");
        assertThat(notice.cure()).isNotBlank().endsWith(".");
        assertThat(notice.level()).isIn(Level.INFO, Level.WARN, Level.ERROR);
    }

    @ParameterizedTest
    @EnumSource(Notice.class)
    void anErrorAsksSomebodyToAct(Notice notice) {
        if (notice.level() == Level.ERROR) {
            assertThat(notice.cure()).doesNotStartWith("Nothing");
        }
        if (notice.level() == Level.INFO) {
            assertThat(notice.cure()).isEqualTo("Nothing.");
        }
    }

    @ParameterizedTest
    @EnumSource(Notice.class)
    void itLogsAtItsLevelWithItsIdItsArgumentsAndItsThrowable(Notice notice) {
        LoggerContext context = new LoggerContext();
        Logger logger = context.getLogger("aside");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.setContext(context);
        lines.start();
        logger.addAppender(lines);

        notice.log(logger, "{} of {}", 1, "two", new IllegalStateException("why"));

        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel().toString()).isEqualTo(notice.level().toString());
            assertThat(line.getFormattedMessage()).isEqualTo(notice.id() + ": 1 of two");
            assertThat(line.getThrowableProxy().getMessage()).isEqualTo("why");
        });
    }
}

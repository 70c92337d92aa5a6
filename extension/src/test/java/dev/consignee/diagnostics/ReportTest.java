package dev.consignee.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.HandlerOutcome;
import dev.consignee.Subscriber;
import dev.consignee.config.ConfigReader;
import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.declaration.Scope;
import dev.consignee.discovery.Discovery;
import dev.consignee.discovery.Found;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportTest {

    static class Warehouse {
        @Subscriber(queue = "shipments", credit = 0)
        HandlerOutcome pick(String shipment) {
            return HandlerOutcome.ack();
        }

        @Subscriber(queue = "restock", topic = "restock")
        void restock(String item) {}

        @Subscriber(queue = "pick-log")
        void logPick(String picked) {}
    }

    static class Office {
        @Subscriber(queue = "orders")
        String order(String order) {
            return order;
        }
    }

    @Test
    void fourWrongThingsAreOneReportWithFourIds() {
        List<Declaration> declarations = List.of(Warehouse.class, Office.class).stream()
                .flatMap(bean -> Discovery.handlerMethods(bean).stream()
                        .map(method ->
                                Discovery.read(bean, method, method.getAnnotation(Subscriber.class), Scope.NORMAL)))
                .map(Found::declaration)
                .toList();
        var config = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(
                        Map.of("consignee.subscriber.log-pick.credits", "5", "consignee.other", "1"),
                        "shop.properties",
                        100))
                .build();

        Report report = Report.of(new ConfigReader(config).read(declarations).problems());

        assertThat(report.failed()).isTrue();
        assertThat(report.errors())
                .extracting(Problem::id)
                .containsExactlyInAnyOrder(
                        ProblemId.BAD_NUMBER,
                        ProblemId.SEVERAL_ADDRESSES,
                        ProblemId.UNKNOWN_ATTRIBUTE,
                        ProblemId.BAD_RETURN);
        assertThat(report.warnings()).extracting(Problem::id).containsExactly(ProblemId.UNKNOWN_KEY);
        assertThat(report.text())
                .startsWith("Consignee found 4 problems:\n\n" + Office.class.getName() + "\n  CONS0119: ")
                .containsOnlyOnce(Warehouse.class.getName() + "\n")
                .contains("CONS0102: ", "CONS0104: ", "CONS0150: ")
                .contains("Warehouse.pick(String), @Subscriber(credit = 0).", "Legal: 1 to 32767.")
                .contains("'restock' has 2 addresses: queue 'restock' and topic 'restock'")
                .contains("'log-pick' has no attribute 'credits', did you mean 'credit'?")
                .contains("the handler of subscriber 'order' returns String.")
                .doesNotContain("CONS0152");
    }

    private static Problem problem(ProblemId id, String group, int number) {
        return new Problem(id, new Place(group, ""), "", "problem " + number, "");
    }

    @Test
    void reportShowsAHundredProblemsAndCountsTheRest() {
        Report report = Report.of(IntStream.range(0, 250)
                .mapToObj(number -> problem(ProblemId.NO_ADDRESS, "Bean" + number % 2, number))
                .toList());

        assertThat(report.errors()).hasSize(250);
        assertThat(report.text().lines().filter(line -> line.contains("CONS0101")))
                .hasSize(100);
        assertThat(report.text()).startsWith("Consignee found 250 problems:").endsWith("\nand 150 more");
    }

    @Test
    void problemFoundTwiceIsToldOnce() {
        Problem problem = problem(ProblemId.NO_ADDRESS, "Bean", 1);

        assertThat(Report.of(List.of(problem, problem)).errors()).containsExactly(problem);
    }

    @Test
    void warningsAloneStopNothing() {
        assertThat(Report.of(List.of(problem(ProblemId.UNKNOWN_KEY, "configuration", 1)))
                        .failed())
                .isFalse();
    }
}

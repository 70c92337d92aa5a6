package dev.consignee.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportTest {

    private static final Tally PICK = new Tally("pick", "shipments", 1180, 930, 200, 50, 25, 0, 0);
    private static final Tally RESTOCK = new Tally("restock", "restock", 12, 12, 0, 0, 0, 0, 0);

    @Test
    void bothSidesStandBesideEachOther() {
        List<Line> lines = List.of(
                new Line(PICK, Optional.of(new QueueCount(1000, 1180, 930, 70, 70, 0, 10))),
                new Line(RESTOCK, Optional.of(new QueueCount(12, 12, 12, 0, 0, 0, 10))));

        assertThat(String.join("\n", Report.table(lines))).isEqualTo("""
                                    | the extension counts                                  | the broker counts
            subscription  queue     | deliveries  accepted  modified  rejected  undecodable | published  attempts  acknowledged  in DLQ  left
            pick          shipments |       1180       930       200        50           25 |      1000      1180           930      70     0
            restock       restock   |         12        12         0         0            0 |        12        12            12       0     0\
            """);
    }

    @Test
    void brokerThatTellsNothingHasNoColumns() {
        List<Line> lines = List.of(new Line(RESTOCK, Optional.empty()));

        assertThat(String.join("\n", Report.table(lines))).isEqualTo("""
                                  | the extension counts
            subscription  queue   | deliveries  accepted  modified  rejected  undecodable
            restock       restock |         12        12         0         0            0\
            """);
    }

    @Test
    void titleThatIsWiderThanItsColumnsMakesRoom() {
        Block wide = new Block("a wide title", List.of("n"), List.of(List.of(1)));
        Block next = new Block("", List.of("word"), List.of(List.of("x")));

        assertThat(Block.beside(List.of(wide, next)))
                .containsExactly("a wide title |", "n            | word", "1            | x");
    }

    @Test
    void rowThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> new Block("", List.of("a", "b"), List.of(List.of(1))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

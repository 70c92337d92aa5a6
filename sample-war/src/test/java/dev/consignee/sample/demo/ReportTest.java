package dev.consignee.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.consignee.sample.demo.Tally.Forwarded;
import dev.consignee.sample.demo.Tally.Settled;
import dev.consignee.sample.demo.Tally.Troubles;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportTest {

    private static final Tally PICK = new Tally(
            Declared.PICK, 1080, new Settled(990, 40, 50), new Forwarded(40, 20, 0, 0), new Troubles(25, 0, 0, 0, 0));
    private static final Tally RESTOCK = new Tally(
            Declared.RESTOCK, 18, new Settled(15, 0, 3), new Forwarded(3, 0, 0, 0), new Troubles(0, 0, 0, 0, 0));

    @Test
    void bothSidesStandBesideEachOther() {
        List<Line> lines = List.of(
                new Line(
                        PICK,
                        Optional.of(new QueueCount(1040, 1080, 990, 50, 50, 0, 10)),
                        new QueueCount(20, 0, 0, 0, 0, 20, 10)),
                new Line(RESTOCK, Optional.of(new QueueCount(18, 18, 15, 3, 3, 0, 10)), QueueCount.NONE));

        assertThat(String.join("\n", Report.table(lines))).isEqualTo("""
                                    | the extension counts                                                        | the broker counts
            subscription  queue     | deliveries  accepted  modified  rejected  undecodable  copies  dead letters | published  attempts  acknowledged  in DLQ  dead letters  left
            pick          shipments |       1080       990        40        50           25      40            20 |      1040      1080           990      50            20     0
            restock       restock   |         18        15         0         3            0       3             0 |        18        18            15       3             0     0\
            """);
    }

    @Test
    void brokerThatTellsNothingHasNoColumns() {
        List<Line> lines = List.of(new Line(RESTOCK, Optional.empty(), QueueCount.NONE));

        assertThat(String.join("\n", Report.table(lines))).isEqualTo("""
                                  | the extension counts
            subscription  queue   | deliveries  accepted  modified  rejected  undecodable  copies  dead letters
            restock       restock |         18        15         0         3            0       3             0\
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

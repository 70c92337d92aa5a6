package dev.consignee.sample.demo;

import java.util.ArrayList;
import java.util.List;

/** Lays the numbers out for people. */
final class Report {

    private Report() {}

    /** Returns the table; the broker has its columns only where it has told its numbers. */
    static List<String> table(List<Line> lines) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(Block.of(
                "",
                List.of("subscription", "queue"),
                lines,
                line -> List.of(
                        line.tally().declared().subscription(), line.tally().queue())));
        blocks.add(Block.of(
                "the extension counts",
                List.of("deliveries", "accepted", "modified", "rejected", "undecodable", "copies", "dead letters"),
                lines.stream().map(Line::tally).toList(),
                tally -> List.of(
                        tally.deliveries(),
                        tally.settled().accepted(),
                        tally.settled().modified(),
                        tally.settled().rejected(),
                        tally.troubles().undecodable(),
                        tally.copies(),
                        tally.forwarded().deadLetters())));
        if (lines.stream().allMatch(line -> line.count().isPresent())) {
            blocks.add(Block.of(
                    "the broker counts",
                    List.of("published", "attempts", "acknowledged", "in DLQ", "dead letters", "left"),
                    lines,
                    line -> counts(line.count().orElseThrow(), line.deadLetters())));
        }
        return Block.beside(blocks);
    }

    private static List<Object> counts(QueueCount count, QueueCount deadLetters) {
        return List.of(
                count.published(),
                count.attempts(),
                count.acknowledged(),
                count.deadLettered(),
                deadLetters.published(),
                count.left());
    }
}

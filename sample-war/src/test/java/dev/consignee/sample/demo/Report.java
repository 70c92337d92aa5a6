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
                line -> List.of(line.tally().subscription(), line.tally().queue())));
        blocks.add(Block.of(
                "the extension counts",
                List.of("deliveries", "accepted", "modified", "rejected", "undecodable"),
                lines.stream().map(Line::tally).toList(),
                tally -> List.of(
                        tally.deliveries(),
                        tally.accepted(),
                        tally.modified(),
                        tally.rejected(),
                        tally.undecodable())));
        List<QueueCount> counts =
                lines.stream().flatMap(line -> line.count().stream()).toList();
        if (!counts.isEmpty()) {
            blocks.add(Block.of(
                    "the broker counts",
                    List.of("published", "attempts", "acknowledged", "in DLQ", "left"),
                    counts,
                    count -> List.of(
                            count.published(),
                            count.attempts(),
                            count.acknowledged(),
                            count.deadLettered(),
                            count.left())));
        }
        return Block.beside(blocks);
    }
}

package dev.consignee.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.declaration.ProblemId;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ErrorCatalogueTest {

    private record Entry(String id, Enum<?> level, String cause, String cure) {
        String row() {
            return ManualPage.row(id, level.name(), ManualPage.plain(cause), ManualPage.plain(cure));
        }
    }

    private static Stream<Entry> entries() {
        return Stream.concat(
                Arrays.stream(ProblemId.values())
                        .map(problem -> new Entry(problem.id(), problem.level(), problem.cause(), problem.cure())),
                Arrays.stream(Notice.values())
                        .map(notice -> new Entry(notice.id(), notice.level(), notice.cause(), notice.cure())));
    }

    @Test
    void manualHasTheCatalogueOfTheCode() throws IOException {
        Stream<String> head = Stream.of(ManualPage.row("id", "level", "cause", "cure"), "|---|---|---|---|");
        List<String> table = Stream.concat(head, entries().map(Entry::row)).toList();

        ManualPage.of("errors.md").assertGenerated("catalogue", table);
    }

    @Test
    void idsAreUniqueAcrossTheCataloguesAndInOrder() {
        assertThat(entries().map(Entry::id))
                .allMatch(id -> id.matches("CONS[0-9]{4}"))
                .doesNotHaveDuplicates()
                .isSorted();
    }

    @Test
    void idsOutsideTheCataloguesAreNotOfThem() throws IOException {
        String byHand = ManualPage.of("errors.md").without("catalogue");
        assertThat(Pattern.compile("(?m)^\\| (CONS[0-9]{4}) \\|")
                        .matcher(byHand)
                        .results()
                        .map(MatchResult::group))
                .noneMatch(row -> entries().anyMatch(entry -> row.contains(entry.id())));
    }
}

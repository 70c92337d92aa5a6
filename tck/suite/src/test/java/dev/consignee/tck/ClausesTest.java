package dev.consignee.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClausesTest {

    @TempDir
    Path folder;

    private Path page;

    @BeforeEach
    void name() {
        page = folder.resolve("contract.md");
    }

    private Clauses clauses(String... rows) throws IOException {
        Files.write(page, List.of(rows));
        return Clauses.of(page);
    }

    @Test
    void rowsOfClausesAreReadAndOthersAreNot() throws IOException {
        Clauses clauses = clauses(
                "# The contract",
                "| id | clause | status | on |",
                "|---|---|---|---|",
                "| settle-1 | A `thing` holds. | asserted | Weld SE, Artemis |",
                "| settle-8 **+** | Another. | open: copies | |",
                "| life-3 **+** | Partly. | asserted, open: recovery | Weld SE |",
                "| `health` | a capability |");
        assertThat(clauses.statusById())
                .containsExactly(
                        Map.entry("settle-1", "asserted"),
                        Map.entry("settle-8", "open: copies"),
                        Map.entry("life-3", "asserted, open: recovery"));
        assertThat(clauses.summary()).isEqualTo("Contract clauses: 1 asserted, 2 open, 3 total");
    }

    @Test
    void idThatNoClauseHasIsADisagreement() throws IOException {
        Clauses clauses = clauses("| a-1 | x | asserted | w |");
        assertThat(clauses.disagreements(Map.of("a-1", List.of("t"), "a-9", List.of("u"))))
                .containsExactly("a-9 is no clause, but asserted by [u]");
    }

    @Test
    void clauseThatNoTestAssertsIsADisagreementUnlessItIsOpen() throws IOException {
        Clauses clauses = clauses(
                "| a-1 | x | asserted | w |", "| a-2 | y | open: later | |", "| a-3 | z | asserted, open: more | w |");
        assertThat(clauses.disagreements(Map.of()))
                .containsExactly(
                        "a-1 is said to be asserted, and no test does", "a-3 is said to be asserted, and no test does");
    }

    @Test
    void openClauseThatATestAssertsIsADisagreement() throws IOException {
        Clauses clauses = clauses("| a-2 | y | open: later | |");
        assertThat(clauses.disagreements(Map.of("a-2", List.of("t"))))
                .containsExactly("a-2 is 'open: later', but asserted by [t]");
    }

    @Test
    void unknownStatusAndSecondRowAreRefused() {
        assertThatThrownBy(() -> clauses("| a-1 | x | done | w |")).hasMessageContaining("the status of a-1 is 'done'");
        assertThatThrownBy(() -> clauses("| a-1 | x | asserted | w |", "| a-1 | x | asserted | w |"))
                .hasMessageContaining("stands twice");
    }
}

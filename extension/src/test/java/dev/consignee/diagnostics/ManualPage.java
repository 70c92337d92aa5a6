package dev.consignee.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A page of the manual, parts of which are rendered from code: what is between two comments. */
public final class ManualPage {

    private static final String END = "<!-- end -->";

    private final Path file;
    private final String name;
    private String text;

    private ManualPage(Path file, String name, String text) {
        this.file = file;
        this.name = name;
        this.text = text;
    }

    /** Reads a page of {@code docs/}. */
    public static ManualPage of(String name) throws IOException {
        Path file = Path.of(System.getProperty("basedir", ""), "..", "docs", name);
        return new ManualPage(file, name, Files.readString(file));
    }

    /**
     * Fails with what to put there where the part is anything but these lines; puts it there first with {@code
     * -Ddocs.update}.
     */
    public void assertGenerated(String part, List<String> lines) throws IOException {
        String begin = begin(part);
        String expected = begin + "\n" + String.join("\n", lines) + "\n" + END;
        assertThat(text).as("docs/%s", name).containsOnlyOnce(begin + "\n");
        int from = text.indexOf(begin);
        int end = text.indexOf(END, from);
        assertThat(end).as("docs/%s: the end of '%s'", name, part).isPositive();
        if (System.getProperty("docs.update") != null) {
            text = text.substring(0, from) + expected + text.substring(end + END.length());
            Files.writeString(file, text);
            return;
        }
        assertThat(text.substring(from, end + END.length()))
                .withFailMessage("docs/%s is not what the code says. Put this there:%n%n%s%n", name, expected)
                .isEqualTo(expected);
    }

    /** What someone wrote: the page without a generated part. */
    public String without(String part) {
        int from = text.indexOf(begin(part));
        return text.substring(0, from) + text.substring(text.indexOf(END, from));
    }

    /** The whole page. */
    public String text() {
        return text;
    }

    private static String begin(String part) {
        return "<!-- generated: " + part + " -->";
    }

    /** A row of a table. */
    public static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    /** A text whose characters mean themselves. */
    public static String plain(String text) {
        return text.replaceAll("[\\\\|<*`]", "\\\\$0");
    }

    /** A text as code; empty stays empty. */
    public static String code(String text) {
        return text.isEmpty() ? "" : "`" + text.replace("|", "\\|") + "`";
    }
}

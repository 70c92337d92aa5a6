package dev.consignee.sample.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Columns of a table that share a title: words to the left, numbers to the right.
 *
 * @param title stands above the columns
 * @param columns their names
 * @param rows as many cells in each as there are columns
 */
record Block(String title, List<String> columns, List<List<Object>> rows) {

    private static final String GAP = "  ";

    /** Refuses a row that is too short or too long. */
    Block {
        for (List<Object> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(row + " is no row of " + columns);
            }
        }
    }

    /** Makes a block of one row for each item. */
    static <T> Block of(String title, List<String> columns, List<T> items, Function<T, List<Object>> row) {
        return new Block(title, columns, items.stream().map(row).toList());
    }

    /** Puts blocks of equally many rows beside each other; returns the lines without trailing blanks. */
    static List<String> beside(List<Block> blocks) {
        List<List<String>> parts = blocks.stream().map(Block::lines).toList();
        return IntStream.range(0, parts.get(0).size())
                .mapToObj(line -> parts.stream().map(part -> part.get(line)).collect(Collectors.joining(" | ")))
                .map(String::stripTrailing)
                .toList();
    }

    private List<String> lines() {
        List<String> cells = new ArrayList<>();
        cells.add(line(List.copyOf(columns)));
        rows.forEach(row -> cells.add(line(row)));
        int width = Math.max(title.length(), cells.get(0).length());
        return Stream.concat(Stream.of(title), cells.stream())
                .map(line -> line + " ".repeat(width - line.length()))
                .toList();
    }

    private String line(List<?> cells) {
        return IntStream.range(0, columns.size())
                .mapToObj(column -> pad(cells.get(column).toString(), column))
                .collect(Collectors.joining(GAP));
    }

    private String pad(String cell, int column) {
        String blanks = " ".repeat(width(column) - cell.length());
        boolean number = rows.stream().allMatch(row -> row.get(column) instanceof Number);
        return number ? blanks + cell : cell + blanks;
    }

    private int width(int column) {
        return Stream.concat(Stream.of(columns.get(column)), rows.stream().map(row -> row.get(column)))
                .mapToInt(cell -> cell.toString().length())
                .max()
                .orElseThrow();
    }
}

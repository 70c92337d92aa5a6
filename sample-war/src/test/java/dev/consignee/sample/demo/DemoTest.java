package dev.consignee.sample.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo on a broker of its own, with few shipments, of every kind. */
class DemoTest {

    private static final int GOOD = 20;
    private static final List<String> EMPTY = List.of("""
        {"id":21,"sku":"pen","quantity":0}\
        """, """
        {"id":22,"sku":"book","quantity":0}\
        """);
    private static final List<String> OUT_OF_STOCK = List.of("""
        {"id":23,"sku":"globe","quantity":1}\
        """, """
        {"id":24,"sku":"pen","quantity":2000000}\
        """);
    private static final List<String> UNDECODABLE = List.of("""
        {"id":25,"sku":"pen","quan\
        """, """
        {"id":"A-26","sku":"pen","quantity":1}\
        """, """
        {"id":27,"quantity":1}\
        """, """
        {"id":28,"sku":"pen","quantity":-1}\
        """, "<shipment id=\"29\"/>", "\"\"");

    @Test
    void everyNumberOfTheExtensionIsTheBrokersToo(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("shipments.jsonl"), shipments());
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        boolean ok = Demo.run(new Options(file, Optional.empty()), new PrintStream(out, true, UTF_8));

        List<String> lines = out.toString(UTF_8).lines().toList();
        assertThat(lines).last().isEqualTo("OK");
        assertThat(ok).isTrue();
        assertThat(numbers(lines, "pick")).containsExactly(38, 26, 4, 8, 6, 4, 2, 34, 38, 26, 8, 2, 0);
        assertThat(numbers(lines, "log-pick")).containsExactly(20, 0, 0, 0, 0, 0, 0, 20, 20, 20, 0, 0, 0);
        assertThat(numbers(lines, "restock")).containsExactly(18, 15, 0, 3, 0, 3, 0, 18, 18, 15, 3, 0, 0);
    }

    private static List<String> shipments() {
        Stream<String> good = IntStream.rangeClosed(1, GOOD).mapToObj(id -> """
            {"id":%d,"sku":"book","quantity":%d}\
            """.formatted(id, id));
        return Stream.of(good, EMPTY.stream(), OUT_OF_STOCK.stream(), UNDECODABLE.stream())
                .flatMap(kind -> kind)
                .toList();
    }

    private static List<Integer> numbers(List<String> lines, String subscription) {
        String row = lines.stream()
                .filter(line -> line.startsWith(subscription + " "))
                .findFirst()
                .orElseThrow();
        return Stream.of(row.split("[ |]+", -1)).skip(2).map(Integer::valueOf).toList();
    }
}

package dev.consignee.sample.demo;

import dev.consignee.sample.Shelves;
import jakarta.jms.JMSException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Sends shipments through the warehouse and compares what the extension has counted with what the broker has.
 *
 * <p>The system property {@code warehouse.shipments} names another file than the sample's, {@code warehouse.url} an
 * external broker, which nobody else should be using meanwhile. The last line is {@code OK} or {@code MISMATCH}, and the
 * exit status follows it.
 */
public final class Demo {

    private static final int UNITS_PER_RESTOCK = 24;
    private static final List<String> WITHOUT_A_SHELF = List.of("atlas", "compass", "easel");

    private Demo() {}

    /** Runs the demo. */
    public static void main(String[] arguments) {
        boolean ok = false;
        try {
            ok = run(Options.of(System.getProperties()), System.out);
        } catch (NoSuchFileException missing) {
            System.err.println("No such file: " + missing.getFile());
        } catch (JMSException unreachable) {
            System.err.println("The broker: " + unreachable.getMessage());
        } catch (Exception failure) {
            failure.printStackTrace();
        }
        System.out.flush();
        System.exit(ok ? 0 : 1); // the broker and the client leave threads behind that are no daemons
    }

    /**
     * Runs the demo.
     *
     * @return whether all numbers agree
     */
    static boolean run(Options options, PrintStream out) throws Exception {
        List<byte[]> shipments = Bodies.of(options.shipments());
        if (options.url().isPresent()) {
            return run(shipments, Endpoint.of(options.url().get()), out);
        }
        try (EmbeddedBroker broker = EmbeddedBroker.start(Declared.allQueues())) {
            return run(shipments, Endpoint.of(broker.url()), out);
        }
    }

    private static boolean run(List<byte[]> shipments, Endpoint endpoint, PrintStream out) throws Exception {
        List<byte[]> restocks = restocks();
        try (BrokerConnection connection = BrokerConnection.open(endpoint)) {
            Optional<BrokerCounts> counts = Management.of(connection).map(BrokerCounts::new);
            out.printf(
                    "%d shipments and %d restocks, by way of %s%n",
                    shipments.size(), restocks.size(), connection.product().orElse("a broker without a name"));
            if (counts.isEmpty()) {
                out.println("(no Artemis whose management answers: its own numbers are left out)");
            }
            Round round = new Round(connection, counts, endpoint);
            return print(round.play(shipments, restocks), out);
        }
    }

    private static boolean print(Round.Result result, PrintStream out) {
        out.println();
        Report.table(result.lines()).forEach(out::println);
        out.println();
        result.mismatches().forEach(out::println);
        boolean ok = result.mismatches().isEmpty();
        out.println(ok ? "OK" : "MISMATCH");
        return ok;
    }

    /** More of what the warehouse keeps, and goods that nobody has ordered yet; what is out of stock stays so. */
    private static List<byte[]> restocks() {
        return Stream.concat(Shelves.ASSORTMENT.stream(), WITHOUT_A_SHELF.stream())
                .map(sku -> "{\"sku\":\"" + sku + "\",\"quantity\":" + UNITS_PER_RESTOCK + "}")
                .map(body -> body.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}

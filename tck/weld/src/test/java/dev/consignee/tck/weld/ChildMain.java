package dev.consignee.tck.weld;

import dev.consignee.cdi.ConsigneeExtension;
import dev.consignee.diagnostics.Diagnostics;
import dev.consignee.diagnostics.SubscriptionState;
import dev.consignee.tck.app.Call;
import dev.consignee.tck.app.Handled;
import dev.consignee.tck.app.Orders;
import dev.consignee.tck.app.Retrying;
import dev.consignee.tck.app.Scripted;
import dev.consignee.tck.app.Visitor;
import dev.consignee.tck.app.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/**
 * The application under test on Weld SE in a virtual machine of its own: configured by system properties; writes {@code
 * READY} once all that is enabled is attached and {@code HANDLED …} for each call; understands {@code let go}; ends with its standard input, or
 * gracefully by a signal, through Weld's own hook.
 */
final class ChildMain {

    private ChildMain() {}

    @SuppressWarnings("SystemOut") // its output is how it talks to the test
    public static void main(String[] arguments) throws IOException {
        WeldContainer container = new Weld()
                .disableDiscovery()
                .addExtensions(new ConsigneeExtension())
                .addBeanClasses(Worker.class, Orders.class, Visitor.class, Retrying.class, Call.class, Scripted.class)
                .initialize();
        Scripted scripted = container.select(Scripted.class).get();
        Diagnostics diagnostics = container.select(Diagnostics.class).get();
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> diagnostics.subscriptions().stream()
                        .allMatch(each -> each.state() == SubscriptionState.ATTACHED
                                || each.state() == SubscriptionState.DISABLED));
        System.out.println("READY");
        Thread reporter = new Thread(() -> report(scripted), "reporter");
        reporter.setDaemon(true);
        reporter.start();
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                if (line.equals("let go")) {
                    scripted.letGo();
                }
            }
        }
        Runtime.getRuntime().halt(3); // the test has gone
    }

    @SuppressWarnings("SystemOut") // its output is how it talks to the test
    private static void report(Scripted scripted) {
        int told = 0;
        while (!Thread.currentThread().isInterrupted()) {
            int known = told;
            Awaitility.await().forever().until(() -> scripted.handled().size() > known);
            List<Handled> handled = scripted.handled();
            for (Handled each : handled.subList(told, handled.size())) {
                System.out.println("HANDLED " + each.script() + " " + each.attempt());
            }
            told = handled.size();
        }
    }
}

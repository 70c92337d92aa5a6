package dev.consignee.tck.weld;

import dev.consignee.diagnostics.SubscriptionStatus;
import dev.consignee.tck.TckApplication;
import dev.consignee.tck.TckTarget;
import dev.consignee.tck.app.Call;
import dev.consignee.tck.app.Handled;
import dev.consignee.tck.app.Orders;
import dev.consignee.tck.app.Retrying;
import dev.consignee.tck.app.Scripted;
import dev.consignee.tck.app.Visitor;
import dev.consignee.tck.app.Worker;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.util.List;
import java.util.Map;

/** Runs the contract on Weld SE, in the test's own virtual machine. */
public final class WeldSeTarget implements TckTarget {

    @Override
    public String name() {
        return "Weld SE";
    }

    @Override
    public Map<String, String> leavesOut() {
        return Map.of();
    }

    @Override
    public TckApplication deploy(Map<String, String> configuration) {
        WeldApplication.Builder builder = WeldApplication.of(
                Worker.class, Orders.class, Visitor.class, Retrying.class, Call.class, Scripted.class);
        configuration.forEach(builder::config);
        try {
            return new Deployed(builder.start());
        } catch (DeploymentException refused) {
            throw new DeploymentRefused(refused);
        }
    }

    private record Deployed(WeldApplication application) implements TckApplication {

        private Scripted scripted() {
            return application.bean(Scripted.class);
        }

        @Override
        public List<Handled> handled() {
            return scripted().handled();
        }

        @Override
        public int held() {
            return scripted().held();
        }

        @Override
        public void letGo() {
            if (application.container().isRunning()) {
                scripted().letGo();
            }
        }

        @Override
        public void letOneGo() {
            scripted().letOneGo();
        }

        @Override
        public List<String> callsOver() {
            return scripted().callsOver();
        }

        @Override
        public List<Integer> visitors() {
            return scripted().visitors();
        }

        @Override
        public List<String> failures() {
            return scripted().failures().stream()
                    .map(each -> each.subscription() + " " + each.error())
                    .toList();
        }

        @Override
        public Subscription subscription(String name) {
            SubscriptionStatus status = application.status(name);
            return new Subscription(
                    status.state().name(),
                    status.deliveries(),
                    status.accepted(),
                    status.modified(),
                    status.rejected(),
                    status.linkLost(),
                    status.decodeFailures(),
                    status.handlerFailures(),
                    status.attached(),
                    status.copies(),
                    status.deadLetters(),
                    status.waitingCopies(),
                    status.lostCopies(),
                    status.unsupported(),
                    status.unhandled());
        }

        @Override
        public void close() {
            application.close();
        }
    }
}

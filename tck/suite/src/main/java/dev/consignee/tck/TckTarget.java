package dev.consignee.tck;

import java.util.Map;
import java.util.ServiceLoader;

/**
 * A container that the contract is run on, found by {@link ServiceLoader}: it deploys the application of {@code
 * dev.consignee.tck.app} as it is.
 */
public interface TckTarget {

    /** What reports call it, such as {@code Weld SE}. */
    String name();

    /** The clauses that it leaves out, with the reason. */
    Map<String, String> leavesOut();

    /**
     * Deploys the application with a configuration, and starts it; does not wait until it is attached.
     *
     * @param configuration keys and values of MicroProfile Config
     * @throws DeploymentRefused where the extension refused it; nothing of it is left behind
     */
    TckApplication deploy(Map<String, String> configuration);

    /** The one target of this run. */
    static TckTarget theOne() {
        return ServiceLoader.load(TckTarget.class)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no TckTarget is on the class path"));
    }

    /** Says that a deployment was refused; its message holds the extension's report. */
    final class DeploymentRefused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** Makes the exception. */
        public DeploymentRefused(Throwable cause) {
            super(cause.getMessage(), cause);
        }
    }
}

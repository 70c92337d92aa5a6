package dev.consignee.tck.weld;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.model.ConfiguredObject;
import org.apache.qpid.server.model.SystemConfig;

/**
 * Apache Qpid Broker-J in a virtual machine of its own: keeps messages in memory, so none that are durable, and creates
 * queues when they are asked for. Writes {@code READY} and its port; ends with its standard input.
 */
final class BrokerJ {

    private static final String CONFIGURATION = """
            {"name": "tck", "modelVersion": "9.1",
             "authenticationproviders": [{"name": "anonymous", "type": "Anonymous"}],
             "ports": [{"name": "AMQP", "port": "%d", "bindingAddress": "127.0.0.1", "protocols": ["AMQP_1_0"],
                        "authenticationProvider": "anonymous",
                        "virtualhostaliases": [{"name": "default", "type": "defaultAlias"},
                                               {"name": "host", "type": "hostnameAlias"}]}],
             "virtualhostnodes": [{"name": "default", "type": "Memory", "defaultVirtualHostNode": "true",
                "virtualHostInitialConfiguration": "{\\"type\\": \\"Memory\\", \\"nodeAutoCreationPolicies\\": [{\\"pattern\\": \\".*\\", \\"createdOnPublish\\": true, \\"createdOnConsume\\": true, \\"nodeType\\": \\"queue\\", \\"attributes\\": {}}]}"}]}
            """;

    private BrokerJ() {}

    @SuppressWarnings("SystemOut") // its output is how it talks to the test
    public static void main(String[] arguments) throws Exception {
        Path work = Files.createTempDirectory(Path.of("target"), "broker-j");
        Path configuration = work.resolve("initial.json");
        int port = freePort();
        Files.writeString(configuration, CONFIGURATION.formatted(port));
        Map<String, Object> system = new HashMap<>();
        system.put(SystemConfig.TYPE, "Memory");
        system.put(
                SystemConfig.INITIAL_CONFIGURATION_LOCATION,
                configuration.toUri().toString());
        system.put(SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, false);
        system.put(ConfiguredObject.CONTEXT, Map.of("qpid.work_dir", work.toString()));
        new SystemLauncher().startup(system);
        System.out.println("READY " + port);
        while (System.in.read() >= 0) {
            // whatever it says, it is still there
        }
        Runtime.getRuntime().halt(0); // the test has gone
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}

package dev.consignee.tck;

import dev.consignee.tck.app.Retrying;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What a contract test works with, anew for each test: a broker with the queues of the application, a recording proxy
 * between the two, a plain client at the broker, and the application on the target of this run.
 *
 * <pre>{@code
 * @RegisterExtension
 * final Tck tck = new Tck();
 * }</pre>
 *
 * <p>The system property {@code tck.patience} multiplies how long tests wait (1 by default), for slow machines.
 */
public final class Tck implements BeforeEachCallback, AfterEachCallback {

    private static final double PATIENCE = Double.parseDouble(System.getProperty("tck.patience", "1"));
    private static final Duration USUAL_WAIT = Duration.ofSeconds(30);

    private final List<TckApplication> deployed = new ArrayList<>();
    private EmbeddedArtemis broker;
    private FrameProxy proxy;
    private AmqpClient client;

    /** Begins with nothing; a test's parts are made before it. */
    @SuppressWarnings("NullAway.Init") // beforeEach sets them
    public Tck() {}

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("work");
        broker.createQueue("orders");
        broker.createQueue("visits");
        for (String name : Retrying.NAMES) {
            if (!name.startsWith("news")) {
                broker.createQueue(name);
            }
        }
        for (String name : List.of("mortal", "fatal", "strict")) {
            broker.createQueue(name + ".dead");
        }
        broker.createTopic("news");
        proxy = FrameProxy.to(broker.port());
        client = new AmqpClient(broker.url());
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        deployed.forEach(TckApplication::letGo);
        deployed.forEach(TckApplication::close);
        deployed.clear();
        client.close();
        proxy.close();
        broker.close();
    }

    /** The broker, and what it counts. */
    public EmbeddedArtemis broker() {
        return broker;
    }

    /** What stands between application and broker. */
    public FrameProxy proxy() {
        return proxy;
    }

    /** A client at the broker, past the proxy. */
    public AmqpClient client() {
        return client;
    }

    /**
     * Deploys the application; undeployed after the test.
     *
     * @param keysAndValues configuration beside the broker's URL: key, value, key, value …
     */
    public TckApplication deploy(String... keysAndValues) {
        Map<String, String> configuration = new LinkedHashMap<>();
        configuration.put("consignee.url", proxy.url());
        configuration.put("consignee.reconnect.delay", "20ms");
        configuration.put("consignee.reconnect.max-delay", "200ms");
        configuration.put("consignee.shutdown-timeout", "10s");
        configuration.putAll(switchedOff());
        for (int i = 0; i < keysAndValues.length; i += 2) {
            configuration.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        TckApplication application = TckTarget.theOne().deploy(configuration);
        deployed.add(application);
        return application;
    }

    /**
     * Deploys the application with some of the subscribers that are off otherwise, and waits until they are attached.
     *
     * @param subscribers of {@link Retrying#NAMES}
     * @param keysAndValues configuration: key, value, key, value …; of the first of the subscribers where a key has no dot
     */
    public TckApplication deployWith(List<String> subscribers, String... keysAndValues) {
        List<String> all = new ArrayList<>();
        subscribers.forEach(name -> all.addAll(List.of("consignee.subscriber." + name + ".enabled", "true")));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            String key = keysAndValues[i];
            all.add(key.contains(".") ? key : "consignee.subscriber." + subscribers.get(0) + "." + key);
            all.add(keysAndValues[i + 1]);
        }
        TckApplication application = deploy(all.toArray(String[]::new));
        subscribers.forEach(name ->
                await().until(() -> application.subscription(name).state().equals("ATTACHED")));
        return application;
    }

    /** Configuration that switches off what is off unless a test wants it. */
    public static Map<String, String> switchedOff() {
        Map<String, String> off = new LinkedHashMap<>();
        Retrying.NAMES.forEach(name -> off.put("consignee.subscriber." + name + ".enabled", "false"));
        return off;
    }

    /** Begins a wait for a condition, as long as this machine needs. */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(patient(USUAL_WAIT));
    }

    /** So long, on a machine like this one. */
    public static Duration patient(Duration duration) {
        return Duration.ofNanos((long) ((double) duration.toNanos() * PATIENCE));
    }
}

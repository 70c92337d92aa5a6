package dev.consignee.transport.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.Transport;
import dev.consignee.transport.Transport.Role;
import dev.consignee.transport.TransportException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.util.PropertyUtil;
import org.junit.jupiter.api.Test;

class QpidTransportTest {

    private static final URI URL = URI.create("amqp://host:5672");
    private static final BrokerSpec.Timeouts TIMEOUTS = new BrokerSpec.Timeouts(
            Optional.of(Duration.ofSeconds(1)),
            Optional.of(Duration.ofSeconds(2)),
            Optional.of(Duration.ofSeconds(3)),
            Optional.of(Duration.ofSeconds(4)),
            Optional.of(Duration.ofSeconds(5)));
    private static final BrokerSpec.Timeouts FOR_EVER = new BrokerSpec.Timeouts(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    private static BrokerSpec broker(
            List<String> mechanisms,
            Optional<String> containerId,
            BrokerSpec.Timeouts timeouts,
            Map<String, String> options) {
        return new BrokerSpec(
                "",
                List.of(URL),
                Optional.of(new BrokerSpec.Credentials("artemis", "s3cret")),
                mechanisms,
                containerId,
                "shop",
                Optional.empty(),
                timeouts,
                options);
    }

    private static BrokerSpec broker(Map<String, String> options) {
        return broker(List.of(), Optional.empty(), TIMEOUTS, options);
    }

    private static Map<String, String> options(BrokerSpec broker, URI url, Role role) throws Exception {
        return PropertyUtil.parseQuery(URI.create(QpidTransport.uri(broker, url, role)));
    }

    @Test
    void theServiceLoaderFindsItForAmqpAndAmqps() {
        assertThat(ServiceLoader.load(Transport.class)).anySatisfy(transport -> {
            assertThat(transport).isInstanceOf(QpidTransport.class);
            assertThat(transport.schemes()).containsExactlyInAnyOrder("amqp", "amqps");
        });
    }

    @Test
    void theTimeoutsAreQpidsOptionsInMilliseconds() throws Exception {
        assertThat(options(broker(Map.of()), URL, Role.RECEIVING))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "jms.connectTimeout", "1000",
                        "transport.connectTimeout", "1000",
                        "jms.requestTimeout", "2000",
                        "jms.sendTimeout", "3000",
                        "jms.closeTimeout", "4000",
                        "amqp.idleTimeout", "5000"));
    }

    @Test
    void aTimeoutThatIsOffIsWhatQpidTakesForEver() throws Exception {
        assertThat(options(broker(List.of(), Optional.empty(), FOR_EVER, Map.of()), URL, Role.RECEIVING))
                .containsEntry("jms.connectTimeout", "-1")
                .containsEntry("jms.requestTimeout", "-1")
                .containsEntry("jms.sendTimeout", "-1")
                .containsEntry("jms.closeTimeout", "-1")
                .containsEntry("transport.connectTimeout", "0")
                .containsEntry("amqp.idleTimeout", "0");
    }

    @Test
    void theQueryOfTheUrlOverridesOurOptionsAndQpidOptionsOverrideBoth() throws Exception {
        BrokerSpec broker = broker(Map.of("jms.closeTimeout", "44", "amqp.vhost", "north"));
        URI url = URI.create("amqp://host:5672?jms.sendTimeout=33&jms.closeTimeout=34&amqp.vhost=south");

        assertThat(options(broker, url, Role.RECEIVING))
                .containsEntry("jms.requestTimeout", "2000")
                .containsEntry("jms.sendTimeout", "33")
                .containsEntry("jms.closeTimeout", "44")
                .containsEntry("amqp.vhost", "north");
    }

    @Test
    void whatTheUrlSaysBesidesItsQueryIsKept() {
        assertThat(QpidTransport.uri(
                        broker(Map.of()), URI.create("amqps://host:5671/north?amqp.vhost=x"), Role.RECEIVING))
                .startsWith("amqps://host:5671/north?")
                .containsOnlyOnce("?");
    }

    @Test
    void valuesAreEncodedAndComeOutAsTheyWere() throws Exception {
        String nasty = "a b&c=d?e#f%20g+h/ü";

        assertThat(options(broker(Map.of("amqp.vhost", nasty)), URL, Role.RECEIVING))
                .containsEntry("amqp.vhost", nasty);
        URI url = URI.create("amqp://host:5672?amqp.vhost=a%26b%3Dc%20d");
        assertThat(options(broker(Map.of()), url, Role.RECEIVING)).containsEntry("amqp.vhost", "a&b=c d");
    }

    @Test
    void theContainerIdForPublishingHasASuffixSinceABrokerTakesEachIdOnce() throws Exception {
        BrokerSpec broker = broker(List.of(), Optional.of("shop-1"), TIMEOUTS, Map.of());

        assertThat(options(broker, URL, Role.RECEIVING)).containsEntry("jms.clientID", "shop-1");
        assertThat(options(broker, URL, Role.PUBLISHING)).containsEntry("jms.clientID", "shop-1-publisher");
    }

    @Test
    void theMechanismsAreOneOption() throws Exception {
        BrokerSpec broker = broker(List.of("SCRAM-SHA-256", "PLAIN"), Optional.empty(), TIMEOUTS, Map.of());

        assertThat(options(broker, URL, Role.RECEIVING)).containsEntry("amqp.saslMechanisms", "SCRAM-SHA-256,PLAIN");
    }

    @Test
    void noCredentialsAreInIt() {
        assertThat(QpidTransport.uri(broker(Map.of()), URL, Role.PUBLISHING)).doesNotContain("artemis", "s3cret");
    }

    @Test
    void qpidTakesEveryOptionOfOurs() {
        BrokerSpec broker = broker(List.of("PLAIN"), Optional.of("shop-1"), TIMEOUTS, Map.of());

        JmsConnectionFactory factory = new JmsConnectionFactory(QpidTransport.uri(broker, URL, Role.RECEIVING));

        assertThat(factory.getConnectTimeout()).isEqualTo(1_000);
        assertThat(factory.getRequestTimeout()).isEqualTo(2_000);
        assertThat(factory.getSendTimeout()).isEqualTo(3_000);
        assertThat(factory.getCloseTimeout()).isEqualTo(4_000);
        assertThat(factory.getClientID()).isEqualTo("shop-1");
    }

    @Test
    void anOptionThatQpidDoesNotHaveIsAFailureToConnectThatNamesItWithoutTheCredentials() {
        for (String unknown : List.of("jms.noSuchThing", "amqp.noSuchThing", "transport.noSuchThing")) {
            BrokerSpec broker = broker(Map.of(unknown, "1"));

            assertThatThrownBy(() -> new QpidTransport().connect(broker, URL, Role.RECEIVING))
                    .as(unknown)
                    .isInstanceOf(TransportException.class)
                    .hasMessageStartingWith("connecting to amqp://host:5672: ")
                    .hasMessageContaining("noSuchThing")
                    .hasMessageNotContainingAny("artemis", "s3cret");
        }
    }

    @Test
    void aQueryThatCannotBeReadIsAFailureToConnect() {
        URI url = URI.create("amqp://host:5672?noValue");

        assertThatThrownBy(() -> new QpidTransport().connect(broker(Map.of()), url, Role.RECEIVING))
                .isInstanceOf(TransportException.class)
                .hasMessageStartingWith("connecting to amqp://host:5672: ");
    }
}

package dev.consignee.transport.jms;

import dev.consignee.declaration.BrokerProfile;
import java.util.Locale;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;

/** What brokers call themselves in the properties of their open frame. The only place that knows. */
final class Products {

    private static final Symbol PRODUCT = Symbol.valueOf("product");

    private Products() {}

    /** The profile that goes with a broker's properties; Artemis's where they say nothing that is known. */
    static BrokerProfile profile(Map<Symbol, Object> properties) {
        String product = String.valueOf(properties.get(PRODUCT)).toLowerCase(Locale.ROOT);
        if (product.contains("artemis")) {
            return BrokerProfile.ARTEMIS;
        } else if (product.startsWith("activemq")) {
            return BrokerProfile.CLASSIC;
        } else if (product.contains("qpid")) {
            return BrokerProfile.BROKER_J;
        } else if (product.startsWith("rabbitmq")) {
            return BrokerProfile.RABBITMQ;
        }
        return BrokerProfile.ARTEMIS;
    }
}

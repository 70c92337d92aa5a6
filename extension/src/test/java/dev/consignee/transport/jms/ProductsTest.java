package dev.consignee.transport.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.declaration.BrokerProfile;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProductsTest {

    @ParameterizedTest
    @CsvSource({
        "apache-activemq-artemis, ARTEMIS",
        "ActiveMQ, CLASSIC",
        "Apache Qpid Broker-J Core, BROKER_J",
        "qpid, BROKER_J",
        "RabbitMQ, RABBITMQ",
        "something else, ARTEMIS",
        "'', ARTEMIS"
    })
    void aBrokerIsKnownByItsProduct(String product, BrokerProfile profile) {
        assertThat(Products.profile(Map.of(Symbol.valueOf("product"), product))).isEqualTo(profile);
    }

    @Test
    void aBrokerThatSaysNothingIsTakenForArtemis() {
        assertThat(Products.profile(Map.of())).isEqualTo(BrokerProfile.ARTEMIS);
        assertThat(Products.profile(Map.of(Symbol.valueOf("version"), "RabbitMQ")))
                .isEqualTo(BrokerProfile.ARTEMIS);
    }
}

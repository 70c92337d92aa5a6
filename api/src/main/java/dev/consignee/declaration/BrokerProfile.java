package dev.consignee.declaration;

/** A kind of broker, for what differs between them. Written in configuration, or found out from what a broker says. */
public enum BrokerProfile {
    /** Apache ActiveMQ Artemis, and whatever behaves like it. */
    ARTEMIS,
    /** Apache ActiveMQ Classic. */
    CLASSIC,
    /** Apache Qpid Broker-J, which delivers a rejected message again. */
    BROKER_J,
    /** RabbitMQ with its AMQP 1.0 plugin. */
    RABBITMQ,
    /** Azure Service Bus. */
    SERVICE_BUS
}

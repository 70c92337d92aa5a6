package dev.consignee.sample.demo;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import java.util.List;
import java.util.Optional;

/**
 * Asks an Artemis about itself, over AMQP: a request to {@code activemq.management}, and its reply. Closes with its
 * connection.
 */
final class Management {

    private static final long REPLY_MILLIS = 5_000;

    private final Jsonb jsonb = JsonbBuilder.create();
    private final Session session;
    private final MessageProducer requests;
    private final TemporaryQueue replyTo;
    private final MessageConsumer replies;

    private Management(Session session) throws JMSException {
        this.session = session;
        this.requests = session.createProducer(session.createQueue("activemq.management"));
        this.replyTo = session.createTemporaryQueue();
        this.replies = session.createConsumer(replyTo);
    }

    /** Opens it where the broker is an Artemis that answers; no other broker is sent a request. */
    static Optional<Management> of(BrokerConnection connection) throws JMSException {
        if (connection.product().filter(product -> product.contains("artemis")).isEmpty()) {
            return Optional.empty();
        }
        Session session = connection.session();
        try {
            Management management = new Management(session);
            if (management.attribute("broker", "Version").isPresent()) {
                return Optional.of(management);
            }
        } catch (JMSException refused) {
            // whoever may not manage the broker gets no numbers
        }
        session.close();
        return Optional.empty();
    }

    /** Returns an attribute of a resource; empty where the resource doesn't exist. */
    Optional<Object> attribute(String resource, String attribute) throws JMSException {
        Message request = session.createTextMessage("[]");
        request.setStringProperty("_AMQ_ResourceName", resource);
        request.setStringProperty("_AMQ_Attribute", attribute);
        return reply(request);
    }

    /** Returns what an operation of a resource returned; empty where the resource doesn't exist. */
    Optional<Object> invoke(String resource, String operation, Object... arguments) throws JMSException {
        Message request = session.createTextMessage(jsonb.toJson(arguments));
        request.setStringProperty("_AMQ_ResourceName", resource);
        request.setStringProperty("_AMQ_OperationName", operation);
        return reply(request);
    }

    /** Reads JSON that came as the text of a reply. */
    <T> T json(Object text, Class<T> type) {
        return jsonb.fromJson(text.toString(), type);
    }

    private Optional<Object> reply(Message request) throws JMSException {
        request.setJMSReplyTo(replyTo);
        requests.send(request);
        Message reply = replies.receive(REPLY_MILLIS);
        if (reply == null) {
            throw new JMSException("No reply from activemq.management within " + REPLY_MILLIS + " ms");
        }
        if (!reply.getBooleanProperty("_AMQ_OperationSucceeded")) {
            return Optional.empty();
        }
        List<?> result = jsonb.fromJson(((TextMessage) reply).getText(), List.class);
        return result.isEmpty() ? Optional.empty() : Optional.ofNullable(result.get(0));
    }
}

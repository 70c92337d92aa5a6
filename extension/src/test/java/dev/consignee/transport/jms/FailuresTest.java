package dev.consignee.transport.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.transport.TransportException;
import jakarta.jms.JMSException;
import java.io.IOException;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.junit.jupiter.api.Test;

class FailuresTest {

    @Test
    void theTextIsThatOfTheDeepestCauseThatHasOne() {
        Exception failure = new JMSException("outer");
        failure.initCause(new IOException("refused", new IllegalStateException(" ")));

        TransportException ours = Failures.of("connecting to amqp://host:5672", failure);

        assertThat(ours)
                .hasMessage("connecting to amqp://host:5672: refused")
                .hasCause(failure.getCause() == null ? null : failure);
    }

    @Test
    void aFailureWithoutAnyTextIsNamedByItsKind() {
        assertThat(Failures.of("sending", new IOException())).hasMessage("sending: IOException");
    }

    @Test
    void theConditionIsReadFromTheTextOfQpid() {
        Exception failure = new JMSException("the address is not there [condition = amqp:not-found]");

        assertThat(Failures.of("attaching", failure).condition()).contains("amqp:not-found");
    }

    @Test
    void theConditionOfAnOuterCauseIsKeptWhereADeeperOneHasNone() {
        Exception failure = new JMSException("gone [condition = amqp:resource-deleted]");
        failure.initCause(new IOException("socket closed"));

        assertThat(Failures.of("receiving", failure))
                .hasMessage("receiving: socket closed")
                .extracting(ours -> ours.condition().orElseThrow())
                .isEqualTo("amqp:resource-deleted");
    }

    @Test
    void aCircleOfCausesEnds() {
        Exception one = new Exception("one");
        Exception two = new Exception("two", one);
        one.initCause(two);

        assertThat(Failures.of("connecting", one)).hasMessageStartingWith("connecting: ");
    }

    @Test
    void anErrorConditionIsTheConditionAndItsDescription() {
        ErrorCondition refused =
                new ErrorCondition(Symbol.valueOf("amqp:resource-limit-exceeded"), "the address is full");

        TransportException ours = Failures.of("sending", refused, "otherwise");

        assertThat(ours).hasMessage("sending: amqp:resource-limit-exceeded (the address is full)");
        assertThat(ours.condition()).contains("amqp:resource-limit-exceeded");
    }

    @Test
    void anErrorConditionWithoutADescriptionIsTheConditionAlone() {
        assertThat(Failures.of("sending", new ErrorCondition(Symbol.valueOf("amqp:not-allowed"), " "), "otherwise"))
                .hasMessage("sending: amqp:not-allowed");
    }

    @Test
    void withoutAnErrorConditionItSaysWhatItIsTold() {
        for (ErrorCondition none : new ErrorCondition[] {null, new ErrorCondition()}) {
            TransportException ours = Failures.of("sending", none, "the broker rejected the message");

            assertThat(ours).hasMessage("sending: the broker rejected the message");
            assertThat(ours.condition()).isEmpty();
        }
    }

    @Test
    void theSameFailureForAnotherThreadHasItsTextItsConditionAndAStackOfItsOwn() {
        TransportException first = new TransportException("gone", "amqp:link:detach-forced", null);

        TransportException again = first.again();

        assertThat(again).hasMessage("gone").hasCause(first).isNotSameAs(first);
        assertThat(again.condition()).contains("amqp:link:detach-forced");
    }
}

package dev.consignee.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.consignee.transport.Address;
import dev.consignee.transport.Message;
import dev.consignee.transport.Transport;
import dev.consignee.transport.TransportException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SendersTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Message MESSAGE = Messages.text("hello");

    private final FakeTransport transport = new FakeTransport();
    private final Logs logs = new Logs();
    private final Connections connections =
            new Connections(transport, Specs.broker(""), Transport.Role.PUBLISHING, Specs.AT_ONCE);
    private final Senders senders = new Senders(connections);
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void end() {
        gate.countDown();
        connections.close();
        logs.close();
    }

    private static Address queue(String name) {
        return new Address(Address.Kind.QUEUE, name);
    }

    private CompletableFuture<Void> begin(String queue) throws Exception {
        return senders.send(queue(queue), false, MESSAGE, TIMEOUT);
    }

    private void send(String queue) throws Exception {
        try {
            begin(queue).get(10, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    @Test
    void oneSenderAnAddressIsReused() throws Exception {
        send("a");
        send("a");
        send("b");
        send("a");

        assertThat(transport.senders).extracting(each -> each.target.name()).containsExactly("a", "b");
        assertThat(transport.senders.get(0).sent).containsExactly(MESSAGE, MESSAGE, MESSAGE);
        assertThat(transport.senders.get(0).timeouts).containsOnly(TIMEOUT);
        assertThat(transport.connections)
                .singleElement()
                .extracting(each -> each.role)
                .isEqualTo(Transport.Role.PUBLISHING);
    }

    @Test
    void oneNameAsQueueTopicAndVerbatimIsThreeAddresses() throws Exception {
        for (Address.Kind kind : Address.Kind.values()) {
            senders.send(new Address(kind, "a"), false, MESSAGE, TIMEOUT);
        }

        assertThat(transport.senders).extracting(each -> each.target.kind()).containsExactly(Address.Kind.values());
    }

    @Test
    void aSenderThatTheBrokerDetachedIsClosedAndReplaced() throws Exception {
        send("a");
        transport.senders.get(0).detach();

        send("a");

        assertThat(transport.senders).hasSize(2);
        assertThat(transport.senders.get(0).closed())
                .as("its session is still open otherwise")
                .isTrue();
        assertThat(transport.senders.get(1).sent).hasSize(1);
    }

    @Test
    void aLostConnectionIsReplacedAndItsSendersWithIt() throws Exception {
        send("a");
        transport.connection(1).lose();

        send("a");

        assertThat(transport.senders).hasSize(2);
        assertThat(transport.senders.get(1).connection).isSameAs(transport.connection(2));
    }

    @Test
    void aRefusedSenderIsTriedAnewByTheNextMessage() throws Exception {
        transport.onSender = attempt -> {
            throw FakeTransport.refused("not there");
        };
        assertThatThrownBy(() -> send("a"))
                .isInstanceOf(TransportException.class)
                .hasMessage("not there");
        transport.onSender = attempt -> {};

        send("a");

        assertThat(transport.senders).hasSize(1);
    }

    @Test
    void aMessageThatIsRefusedCostsNoSender() throws Exception {
        send("a");
        transport.senders.get(0).onSend = message -> CompletableFuture.failedFuture(FakeTransport.refused("full"));

        assertThatThrownBy(() -> send("a")).hasMessage("full");
        transport.senders.get(0).onSend = message -> CompletableFuture.completedFuture(null);
        send("a");

        assertThat(transport.senders).hasSize(1);
    }

    @Test
    void beyondTheMostTheOneNotUsedForLongestIsClosed() throws Exception {
        for (int i = 0; i < Senders.MOST; i++) {
            send("q" + i);
        }
        send("q0");
        assertThat(transport.senders).noneMatch(FakeSender::closed).hasSize(Senders.MOST);

        send("one more");

        assertThat(transport.senders.stream().filter(FakeSender::closed).map(each -> each.target.name()))
                .containsExactly("q1");
        send("q1");
        assertThat(transport.senders.stream().filter(FakeSender::closed).map(each -> each.target.name()))
                .containsExactly("q1", "q2");
    }

    @Test
    void whoIsSendingIsNotClosed() throws Exception {
        send("busy");
        FakeSender busy = transport.senders.get(0);
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        busy.onSend = message -> outcome;
        begin("busy");

        for (int i = 0; i <= Senders.MOST; i++) {
            send("q" + i);
        }
        assertThat(busy.closed()).isFalse();

        outcome.complete(null);
        for (int i = 0; i <= Senders.MOST; i++) {
            send("r" + i);
        }
        assertThat(busy.closed()).as("given back, and idle for longest").isTrue();
    }

    @Test
    void whereAllAreSendingOneMoreMaySendToo() throws Exception {
        for (int i = 0; i < Senders.MOST; i++) {
            send("q" + i);
        }
        transport.senders.forEach(each -> each.onSend = message -> new CompletableFuture<>());
        for (int i = 0; i < Senders.MOST; i++) {
            begin("q" + i);
        }

        send("one more");

        assertThat(transport.senders).hasSize(Senders.MOST + 1).noneMatch(FakeSender::closed);
    }

    @Test
    void aMessageThatCannotEvenBeginGivesItsSenderBack() throws Exception {
        send("a");
        transport.senders.get(0).onSend = message -> {
            throw new IllegalArgumentException("no AMQP type");
        };
        assertThatThrownBy(() -> send("a")).hasMessage("no AMQP type");

        for (int i = 0; i < Senders.MOST; i++) {
            send("q" + i);
        }

        assertThat(transport.senders.get(0).closed()).isTrue();
    }

    @Test
    void aDelayThatIsNotOfferedIsRefusedAndGivesItsSenderBack() throws Exception {
        send("a");
        transport.senders.get(0).offersDelay = false;
        assertThatThrownBy(() -> senders.send(queue("a"), true, MESSAGE, TIMEOUT))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("delayed delivery");
        assertThat(transport.senders.get(0).sent).hasSize(1);

        for (int i = 0; i < Senders.MOST; i++) {
            send("q" + i);
        }

        assertThat(transport.senders.get(0).closed()).isTrue();
    }

    /** The transport's one thread both tells outcomes and hears of attaches: if it waited here, neither would end. */
    @Test
    void anOutcomeIsTakenWhileAnotherSenderAttaches() throws Exception {
        send("a");
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        transport.senders.get(0).onSend = message -> outcome;
        begin("a");
        CountDownLatch attaching = new CountDownLatch(1);
        transport.onSender = attempt -> {
            attaching.countDown();
            pass(gate);
        };
        FutureTask<Void> attach = new FutureTask<>(() -> begin("b").get(10, TimeUnit.SECONDS));
        new Thread(attach, "attaches").start();
        attaching.await();

        CompletableFuture<Void> told = CompletableFuture.runAsync(() -> outcome.complete(null));

        assertThat(told).succeedsWithin(Duration.ofSeconds(5));
        gate.countDown();
        attach.get(10, TimeUnit.SECONDS);
    }

    private static void pass(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.WireMessage;
import dev.consignee.transport.Address;
import dev.consignee.transport.BrokerSpec;
import dev.consignee.transport.Connection;
import dev.consignee.transport.Disposition;
import dev.consignee.transport.InboundDelivery;
import dev.consignee.transport.MalformedMessageException;
import dev.consignee.transport.Message;
import dev.consignee.transport.Receiver;
import dev.consignee.transport.ReceiverSpec;
import dev.consignee.transport.Sender;
import dev.consignee.transport.SettlementListener;
import dev.consignee.transport.Transport;
import dev.consignee.transport.TransportException;
import dev.consignee.transport.jms.QpidTransport;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Released;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Qpid JMS transport by itself, through its port: settlement, credit, and what is left when a link goes. */
class TransportWireTest {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration QUIET = Duration.ofMillis(300);
    private static final long LARGEST = 10_000_000;

    private EmbeddedArtemis broker;
    private FrameProxy proxy;
    private AmqpClient client;
    private final Settlements settlements = new Settlements();

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedArtemis.withDefaults();
        broker.createQueue("work");
        proxy = FrameProxy.to(broker.port());
        client = new AmqpClient(broker.url());
    }

    @AfterEach
    void stop() {
        client.close();
        proxy.close();
        broker.close();
    }

    private Connection connect() throws TransportException {
        return connect(proxy.url());
    }

    private static Connection connect(String url) throws TransportException {
        Optional<Duration> timeout = Optional.of(SOON);
        BrokerSpec spec = new BrokerSpec(
                "",
                List.of(URI.create(url)),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                "tck",
                Optional.empty(),
                new BrokerSpec.Timeouts(timeout, timeout, timeout, timeout, timeout),
                Map.of());
        return new QpidTransport().connect(spec, URI.create(url), Transport.Role.RECEIVING);
    }

    private Receiver receiver(Connection connection, int credit) throws TransportException {
        return connection.openReceiver(work(credit), settlements);
    }

    private static ReceiverSpec work(int credit) {
        return new ReceiverSpec(
                new Address(Address.Kind.QUEUE, "work"),
                Optional.empty(),
                false,
                false,
                Optional.empty(),
                credit,
                false,
                LARGEST);
    }

    private void send(int count) throws Exception {
        client.sendToQueue("work", count, i -> Outbound.text("message " + i));
    }

    private static InboundDelivery next(Receiver receiver) throws Exception {
        InboundDelivery delivery = receiver.receive(SOON);
        assertThat(delivery).as("a delivery").isNotNull();
        return delivery;
    }

    private static List<InboundDelivery> next(Receiver receiver, int count) throws Exception {
        List<InboundDelivery> deliveries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            deliveries.add(next(receiver));
        }
        return deliveries;
    }

    private static String text(InboundDelivery delivery) throws MalformedMessageException {
        return new String(((Message.Data) delivery.message().body()).bytes(), StandardCharsets.UTF_8);
    }

    // --- settling

    @Test
    @Asserts("settle-2")
    void settlementsOfOneMomentLeaveTogetherAndSettleEachDeliveryInOrder() throws Exception {
        send(201);
        AtomicBoolean together = new AtomicBoolean();
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 256)) {
            List<InboundDelivery> deliveries = next(receiver, 201);
            settlements.afterWritten(
                    1,
                    () -> deliveries // the event loop is busy while the others are settled
                            .subList(1, 201)
                            .forEach(each -> each.settle(Disposition.ACCEPTED)));
            settlements.afterWritten(
                    2,
                    () -> { // the event loop waits, so what arrives now had left before
                        await().until(() -> proxy.dispositionsOf("work").size() == 201);
                        together.set(true);
                    });
            deliveries.get(0).settle(Disposition.ACCEPTED);
            await().atMost(Duration.ofSeconds(20)).until(() -> settlements.written.size() == 201);
            await().until(() -> broker.queue("work").messagesAcknowledged() == 201);
        }
        assertThat(together)
                .as("all were written before the first of them was told")
                .isTrue();
        List<LinkEvent.Disposed> disposed = proxy.dispositions(Direction.CLIENT_TO_BROKER);
        assertThat(disposed).hasSize(201).allMatch(LinkEvent.Disposed::settled);
        assertThat(disposed)
                .extracting(LinkEvent.Disposed::deliveryId)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    @Asserts("settle-2")
    void mixedSettlementsOfOneMomentGiveEachDeliveryItsOwnDisposition() throws Exception {
        send(100);
        List<Class<? extends DeliveryState>> expected = new ArrayList<>();
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 100)) {
            List<InboundDelivery> deliveries = next(receiver, 100);
            for (int i = 0; i < 100; i++) {
                Disposition disposition = Disposition.values()[i % 4];
                expected.add(
                        switch (disposition) {
                            case ACCEPTED -> Accepted.class;
                            case MODIFIED_FAILED -> Modified.class;
                            case REJECTED -> Rejected.class;
                            case RELEASED -> Released.class;
                        });
                deliveries.get(i).settle(disposition);
            }
            await().until(() -> settlements.written.size() == 100);
            assertThat(settlements.written)
                    .extracting(Settlement::disposition)
                    .containsExactlyElementsOf(IntStream.range(0, 100)
                            .mapToObj(i -> Disposition.values()[i % 4])
                            .toList());
            await().until(() -> proxy.dispositionsOf("work").size() >= 100);
            assertThat(proxy.dispositionsOf("work").subList(0, 100))
                    .extracting(Object::getClass)
                    .isEqualTo(expected);
            await().until(() -> broker.deadLetters() == 25);
        }
    }

    @Test
    @Asserts("settle-2")
    void deliveryIsSettledOnce() throws Exception {
        send(1);
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 5)) {
            InboundDelivery delivery = next(receiver);
            delivery.settle(Disposition.REJECTED);
            assertThatThrownBy(() -> delivery.settle(Disposition.ACCEPTED))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("REJECTED")
                    .hasMessageContaining("ACCEPTED");
            await().until(() -> broker.deadLetters() == 1);
            assertThat(settlements.written).hasSize(1);
            assertThat(proxy.dispositionsOf("work")).hasSize(1);
        }
    }

    @Test
    @Asserts("settle-2")
    void deliveryThatManyThreadsSettleIsSettledOnce() throws Exception {
        send(200);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        AtomicLong refused = new AtomicLong();
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 10)) {
            for (int i = 0; i < 200; i++) {
                InboundDelivery delivery = next(receiver);
                for (int thread = 0; thread < 4; thread++) {
                    threads.execute(() -> {
                        try {
                            delivery.settle(Disposition.ACCEPTED);
                        } catch (IllegalStateException settledAlready) {
                            refused.incrementAndGet();
                        }
                    });
                }
            }
            await().until(() -> broker.queue("work").messagesAcknowledged() == 200);
            await().until(() -> refused.get() == 600);
            assertThat(settlements.written).hasSize(200);
            assertThat(proxy.dispositionsOf("work")).hasSize(200);
        } finally {
            threads.shutdownNow();
        }
    }

    // --- credit

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 256})
    @Asserts({"credit-1", "failure-5"})
    void brokerNeverHasMoreOutThanTheCreditWhateverTheDispositions(int credit) throws Exception {
        int messages = 20_000;
        proxy.recording(false);
        send(messages);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        int settled = 0;
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, credit)) {
            while (broker.queue("work").messageCount() > 0) {
                InboundDelivery delivery = receiver.receive(QUIET);
                if (delivery == null) {
                    continue;
                }
                Disposition disposition = switch (settled % 10) {
                    case 1 -> Disposition.REJECTED;
                    case 4 -> Disposition.MODIFIED_FAILED;
                    case 7 -> Disposition.RELEASED;
                    default -> Disposition.ACCEPTED;
                };
                settled++;
                if (settled % 3 == 0) {
                    threads.execute(() -> delivery.settle(disposition));
                } else {
                    delivery.settle(disposition);
                }
            }
            int total = settled;
            await().until(() -> settlements.written.size() == total);
            assertThat(proxy.maxUnsettled("work").unsettledAndCredit()).isEqualTo(credit);
            assertThat(settlements.lost).isEmpty();
            await().untilAsserted(() -> assertThat(broker.queue("work").messagesAcknowledged() + broker.deadLetters())
                    .as("each message accepted or rejected in the end")
                    .isGreaterThanOrEqualTo(messages));
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource(Disposition.class)
    @Asserts({"credit-3", "failure-5"})
    void dispositionLeavesBeforeTheFlowThatItsCreditPaysFor(Disposition disposition) throws Exception {
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 1)) {
            send(3);
            for (int i = 0; i < 3; i++) {
                next(receiver).settle(disposition);
            }
            await().until(() -> flows() >= 4);
            List<LinkEvent> said = proxy.events().stream()
                    .filter(each -> each.direction() == Direction.CLIENT_TO_BROKER && each.receivingFrom("work"))
                    .filter(each -> each instanceof LinkEvent.Flowed || each instanceof LinkEvent.Disposed)
                    .limit(7)
                    .toList();
            for (int i = 0; i < 7; i++) {
                assertThat(said.get(i))
                        .as("frame " + i)
                        .isInstanceOf(i % 2 == 0 ? LinkEvent.Flowed.class : LinkEvent.Disposed.class);
            }
        }
    }

    private long flows() {
        return proxy.events(LinkEvent.Flowed.class).stream()
                .filter(each -> each.direction() == Direction.CLIENT_TO_BROKER && each.receivingFrom("work"))
                .count();
    }

    @Test
    @Asserts("credit-3")
    void creditIsGrantedInSteps() throws Exception {
        send(2_000);
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 256)) {
            for (int i = 0; i < 2_000; i++) {
                next(receiver).settle(Disposition.ACCEPTED);
            }
            await().until(() -> broker.queue("work").messagesAcknowledged() == 2_000);
            assertThat(flows()).isBetween(8L, 40L);
        }
    }

    @Test
    @Asserts("credit-1")
    void whatIsNotSettledTakesItsCredit() throws Exception {
        send(50);
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 10)) {
            List<InboundDelivery> held = next(receiver, 10);
            assertThat(receiver.receive(QUIET)).isNull();
            assertThat(broker.maxUnsettled("work")).isEqualTo(10);
            held.get(9).settle(Disposition.ACCEPTED);
            held.get(3).settle(Disposition.ACCEPTED);
            held.get(5).settle(Disposition.ACCEPTED);
            next(receiver, 3);
            assertThat(receiver.receive(QUIET)).isNull();
        }
    }

    // --- links that are gone

    static List<Named<Consumer<TransportWireTest>>> ends() {
        return List.of(
                Named.of("the receiver is closed", test -> close(test.opened)),
                Named.of("the connection is closed", test -> close(test.openedOn)),
                Named.of("the connection is cut", test -> test.proxy.cut()),
                Named.of("the broker closes the connection", test -> test.broker.closeConnections()),
                Named.of("the broker detaches the link", test -> test.broker.deleteQueue("work")));
    }

    private Receiver opened;
    private Connection openedOn;

    private static void close(AutoCloseable what) {
        try {
            what.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("ends")
    @Asserts("settle-8")
    void settlementOnALinkThatIsGoneIsLostOnceAndNothingIsSent(Consumer<TransportWireTest> end) throws Exception {
        send(10);
        openedOn = connect();
        opened = receiver(openedOn, 5);
        List<InboundDelivery> held = next(opened, 3);
        end.accept(this);
        awaitLost(opened);

        held.get(0).settle(Disposition.ACCEPTED);
        held.get(1).settle(Disposition.REJECTED);
        held.get(2).settle(Disposition.RELEASED);

        await().until(() -> settlements.lost.size() == 3);
        assertThat(settlements.lost)
                .extracting(Settlement::disposition)
                .containsExactly(Disposition.ACCEPTED, Disposition.REJECTED, Disposition.RELEASED);
        assertThatThrownBy(() -> held.get(0).settle(Disposition.ACCEPTED)).isInstanceOf(IllegalStateException.class);
        opened.close();
        openedOn.close();
        assertThat(settlements.lost).hasSize(3);
        assertThat(settlements.written).isEmpty();
        assertThat(proxy.dispositionsOf("work")).as("of what was handed out").noneMatch(Accepted.class::isInstance);
        await().untilAsserted(() -> assertThat(broker.deadLetters()).isZero());
    }

    private static void awaitLost(Receiver receiver) {
        await().until(() -> {
            try {
                receiver.receive(Duration.ofMillis(10));
                return false;
            } catch (TransportException lost) {
                return true;
            }
        });
    }

    @Test
    @Asserts("settle-8")
    void settlementsThatRaceWithACutAreEachWrittenOrLost() throws Exception {
        for (int round = 0; round < 10; round++) {
            client.sendToQueue("work", 200, i -> Outbound.text("message"));
            settlements.written.clear();
            settlements.lost.clear();
            Connection connection = connect();
            List<InboundDelivery> held = next(receiver(connection, 200), 200);
            CountDownLatch half = new CountDownLatch(1);
            Thread settling = new Thread(() -> {
                for (int i = 0; i < 200; i++) {
                    held.get(i).settle(Disposition.ACCEPTED);
                    if (i == 100) {
                        half.countDown();
                    }
                }
            });
            settling.start();
            half.await();
            if (round % 2 == 0) {
                proxy.cut();
            } else {
                connection.close();
            }
            settling.join();
            await().until(() -> settlements.written.size() + settlements.lost.size() >= 200);
            assertThat(IntStream.range(0, 200).filter(i -> settlements.told(held.get(i)) != 1))
                    .as("told more or less than once")
                    .isEmpty();
            connection.close();
        }
    }

    @Test
    void settlementsBeforeACloseLeaveFirst() throws Exception {
        send(100);
        try (Connection connection = connect()) {
            Receiver receiver = receiver(connection, 100);
            next(receiver, 100).forEach(each -> each.settle(Disposition.ACCEPTED));
            receiver.close();
            assertThat(settlements.written).hasSize(100);
            await().until(() -> broker.queue("work").messagesAcknowledged() == 100);
        }
    }

    @Test
    void receiveOfALostLinkThrowsAtOnceAlsoWhileItWaitsAndWhatWasHandedOverIsTheBrokers() throws Exception {
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 10)) {
            FutureTask<TransportException> waiting = new FutureTask<>(() ->
                    catchThrowableOfType(TransportException.class, () -> receiver.receive(Duration.ofMinutes(5))));
            Thread thread = new Thread(waiting, "waiting");
            thread.start();
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            proxy.cut();
            assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            long before = System.nanoTime();
            assertThatThrownBy(() -> receiver.receive(Duration.ofMinutes(5))).isInstanceOf(TransportException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
            assertThat(connection.isOpen()).isFalse();
            assertThatThrownBy(() -> connection.openReceiver(work(1), settlements))
                    .isInstanceOf(TransportException.class);
        }
    }

    @Test
    void prefetchedDeliveriesOfALostLinkAreNotHandedOut() throws Exception {
        send(10);
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 10)) {
            await().until(() -> proxy.events(LinkEvent.Transferred.class).size() == 10);
            next(receiver);
            proxy.cut();
            await().until(() -> !connection.isOpen());
            assertThatThrownBy(() -> receiver.receive(SOON)).isInstanceOf(TransportException.class);
            await().until(() -> broker.queue("work").deliveringCount() == 0);
            await().untilAsserted(() ->
                    assertThat(broker.queue("work").messageCount()).isEqualTo(10));
        }
    }

    @Test
    @Asserts("life-3")
    void linkThatTheBrokerDetachesIsLostWithItsConditionAndTheConnectionLives() throws Exception {
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 10)) {
            broker.deleteQueue("work");
            TransportException lost = catchThrowableOfType(TransportException.class, () -> receiver.receive(SOON));
            assertThat(lost.condition()).contains("amqp:resource-deleted");
            assertThat(connection.isOpen()).isTrue();
            try (Receiver again = receiver(connection, 10)) {
                send(1);
                next(again).settle(Disposition.ACCEPTED);
                await().until(() -> broker.queue("work").messagesAcknowledged() == 1);
            }
        }
    }

    @Test
    @Asserts("life-4")
    void abandonedReceiverSettlesNothing() throws Exception {
        send(2);
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 10)) {
            List<InboundDelivery> held = next(receiver, 2);
            receiver.abandon();
            held.forEach(each -> each.settle(Disposition.ACCEPTED));
            await().until(() -> settlements.lost.size() == 2);
            assertThat(settlements.written).isEmpty();
        }
        assertThat(proxy.dispositionsOf("work")).noneMatch(Accepted.class::isInstance);
        await().until(() -> broker.queue("work").deliveringCount() == 0);
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").messageCount()).isEqualTo(2));
    }

    // --- withdrawing

    @Test
    @Asserts("life-4")
    void withdrawnCreditReleasesWhatWasNotReceivedWithItsCountUnchanged() throws Exception {
        send(10);
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 8)) {
            await().until(() -> proxy.events(LinkEvent.Transferred.class).size() == 8);
            List<InboundDelivery> held = next(receiver, 2);
            receiver.withdrawCredit();
            assertThat(receiver.awaitWithdrawn(SOON)).isTrue();
            assertThat(receiver.receive(QUIET)).isNull();
            await().until(() -> proxy.dispositionsOf("work").size() == 6);
            assertThat(proxy.dispositionsOf("work")).allMatch(Released.class::isInstance);
            assertThat(settlements.written).as("nobody settled them").isEmpty();

            held.get(0).settle(Disposition.ACCEPTED);
            held.get(1).settle(Disposition.ACCEPTED);
            await().until(() -> settlements.written.size() == 2);
            send(5);
            assertThat(receiver.receive(QUIET)).as("no credit, no delivery").isNull();
            await().until(() -> broker.queue("work").deliveringCount() == 0);
            await().untilAsserted(() -> assertThat(broker.messages("work"))
                    .hasSize(13)
                    .extracting(WireMessage::deliveryCount)
                    .containsOnly(0));
        }
    }

    @Test
    @Asserts("life-4")
    void withdrawingWakesWhoeverWaitsAndIsConfirmedWhereNothingIsUnderWay() throws Exception {
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 8)) {
            FutureTask<InboundDelivery> waiting = new FutureTask<>(() -> receiver.receive(Duration.ofMinutes(5)));
            Thread thread = new Thread(waiting, "waiting");
            thread.start();
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            receiver.withdrawCredit();
            assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS)).isNull();
            assertThat(receiver.awaitWithdrawn(SOON)).isTrue();
            receiver.withdrawCredit();
            assertThat(receiver.awaitWithdrawn(SOON)).isTrue();
            assertThat(receiver.receive(QUIET)).isNull();
        }
    }

    @Test
    @Asserts("life-4")
    void withdrawingUnderLoadHandsOutNothingMoreAndReleasesTheRest() throws Exception {
        send(5_000);
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 256)) {
            for (int i = 0; i < 1_000; i++) {
                next(receiver).settle(Disposition.ACCEPTED);
            }
            receiver.withdrawCredit();
            assertThat(receiver.awaitWithdrawn(SOON)).isTrue();
            assertThat(receiver.receive(QUIET)).isNull();
            await().until(() -> broker.queue("work").deliveringCount() == 0);
            await().untilAsserted(() ->
                    assertThat(broker.queue("work").messagesAcknowledged()).isEqualTo(1_000));
            await().untilAsserted(() -> assertThat(broker.messages("work"))
                    .hasSize(4_000)
                    .extracting(WireMessage::deliveryCount)
                    .containsOnly(0));
        }
    }

    // --- messages

    @Test
    void messageOfManyFramesArrivesWhole() throws Exception {
        byte[] large = new byte[5_000_000];
        Arrays.fill(large, (byte) 'x');
        large[0] = 'a';
        large[4_999_999] = 'z';
        client.sendToQueue("work", Outbound.data(large), Outbound.text("next"));
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 1)) {
            InboundDelivery delivery = next(receiver);
            assertThat(((Message.Data) delivery.message().body()).bytes()).isEqualTo(large);
            delivery.settle(Disposition.ACCEPTED);
            assertThat(text(next(receiver))).isEqualTo("next");
        }
        assertThat(proxy.frames(frame ->
                        frame.is(Direction.BROKER_TO_CLIENT, org.apache.qpid.proton.amqp.transport.Transfer.class)))
                .as("frames of the first, and one of the next")
                .hasSizeGreaterThan(10);
    }

    @Test
    @Asserts("failure-5")
    void messageThatIsTooLargeSaysSoAndReturnsItsCredit() throws Exception {
        client.sendToQueue("work", Outbound.data(new byte[(int) LARGEST]), Outbound.text("good"));
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 1)) {
            InboundDelivery delivery = next(receiver);
            assertThatThrownBy(delivery::message).isInstanceOf(MalformedMessageException.class);
            delivery.settle(Disposition.REJECTED);
            assertThat(text(next(receiver))).isEqualTo("good");
            await().until(() -> broker.deadLetters() == 1);
        }
    }

    /** What Artemis takes in: it reads what comes before the body itself. */
    static List<Named<byte[]>> malformed() {
        return List.of(
                malformed("a data section that ends too early", 0, 0x53, 0x75, 0xA0, 0x7F, 'x'),
                malformed("a data section that is a string", 0, 0x53, 0x75, 0xA1, 0x01, 'x'),
                malformed("a section that AMQP does not have", 0, 0x53, 0x7F, 0xA0, 0x01, 'x'),
                malformed("a value that is no section", 0xA1, 0x01, 'x'),
                malformed("no constructor of AMQP", 0, 0x53, 0x75, 0xFF, 0x01, 0x02),
                malformed("two gigabytes that are not there", 0, 0x53, 0x75, 0xB0, 0x7F, 0xFF, 0xFF, 0xFF, 'x'),
                malformed("two milliards of elements", 0, 0x53, 0x77, 0xD0, 0, 0, 0, 5, 0x7F, 0xFF, 0xFF, 0xFF, 0x40),
                malformed("two milliards of entries", 0, 0x53, 0x77, 0xD1, 0, 0, 0, 5, 0x7F, 0xFF, 0xFF, 0xFE, 0x40),
                malformed("an array of them", 0, 0x53, 0x77, 0xF0, 0, 0, 0, 5, 0x7F, 0xFF, 0xFF, 0xFF, 0x40),
                Named.of("lists in lists in lists", nested(100_000)));
    }

    private static Named<byte[]> malformed(String name, int... bytes) {
        byte[] message = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            message[i] = (byte) bytes[i];
        }
        return Named.of(name, message);
    }

    private static byte[] nested(int depth) {
        ByteBuffer message = ByteBuffer.allocate(3 + 9 * depth + 1).put(new byte[] {0x00, 0x53, 0x77});
        while (message.remaining() > 1) {
            message.put((byte) 0xD0).putInt(message.remaining() - 4).putInt(1);
        }
        return message.put((byte) 0x45).array();
    }

    @ParameterizedTest
    @MethodSource("malformed")
    @Asserts("failure-5")
    void malformedMessageSaysSoAndReturnsItsCredit(byte[] bytes) throws Exception {
        client.sendToQueue("work", Outbound.encoded(bytes), Outbound.text("good"));
        try (Connection connection = connect();
                Receiver receiver = receiver(connection, 1)) {
            InboundDelivery delivery = next(receiver);
            assertThatThrownBy(delivery::message).isInstanceOf(MalformedMessageException.class);
            assertThatThrownBy(delivery::message)
                    .as("each time it is asked for")
                    .isInstanceOf(MalformedMessageException.class);
            delivery.settle(Disposition.REJECTED);
            InboundDelivery good = next(receiver);
            assertThat(text(good)).isEqualTo("good");
            good.settle(Disposition.ACCEPTED);
            await().until(() -> broker.queue("work").messageCount() == 0);
        }
    }

    // --- sending

    @Test
    void senderIsLostWithItsConnectionAndSaysSo() throws Exception {
        Message message = new Message(
                Message.Header.NONE, Map.of(), Message.Properties.NONE, Map.of(), new Message.Data(List.of(new byte[] {
                    'o', 'k'
                })));
        try (Connection connection = connect();
                Sender sender = connection.openSender(new Address(Address.Kind.QUEUE, "out"))) {
            sender.send(message, SOON).get(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(sender.isOpen()).isTrue();
            proxy.cut();
            await().until(() -> !sender.isOpen());
            assertThat(sender.send(message, SOON))
                    .failsWithin(SOON)
                    .withThrowableThat()
                    .withCauseInstanceOf(TransportException.class);
            assertThatThrownBy(() -> connection.openSender(new Address(Address.Kind.QUEUE, "out")))
                    .isInstanceOf(TransportException.class);
        }
        await().untilAsserted(
                        () -> assertThat(broker.queue("out").messagesAdded()).isEqualTo(1));
    }

    // --- threads

    @Test
    void connectionsLeaveNoThreadBehind() throws Exception {
        send(300);
        try (Connection warm = connect()) {
            assertThat(warm.isOpen()).isTrue();
        }
        for (int i = 0; i < 100; i++) {
            Connection connection = connect();
            Receiver receiver = receiver(connection, 2);
            Sender sender = connection.openSender(new Address(Address.Kind.QUEUE, "out"));
            next(receiver).settle(Disposition.ACCEPTED);
            assertThat(sender.isOpen()).isTrue();
            if (i % 10 == 9) {
                proxy.cut();
            } else if (i % 10 == 5) {
                receiver.close();
                sender.close();
            }
            connection.close();
        }
        broker.stop();
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> connect(broker.url())).isInstanceOf(TransportException.class);
        }
        client.close(); // has threads of Qpid JMS itself
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("AmqpProvider") || name.startsWith("QpidJMS")));
    }

    // --- the listener

    /** One settlement as it was told. */
    private record Settlement(InboundDelivery delivery, Disposition disposition) {}

    /** Remembers what became of settlements. */
    private static final class Settlements implements SettlementListener {

        private final List<Settlement> written = Collections.synchronizedList(new ArrayList<>());
        private final List<Settlement> lost = Collections.synchronizedList(new ArrayList<>());
        private final Map<Integer, Runnable> after = new ConcurrentHashMap<>();

        /** Does something on the event loop when so many settlements have been written. */
        void afterWritten(int count, Runnable what) {
            after.put(count, what);
        }

        long told(InboundDelivery delivery) {
            return Stream.concat(List.copyOf(written).stream(), List.copyOf(lost).stream())
                    .filter(each -> each.delivery() == delivery)
                    .count();
        }

        @Override
        public void written(InboundDelivery delivery, Disposition disposition) {
            written.add(new Settlement(delivery, disposition));
            after.getOrDefault(written.size(), () -> {}).run();
        }

        @Override
        public void lost(InboundDelivery delivery, Disposition disposition) {
            lost.add(new Settlement(delivery, disposition));
        }
    }
}

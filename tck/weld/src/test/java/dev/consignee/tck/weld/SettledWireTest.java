package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import dev.consignee.transport.Message;
import dev.consignee.transport.Receiver;
import dev.consignee.transport.ReceiverSpec;
import dev.consignee.transport.SettlementListener;
import dev.consignee.transport.Transport;
import dev.consignee.transport.TransportException;
import dev.consignee.transport.jms.QpidTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Released;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.Role;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.engine.Collector;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Event;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Sender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receivers to which the broker settles on hand-over, and receivers that are held back: what goes over the wire. */
class SettledWireTest {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration QUIET = Duration.ofMillis(300);

    private EmbeddedArtemis broker;
    private FrameProxy proxy;
    private AmqpClient client;
    private final Told told = new Told();

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
        return connect(proxy.url(), Map.of());
    }

    private static Connection connect(String url, Map<String, String> options) throws TransportException {
        Optional<Duration> timeout = Optional.of(SOON);
        BrokerSpec spec = new BrokerSpec(
                "",
                List.of(URI.create(url)),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                "tck",
                Optional.empty(),
                new BrokerSpec.Timeouts(timeout, timeout, timeout, timeout, Optional.empty()),
                options);
        return new QpidTransport().connect(spec, URI.create(url), Transport.Role.RECEIVING);
    }

    private static ReceiverSpec work(int credit, boolean settled) {
        return new ReceiverSpec(
                new Address(Address.Kind.QUEUE, "work"),
                Optional.empty(),
                false,
                false,
                Optional.empty(),
                credit,
                settled,
                1_000_000);
    }

    private Receiver settled(Connection connection, int credit) throws TransportException {
        return connection.openReceiver(work(credit, true), told);
    }

    private Receiver unsettled(Connection connection, int credit) throws TransportException {
        return connection.openReceiver(work(credit, false), told);
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

    private static String text(InboundDelivery delivery) throws Exception {
        return new String(((Message.Data) delivery.message().body()).bytes(), StandardCharsets.UTF_8);
    }

    private List<LinkEvent.Transferred> transferred() {
        return proxy.events(LinkEvent.Transferred.class).stream()
                .filter(each -> each.receivingFrom("work"))
                .toList();
    }

    private List<LinkEvent.Flowed> flowed() {
        return proxy.events(LinkEvent.Flowed.class).stream()
                .filter(each -> each.direction() == Direction.CLIENT_TO_BROKER && each.receivingFrom("work"))
                .toList();
    }

    /** Waits until so many deliveries have not only passed the proxy but reached the client's event loop. */
    private void awaitArrived(Connection connection, int count) throws Exception {
        await().until(() -> transferred().size() == count);
        connection.openSender(new Address(Address.Kind.QUEUE, "other")).close(); // its frames come after those
    }

    // --- on the wire

    @Test
    @Asserts({"once-1", "once-5"})
    void deliveriesArriveSettledAndNothingIsSaidOfThem() throws Exception {
        send(20);
        try (Connection connection = connect();
                Receiver receiver = settled(connection, 5)) {
            for (int i = 0; i < 20; i++) {
                InboundDelivery delivery = next(receiver);
                assertThat(text(delivery)).isEqualTo("message " + i);
                assertThat(delivery.arrivedSettled()).isTrue();
                assertThat(delivery.original()).isPresent();
                delivery.end();
            }
            await().untilAsserted(() ->
                    assertThat(broker.queue("work").messagesAcknowledged()).isEqualTo(20));
        }
        assertThat(proxy.frames().stream()
                        .map(frame -> frame.performative())
                        .filter(Attach.class::isInstance)
                        .map(Attach.class::cast))
                .as("the client's attach and the broker's answer")
                .hasSize(2)
                .allMatch(attach -> attach.getSndSettleMode() == SenderSettleMode.SETTLED);
        assertThat(transferred()).hasSize(20).allMatch(LinkEvent.Transferred::settled);
        assertThat(proxy.dispositionsOf("work")).isEmpty();
        assertThat(told.nothing()).isTrue();
    }

    @Test
    @Asserts("settle-1")
    void atLeastOnceTheClientAsksForUnsettledDeliveriesAsBefore() throws Exception {
        send(1);
        try (Connection connection = connect();
                Receiver receiver = unsettled(connection, 5)) {
            InboundDelivery delivery = next(receiver);
            assertThat(delivery.arrivedSettled()).isFalse();
            assertThatThrownBy(delivery::end).isInstanceOf(IllegalStateException.class);
            delivery.settle(Disposition.ACCEPTED);
            await().until(() -> told.written.size() == 1);
        }
        assertThat(proxy.frames().stream()
                        .map(frame -> frame.performative())
                        .filter(Attach.class::isInstance)
                        .map(Attach.class::cast)
                        .filter(attach -> attach.getRole() == Role.RECEIVER))
                .noneMatch(attach -> attach.getSndSettleMode() == SenderSettleMode.SETTLED);
        assertThat(transferred()).noneMatch(LinkEvent.Transferred::settled);
    }

    @Test
    void aDeliveryThatArrivedSettledIsEndedOnceAndNeverSettled() throws Exception {
        send(1);
        try (Connection connection = connect();
                Receiver receiver = settled(connection, 5)) {
            InboundDelivery delivery = next(receiver);
            assertThatThrownBy(() -> delivery.settle(Disposition.ACCEPTED)).isInstanceOf(IllegalStateException.class);
            delivery.end();
            assertThatThrownBy(delivery::end).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> delivery.settle(Disposition.REJECTED)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(proxy.dispositionsOf("work")).isEmpty();
        assertThat(told.nothing()).isTrue();
    }

    @Test
    void aMessageThatIsTooLargeOrNoneSaysSoAndReturnsItsCredit() throws Exception {
        client.sendToQueue(
                "work",
                Outbound.data(new byte[1_000_000]),
                Outbound.encoded(new byte[] {0x00, 0x53, 0x75, (byte) 0xa0, 0x7f, 'x'}),
                Outbound.text("good"));
        try (Connection connection = connect();
                Receiver receiver = settled(connection, 1)) {
            InboundDelivery tooLarge = next(receiver);
            assertThatThrownBy(tooLarge::message).hasMessageContaining("max-message-size");
            assertThat(tooLarge.original()).isEmpty();
            tooLarge.end();
            InboundDelivery garbage = next(receiver);
            assertThatThrownBy(garbage::message).hasMessageContaining("cannot be decoded");
            assertThat(garbage.original()).isPresent();
            garbage.end();
            assertThat(text(next(receiver))).isEqualTo("good");
        }
    }

    // --- credit

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10})
    @Asserts("credit-1")
    void whatHasNotEndedTakesItsCredit(int credit) throws Exception {
        send(50);
        try (Connection connection = connect();
                Receiver receiver = settled(connection, credit)) {
            List<InboundDelivery> held = next(receiver, credit);
            assertThat(receiver.receive(QUIET)).isNull();
            assertThat(transferred()).hasSize(credit);
            int some = Math.max(1, (int) (credit * 0.3));
            held.subList(0, some).forEach(InboundDelivery::end);
            next(receiver, some);
            assertThat(receiver.receive(QUIET)).isNull();
            assertThat(transferred()).hasSize(credit + some);
        }
    }

    @Test
    @Asserts("credit-1")
    void theBrokerNeverHandsOverMoreThanTheCreditAheadOfWhatHasEnded() throws Exception {
        int credit = 16;
        int messages = 3_000;
        send(messages);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        AtomicInteger ended = new AtomicInteger();
        try (Connection connection = connect();
                Receiver receiver = settled(connection, credit)) {
            for (int i = 0; i < messages; i++) {
                InboundDelivery delivery = next(receiver);
                threads.execute(() -> {
                    ended.incrementAndGet();
                    delivery.end();
                });
                if (i % 100 == 0) {
                    int handedOver = transferred().size(); // first, since both only grow
                    assertThat(handedOver).isLessThanOrEqualTo(credit + ended.get());
                }
            }
            assertThat(flowed()).as("in steps").hasSizeBetween(messages / credit, messages / 4);
        } finally {
            threads.shutdownNow();
        }
    }

    // --- links that are gone

    private Receiver opened;
    private Connection openedOn;

    static List<Named<Consumer<SettledWireTest>>> ends() {
        return List.of(
                Named.of("the receiver is closed", test -> close(test.opened)),
                Named.of("the connection is closed", test -> close(test.openedOn)),
                Named.of("the connection is cut", test -> test.proxy.cut()),
                Named.of("the broker closes the connection", test -> test.broker.closeConnections()),
                Named.of("the broker detaches the link", test -> test.broker.deleteQueue("work")));
    }

    private static void close(AutoCloseable what) {
        try {
            what.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("ends")
    @Asserts("once-6")
    void whatArrivedSettledIsHandedOutThoughTheLinkIsGone(Consumer<SettledWireTest> end) throws Exception {
        send(10);
        openedOn = connect();
        opened = settled(openedOn, 8);
        awaitArrived(openedOn, 8);
        InboundDelivery held = next(opened);
        end.accept(this);

        for (int i = 1; i < 8; i++) {
            InboundDelivery delivery = next(opened);
            assertThat(text(delivery)).isEqualTo("message " + i);
            delivery.end();
        }
        held.end();
        await().untilAsserted(() ->
                assertThatThrownBy(() -> opened.receive(Duration.ZERO)).isInstanceOf(TransportException.class));
        long before = System.nanoTime();
        assertThatThrownBy(() -> opened.receive(Duration.ofMinutes(5))).isInstanceOf(TransportException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
        opened.close();
        openedOn.close();
        assertThat(proxy.dispositionsOf("work")).isEmpty();
        assertThat(told.nothing()).isTrue();
    }

    @Test
    @Asserts("once-6")
    void whatArrivedBeforeACloseIsStillThereAfterIt() throws Exception {
        send(20);
        try (Connection connection = connect()) {
            Receiver receiver = settled(connection, 8);
            awaitArrived(connection, 8);
            receiver.close();
            assertThat(connection.isOpen()).isTrue();
            assertThat(next(receiver, 8)).allMatch(InboundDelivery::arrivedSettled);
            assertThatThrownBy(() -> receiver.receive(SOON)).isInstanceOf(TransportException.class);
        }
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").messageCount()).isEqualTo(12));
    }

    // --- withdrawing

    @Test
    @Asserts({"once-6", "life-4"})
    void withdrawnCreditLeavesWhatArrivedSettledToBeReceivedAndReleasesNothing() throws Exception {
        send(20);
        try (Connection connection = connect();
                Receiver receiver = settled(connection, 8)) {
            awaitArrived(connection, 8);
            next(receiver);
            receiver.withdrawCredit();
            assertThat(receiver.awaitWithdrawn(SOON)).isTrue();
            next(receiver, 7).forEach(InboundDelivery::end);
            long before = System.nanoTime();
            assertThat(receiver.receive(Duration.ofMinutes(5))).isNull();
            assertThat(receiver.receive(Duration.ofMinutes(5))).isNull();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
            assertThat(transferred()).as("no credit, no delivery").hasSize(8);
        }
        assertThat(proxy.dispositionsOf("work")).isEmpty();
        assertThat(told.nothing()).isTrue();
        await().untilAsserted(() -> assertThat(broker.messages("work"))
                .hasSize(12)
                .extracting(WireMessage::deliveryCount)
                .containsOnly(0));
    }

    @Test
    @Asserts("once-6")
    void withdrawingUnderLoadLosesNothingThatWasHandedOver() throws Exception {
        send(5_000);
        int received = 0;
        try (Connection connection = connect();
                Receiver receiver = settled(connection, 256)) {
            for (; received < 1_000; received++) {
                next(receiver).end();
            }
            receiver.withdrawCredit();
            assertThat(receiver.awaitWithdrawn(SOON)).isTrue();
            for (InboundDelivery rest = receiver.receive(SOON); rest != null; rest = receiver.receive(SOON)) {
                rest.end();
                received++;
            }
        }
        int handedOver = received;
        assertThat(transferred()).hasSize(handedOver);
        await().untilAsserted(
                        () -> assertThat(broker.queue("work").messageCount()).isEqualTo(5_000 - handedOver));
    }

    @Test
    void withdrawingWakesWhoeverWaits() throws Exception {
        try (Connection connection = connect();
                Receiver receiver = settled(connection, 8)) {
            FutureTask<InboundDelivery> waiting = new FutureTask<>(() -> receiver.receive(Duration.ofMinutes(5)));
            Thread thread = new Thread(waiting, "waiting");
            thread.start();
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            receiver.withdrawCredit();
            assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS)).isNull();
        }
    }

    @Test
    @Asserts("once-6")
    void whatIsOnItsWayInPartsIsWaitedForBeforeTheCreditCountsAsWithdrawn() throws Exception {
        try (Peer peer = new Peer(SenderSettleMode.SETTLED, true)) {
            peer.inHalves = true;
            try (Connection connection = connect(peer.url(), Map.of("amqp.saslLayer", "false"));
                    Receiver receiver = settled(connection, 1)) {
                connection.openSender(new Address(Address.Kind.QUEUE, "other")).close(); // the first half has come
                receiver.withdrawCredit();
                assertThat(receiver.awaitWithdrawn(QUIET)).isFalse();
                connection
                        .openSender(new Address(Address.Kind.QUEUE, Peer.FINISH))
                        .close();
                assertThat(receiver.awaitWithdrawn(SOON)).isTrue();
                assertThat(text(next(receiver))).isEqualTo("message 0");
                assertThat(receiver.receive(SOON)).isNull();
            }
        }
    }

    // --- holding back

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Asserts("delay-8")
    void aReceiverWithoutRoomGrantsNothingUntilThereIsSome(boolean settled) throws Exception {
        send(20);
        try (Connection connection = connect();
                Receiver receiver = settled ? settled(connection, 4) : unsettled(connection, 4)) {
            told.room = false;
            for (InboundDelivery granted : next(receiver, 4)) {
                done(granted);
            }
            assertThat(receiver.receive(QUIET))
                    .as("what was granted is used up")
                    .isNull();
            assertThat(flowed()).hasSize(1);
            assertThat(transferred()).hasSize(4);

            told.room = true;
            receiver.grant();
            next(receiver, 4).forEach(SettledWireTest::done);
            assertThat(flowed().get(1).credit()).as("all that was due").isEqualTo(4);
            for (int i = 0; i < 12; i++) {
                done(next(receiver));
            }
        }
    }

    private static void done(InboundDelivery delivery) {
        if (delivery.arrivedSettled()) {
            delivery.end();
        } else {
            delivery.settle(Disposition.ACCEPTED);
        }
    }

    @Test
    @Asserts("delay-8")
    void whereNothingIsDueNothingIsGranted() throws Exception {
        try (Connection connection = connect();
                Receiver receiver = unsettled(connection, 4)) {
            await().until(() -> flowed().size() == 1);
            receiver.grant();
            receiver.grant();
            send(1);
            done(next(receiver));
            await().until(() -> told.written.size() == 1);
            assertThat(flowed()).as("three of four are still granted").hasSize(1);
        }
    }

    @Test
    void whatIsHeldBackCanBeWithdrawnAndAReceiverThatIsGoneGrantsNothing() throws Exception {
        send(2);
        try (Connection connection = connect()) {
            Receiver receiver = unsettled(connection, 4);
            awaitArrived(connection, 2);
            told.room = false;
            receiver.withdrawCredit();
            assertThat(receiver.awaitWithdrawn(SOON)).isTrue();
            told.room = true;
            receiver.grant();
            assertThat(receiver.receive(QUIET)).isNull();
            await().until(() -> proxy.dispositionsOf("work").size() == 2);
            assertThat(proxy.dispositionsOf("work")).allMatch(Released.class::isInstance);
            proxy.cut();
            await().until(() -> !connection.isOpen());
            receiver.grant();
            receiver.close();
            receiver.grant();
        }
    }

    // --- brokers that do not do as they are asked

    @Test
    @Asserts("once-1")
    void unsettledDeliveriesOnASettledLinkAreAcceptedOnArrivalAndCountAsSettled() throws Exception {
        try (Peer peer = new Peer(SenderSettleMode.UNSETTLED, false, true, false);
                Connection connection = connect(peer.url(), Map.of("amqp.saslLayer", "false"));
                Receiver receiver = settled(connection, 3)) {
            await().until(() -> peer.dispositions.size() == 2); // nobody has received anything
            assertThat(peer.dispositions).hasOnlyElementsOfType(Accepted.class);
            for (int i = 0; i < 3; i++) {
                InboundDelivery delivery = next(receiver);
                assertThat(text(delivery)).isEqualTo("message " + i);
                assertThat(delivery.arrivedSettled()).isTrue();
                delivery.end();
            }
            await().until(() -> peer.credit >= 2);
        }
        assertThat(told.nothing()).isTrue();
    }

    @Test
    void settledDeliveriesOnAnUnsettledLinkAreTheProcesssAlone() throws Exception {
        try (Peer peer = new Peer(SenderSettleMode.MIXED, true, false, true);
                Connection connection = connect(peer.url(), Map.of("amqp.saslLayer", "false"))) {
            Receiver receiver = unsettled(connection, 3);
            InboundDelivery first = next(receiver);
            assertThat(first.arrivedSettled()).isTrue();
            first.end();
            InboundDelivery second = next(receiver);
            assertThat(second.arrivedSettled()).isFalse();
            second.settle(Disposition.ACCEPTED);
            await().until(() -> told.written.size() == 1);
            assertThat(told.written).containsExactly(second);
            receiver.close();
            assertThat(text(next(receiver))).isEqualTo("message 2");
            assertThatThrownBy(() -> receiver.receive(SOON)).isInstanceOf(TransportException.class);
            assertThat(peer.dispositions).hasSize(1).hasOnlyElementsOfType(Accepted.class);
        }
    }

    @Test
    @Asserts("life-4")
    void whileADrainIsNotAnsweredOnlyWhatArrivedSettledIsHandedOut() throws Exception {
        try (Peer peer = new Peer(SenderSettleMode.MIXED, false, true, false)) {
            peer.drains = false;
            try (Connection connection = connect(peer.url(), Map.of("amqp.saslLayer", "false"));
                    Receiver receiver = unsettled(connection, 5)) {
                await().until(() -> peer.credit == 2);
                connection.openSender(new Address(Address.Kind.QUEUE, "other")).close(); // what was sent has come
                receiver.withdrawCredit();
                assertThat(text(next(receiver))).isEqualTo("message 1");
                assertThat(receiver.receive(SOON)).isNull();
                assertThat(peer.dispositions).isEmpty();
                assertThat(receiver.awaitWithdrawn(QUIET)).isFalse();
                await().until(() -> peer.dispositions.size() == 2);
                assertThat(peer.dispositions).hasOnlyElementsOfType(Released.class);
            }
        }
    }

    @Test
    void ofAMixedLinkThatIsWithdrawnWhatArrivedSettledIsHandedOutAndTheRestReleased() throws Exception {
        try (Peer peer = new Peer(SenderSettleMode.MIXED, false, true, false, true, false);
                Connection connection = connect(peer.url(), Map.of("amqp.saslLayer", "false"));
                Receiver receiver = unsettled(connection, 5)) {
            await().until(() -> peer.credit == 0);
            connection.openSender(new Address(Address.Kind.QUEUE, "other")).close(); // its frames come after those
            receiver.withdrawCredit();
            assertThat(receiver.awaitWithdrawn(SOON)).isTrue();
            assertThat(text(next(receiver))).isEqualTo("message 1");
            assertThat(text(next(receiver))).isEqualTo("message 3");
            assertThat(receiver.receive(SOON)).isNull();
            await().until(() -> peer.dispositions.size() == 3);
            assertThat(peer.dispositions).hasOnlyElementsOfType(Released.class);
        }
    }

    @Test
    @Asserts("settle-1")
    void aBrokerThatAnswersSettledThoughAskedNotToIsRefusedAtLeastOnce() throws Exception {
        try (Peer peer = new Peer(SenderSettleMode.SETTLED, true);
                Connection connection = connect(peer.url(), Map.of("amqp.saslLayer", "false"))) {
            assertThatThrownBy(() -> unsettled(connection, 3))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("settles deliveries on hand-over");
            try (Receiver receiver = settled(connection, 3)) {
                assertThat(next(receiver).arrivedSettled()).isTrue();
            }
        }
    }

    /** A peer with a will of its own: answers each attach with one settle mode, and sends as it likes once it may. */
    private static final class Peer implements AutoCloseable {

        /** A client that sends there asks for the second half. */
        private static final String FINISH = "finish";

        private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final SenderSettleMode mode;
        private final boolean[] settled;
        private final List<DeliveryState> dispositions = new CopyOnWriteArrayList<>();
        private final Thread thread = new Thread(this::run, "peer");
        private volatile int credit = -1;
        private volatile boolean inHalves;
        private volatile boolean drains = true;
        private Runnable secondHalf = () -> {};

        /** Begins to listen; {@code settled} says of each delivery whether it is. */
        Peer(SenderSettleMode mode, boolean... settled) throws IOException {
            this.mode = mode;
            this.settled = settled;
            thread.start();
        }

        String url() {
            return "amqp://127.0.0.1:" + server.getLocalPort();
        }

        private void run() {
            try (Socket socket = server.accept()) {
                org.apache.qpid.proton.engine.Transport transport = Proton.transport();
                org.apache.qpid.proton.engine.Connection connection = Proton.connection();
                Collector collector = Collector.Factory.create();
                connection.collect(collector);
                transport.bind(connection);
                byte[] read = new byte[4_096];
                for (int length = 0;
                        length >= 0;
                        length = socket.getInputStream().read(read)) {
                    for (int at = 0; at < length; ) {
                        ByteBuffer tail = transport.tail();
                        int some = Math.min(tail.remaining(), length - at);
                        tail.put(read, at, some);
                        transport.process();
                        at += some;
                    }
                    for (Event event = collector.peek(); event != null; event = collector.peek()) {
                        handle(event);
                        collector.pop();
                    }
                    write(transport, socket);
                }
            } catch (IOException gone) {
                // The test is over.
            }
        }

        private static void write(org.apache.qpid.proton.engine.Transport transport, Socket socket) throws IOException {
            for (int pending = transport.pending(); pending > 0; pending = transport.pending()) {
                byte[] out = new byte[pending];
                transport.head().get(out);
                transport.pop(pending);
                socket.getOutputStream().write(out);
            }
        }

        private void handle(Event event) {
            switch (event.getType()) {
                case CONNECTION_REMOTE_OPEN -> event.getConnection().open();
                case CONNECTION_REMOTE_CLOSE -> event.getConnection().close();
                case SESSION_REMOTE_OPEN -> event.getSession().open();
                case SESSION_REMOTE_CLOSE -> event.getSession().close();
                case LINK_REMOTE_OPEN -> attach(event.getLink());
                case LINK_REMOTE_CLOSE -> event.getLink().close();
                case LINK_FLOW -> flow(event.getLink());
                case DELIVERY -> {
                    dispositions.add(event.getDelivery().getRemoteState());
                    event.getDelivery().settle();
                }
                default -> {}
            }
        }

        private void attach(Link link) {
            link.setSource(link.getRemoteSource());
            link.setTarget(link.getRemoteTarget());
            link.setSenderSettleMode(mode);
            link.setReceiverSettleMode(link.getRemoteReceiverSettleMode());
            link.open();
            if (inHalves && link.getRemoteTarget() instanceof Target target && FINISH.equals(target.getAddress())) {
                secondHalf.run();
            }
        }

        private void send(Sender sender, int number) {
            byte[] text = ("message " + number).getBytes(StandardCharsets.UTF_8);
            byte[] message = new WireMessage(List.of(new Data(new Binary(text)))).encode();
            int first = inHalves ? message.length / 2 : message.length;
            Delivery delivery = sender.delivery(new byte[] {(byte) number});
            sender.send(message, 0, first);
            secondHalf = () -> {
                if (first < message.length) {
                    sender.send(message, first, message.length - first);
                }
                sender.advance();
                if (settled[number]) {
                    delivery.settle();
                }
            };
            if (!inHalves) {
                secondHalf.run();
            }
        }

        private void flow(Link link) {
            if (!(link instanceof Sender sender)) {
                return;
            }
            if (credit < 0) {
                for (int i = 0; i < settled.length && sender.getCredit() > 0; i++) {
                    send(sender, i);
                }
            }
            if (sender.getDrain() && drains) {
                sender.drained();
            }
            credit = sender.getCredit();
        }

        @Override
        public void close() {
            try {
                server.close();
                thread.join(SOON.toMillis());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Remembers what it is told. */
    private static final class Told implements SettlementListener {
        volatile boolean room = true;

        private final List<InboundDelivery> written = new CopyOnWriteArrayList<>();
        private final List<InboundDelivery> lost = new CopyOnWriteArrayList<>();

        boolean nothing() {
            return written.isEmpty() && lost.isEmpty();
        }

        @Override
        public boolean mayGrant() {
            return room;
        }

        @Override
        public void written(InboundDelivery delivery, Disposition disposition) {
            written.add(delivery);
        }

        @Override
        public void lost(InboundDelivery delivery, Disposition disposition) {
            lost.add(delivery);
        }
    }
}

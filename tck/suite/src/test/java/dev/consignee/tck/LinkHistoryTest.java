package dev.consignee.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.LinkHistory.HighWater;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Released;
import org.apache.qpid.proton.amqp.transport.Role;
import org.apache.qpid.proton.amqp.transport.Transfer;
import org.junit.jupiter.api.Test;

class LinkHistoryTest {

    private static final Accepted ACCEPTED = Accepted.getInstance();

    private static LinkHistory of(Frames frames) {
        return LinkHistory.of(frames.list());
    }

    @Test
    void rangeOfDispositionsIsResolvedToTheAddressOfEachDelivery() {
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .receiver("returns", 1, 0)
                .grant(0, 0, 10)
                .grant(1, 0, 10)
                .deliver(0, 0)
                .deliver(1, 1)
                .deliver(0, 2)
                .settle(0, 2, ACCEPTED));

        assertThat(history.dispositions(Direction.CLIENT_TO_BROKER))
                .extracting(d -> d.link().address() + " " + d.deliveryId() + " " + d.settled())
                .containsExactly("orders 0 true", "returns 1 true", "orders 2 true");
        assertThat(history.dispositionsOf("orders")).containsExactly(ACCEPTED, ACCEPTED);
    }

    @Test
    void sidesHaveDeliveryIdsOfTheirOwn() {
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .sender("orders.dead", 1)
                .grant(0, 0, 10)
                .deliver(0, 0)
                .client(Frames.transfer(1, 0))
                .broker(Frames.disposition(Role.RECEIVER, 0, 0, ACCEPTED, true))
                .settle(0, 0, new Rejected()));

        assertThat(history.events().stream()
                        .filter(LinkEvent.Disposed.class::isInstance)
                        .map(LinkEvent.Disposed.class::cast))
                .extracting(d -> d.direction() + " " + d.link().address() + " " + d.state())
                .containsExactly(
                        "BROKER_TO_CLIENT orders.dead Accepted{}", "CLIENT_TO_BROKER orders Rejected{error=null}");
        assertThat(history.dispositionsOf("orders.dead")).isEmpty();
    }

    @Test
    void creditAndUnsettledTogetherStayAtTheGrantWhileNothingIsSettled() {
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 3)
                .deliver(0, 0)
                .deliver(0, 1)
                .deliver(0, 2)
                .settle(0, 1, ACCEPTED)
                .grant(0, 3, 2)
                .deliver(0, 3));

        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(3, 3));
    }

    @Test
    void creditGrantedBeforeTheSettlementShowsInTheSum() {
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 3)
                .deliver(0, 0)
                .deliver(0, 1)
                .grant(0, 2, 3)
                .settle(0, 1, ACCEPTED));

        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(2, 5));
    }

    @Test
    void grantThatCrossesTransfersOnTheirWayCountsThemOnce() {
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 4)
                .deliver(0, 0)
                .deliver(0, 1)
                .grant(0, 0, 4) // the client has seen neither transfer
                .deliver(0, 2)
                .deliver(0, 3));

        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(4, 4));
    }

    @Test
    void drainUsesTheCreditUp() {
        Frames frames = new Frames()
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 10)
                .deliver(0, 0)
                .drained(0, 10);
        LinkHistory history = of(frames.grant(0, 10, 5));

        LinkEvent.Flowed last =
                (LinkEvent.Flowed) history.events().get(history.events().size() - 1);
        assertThat(last.outstanding()).isEqualTo(5);
        assertThat(last.unsettled()).isEqualTo(1);
        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(1, 10));
    }

    @Test
    void deliveryCountsWrapAround() {
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, -2)
                .grant(0, -2, 4)
                .deliver(0, -2)
                .deliver(0, -1)
                .deliver(0, 0)
                .settle(-2, 0, ACCEPTED));

        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(3, 4));
        assertThat(history.dispositionsOf("orders")).hasSize(3);
    }

    @Test
    void grantBeforeTheAnswerToTheAttachCountsFromTheInitialDeliveryCount() {
        Frames both = new Frames().session().receiver("orders", 0, 7);
        List<Frame> attached = both.list();
        List<Frame> granted = new Frames().grant(0, 0, 3).list();
        LinkHistory history = LinkHistory.of(attached.subList(0, 3));
        granted.forEach(history::add);
        history.add(attached.get(3));
        new Frames().deliver(0, 0).list().forEach(history::add);

        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(1, 3));
    }

    @Test
    void transferOverSeveralFramesIsOneDelivery() {
        Transfer first = Frames.transfer(10, 0);
        first.setMore(true);
        Transfer second = Frames.transfer(10, 0);
        second.setDeliveryId(null);
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 1)
                .broker(first, (byte) 1, (byte) 2)
                .broker(second, (byte) 3));

        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(1, 1));
        assertThat(history.events().stream()
                        .filter(LinkEvent.Transferred.class::isInstance)
                        .map(LinkEvent.Transferred.class::cast)
                        .map(LinkEvent.Transferred::payload))
                .containsExactly(new Binary(new byte[] {1, 2, 3}));
    }

    @Test
    void abortedTransferIsNoDelivery() {
        Transfer first = Frames.transfer(10, 0);
        first.setMore(true);
        Transfer aborted = Frames.transfer(10, 0);
        aborted.setAborted(true);
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 5)
                .broker(first, (byte) 1)
                .broker(aborted)
                .deliver(0, 1));

        assertThat(history.events())
                .filteredOn(LinkEvent.Transferred.class::isInstance)
                .hasSize(1);
        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(1, 5));
    }

    @Test
    void deliveryThatCameSettledIsNeverUnsettled() {
        Transfer settled = Frames.transfer(10, 0);
        settled.setSettled(true);
        LinkHistory history =
                of(new Frames().session().receiver("log", 0, 0).grant(0, 0, 2).broker(settled));

        assertThat(history.maxUnsettled("log")).isEqualTo(new HighWater(0, 2));
    }

    @Test
    void unsettledDispositionSettlesNothing() {
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 1)
                .deliver(0, 0)
                .client(Frames.disposition(Role.RECEIVER, 0, 0, ACCEPTED, false))
                .grant(0, 1, 1));

        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(1, 2));
        assertThat(history.dispositions(Direction.CLIENT_TO_BROKER))
                .extracting(LinkEvent.Disposed::settled)
                .containsExactly(false);
    }

    @Test
    void secondSettlementOfADeliveryShowsAndCountsOnce() {
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 3)
                .deliver(0, 0)
                .deliver(0, 1)
                .settle(0, 0, ACCEPTED)
                .settle(0, 0, Released.getInstance())
                .deliver(0, 2));

        assertThat(history.dispositionsOf("orders")).containsExactly(ACCEPTED, Released.getInstance());
        assertThat(history.maxUnsettled("orders").unsettled()).isEqualTo(2);
    }

    @Test
    void linkThatIsDetachedHasNothingOpenAndItsLateDispositionsStillShow() {
        Modified modified = new Modified();
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 5)
                .deliver(0, 0)
                .client(Frames.detach(0))
                .settle(0, 0, modified)
                .broker(Frames.detach(10))
                .receiver("orders", 0, 0)
                .grant(0, 0, 5)
                .deliver(0, 1));

        assertThat(history.dispositionsOf("orders")).containsExactly(modified);
        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(1, 5));
        assertThat(history.events())
                .filteredOn(LinkEvent.Attached.class::isInstance)
                .extracting(event -> event.link().number())
                .containsExactly(0, 0, 1, 1);
    }

    @Test
    void clearLowersTheMarkToWhatIsOpenAndKeepsTheLinks() {
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 4)
                .deliver(0, 0)
                .deliver(0, 1)
                .settle(0, 0, ACCEPTED));

        history.clear();

        assertThat(history.events()).isEmpty();
        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(1, 3));
        new Frames().settle(1, 1, ACCEPTED).list().forEach(history::add);
        assertThat(history.dispositionsOf("orders")).containsExactly(ACCEPTED);
    }

    @Test
    void whileRecordingIsOffTheAccountGoesOn() {
        LinkHistory history = of(new Frames().session().receiver("orders", 0, 0).grant(0, 0, 4));
        history.clear();
        history.recording(false);
        new Frames().deliver(0, 0).deliver(0, 1).deliver(0, 2).list().forEach(history::add);
        history.recording(true);
        new Frames().settle(0, 2, ACCEPTED).list().forEach(history::add);

        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(3, 4));
        assertThat(history.events()).hasSize(3);
    }

    @Test
    void connectionThatIsLostTakesItsLinksAlong() {
        LinkHistory history = of(
                new Frames().session().receiver("orders", 0, 0).grant(0, 0, 4).deliver(0, 0));

        history.connectionLost(0);

        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(1, 4));
        history.clear();
        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(0, 0));
    }

    @Test
    void sessionThatEndsTakesItsLinksAlong() {
        LinkHistory history = of(new Frames()
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 4)
                .deliver(0, 0)
                .client(Frames.end())
                .broker(Frames.end())
                .session()
                .receiver("orders", 0, 0)
                .grant(0, 0, 4)
                .deliver(0, 0)
                .settle(0, 0, ACCEPTED));

        assertThat(history.maxUnsettled("orders")).isEqualTo(new HighWater(1, 4));
        assertThat(history.dispositionsOf("orders")).containsExactly(ACCEPTED);
    }
}

package dev.consignee.tck;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.transport.Attach;
import org.apache.qpid.proton.amqp.transport.Begin;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.Detach;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.End;
import org.apache.qpid.proton.amqp.transport.Flow;
import org.apache.qpid.proton.amqp.transport.FrameBody;
import org.apache.qpid.proton.amqp.transport.Role;
import org.apache.qpid.proton.amqp.transport.Transfer;

/**
 * Reads frames, one after the other, as what happened on links: which address a delivery belongs to, how it was
 * settled, and how many deliveries and how much credit were open at a time.
 *
 * <p>The frames must begin with the connection's first, since a link's address stands in its attach frame only.
 *
 * <ul>
 *   <li>L1: a channel and a handle belong to the side that sends them; the sides meet in {@code Begin.remote-channel}
 *       and in the link's name and role.
 *   <li>L2: delivery ids count per session and sending side, across its links.
 *   <li>L3: a delivery is unsettled from its first transfer frame, unless it came settled, until either side settles it
 *       or the link goes.
 *   <li>L4: outstanding credit is what the receiver has granted (delivery-count + link-credit of its last flow) less
 *       what the sender has used (its own delivery-count: raised by each transfer, and by a flow that answers a drain).
 * </ul>
 *
 * <p>So unsettled + outstanding depends on the order of the <em>receiver's</em> flows and dispositions only: it is the
 * same at the client, here and at the broker, however late the transfers are. It is the most that the broker may have
 * out at that moment. Mind that proton-j, and so Qpid JMS, writes a flow ahead of the dispositions that were made in the
 * same turn of its event loop: credit that is granted for a settlement then shows on top of the delivery settled.
 *
 * <p>Not safe for threads.
 *
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-transport-v1.0-os.html">AMQP 1.0, transport
 *     §2.6.7 flow control and §2.6.12 transferring a message</a>
 */
public final class LinkHistory {

    /**
     * The most that was open on one link at any moment.
     *
     * @param unsettled deliveries that had begun and were not settled
     * @param unsettledAndCredit those and the credit that the sender had not used
     */
    public record HighWater(long unsettled, long unsettledAndCredit) {

        static final HighWater NONE = new HighWater(0, 0);

        HighWater max(HighWater other) {
            return new HighWater(
                    Math.max(unsettled, other.unsettled), Math.max(unsettledAndCredit, other.unsettledAndCredit));
        }
    }

    private final Map<Integer, Map<Direction, Map<Integer, Session>>> channels = new HashMap<>();
    private final List<LinkState> links = new ArrayList<>();
    private final List<LinkEvent> events = new ArrayList<>();
    private final Consumer<LinkEvent> listener;
    private boolean recording = true;
    private int linkCount;

    LinkHistory() {
        this(event -> {});
    }

    /**
     * Begins with nothing.
     *
     * @param listener told of each event that is recorded, once it is
     */
    LinkHistory(Consumer<LinkEvent> listener) {
        this.listener = listener;
    }

    /** The history that these frames tell. */
    public static LinkHistory of(Iterable<Frame> frames) {
        LinkHistory history = new LinkHistory();
        frames.forEach(history::add);
        return history;
    }

    /** Whether events are kept; links, deliveries and high-water marks are followed either way. */
    public void recording(boolean on) {
        recording = on;
    }

    /** Reads the next frame. */
    public void add(Frame frame) {
        FrameBody performative = frame.performative();
        if (performative instanceof Begin begin) {
            begin(frame, begin);
        } else if (performative instanceof End) {
            Session session = channels(frame.connection(), frame.direction()).remove(frame.channel());
            if (session != null) {
                session.links.forEach(LinkState::lose);
            }
        } else {
            Session session = channels(frame.connection(), frame.direction()).get(frame.channel());
            if (session != null) {
                add(frame, session);
            }
        }
    }

    private void add(Frame frame, Session session) {
        FrameBody performative = frame.performative();
        if (performative instanceof Attach attach) {
            attach(frame, session, attach);
        } else if (performative instanceof Flow flow) {
            onLink(session, frame, flow.getHandle(), link -> flow(frame, link, flow));
        } else if (performative instanceof Transfer transfer) {
            onLink(session, frame, transfer.getHandle(), link -> transfer(frame, session, link, transfer));
        } else if (performative instanceof Disposition disposition) {
            dispose(frame, session, disposition);
        } else if (performative instanceof Detach detach) {
            onLink(session, frame, detach.getHandle(), link -> detach(frame, session, link, detach));
        }
    }

    /** Takes note that a connection is gone, with all that was on it. */
    public void connectionLost(int connection) {
        channels.remove(connection);
        links.stream().filter(link -> link.connection() == connection).forEach(LinkState::lose);
    }

    /** The connections with a link on which the client sends. */
    Set<Integer> sending() {
        return links.stream()
                .filter(link -> !link.clientReceives() && !link.gone())
                .map(LinkState::connection)
                .collect(Collectors.toSet());
    }

    /** What happened while recording was on, in order. */
    public List<LinkEvent> events() {
        return List.copyOf(events);
    }

    /** The dispositions that went one way, on every link. */
    public List<LinkEvent.Disposed> dispositions(Direction direction) {
        return events.stream()
                .filter(event -> event.direction() == direction)
                .filter(LinkEvent.Disposed.class::isInstance)
                .map(LinkEvent.Disposed.class::cast)
                .toList();
    }

    /** What the client said of deliveries that it received from an address, in the order that it said it. */
    public List<DeliveryState> dispositionsOf(String address) {
        return dispositions(Direction.CLIENT_TO_BROKER).stream()
                .filter(disposed -> disposed.receivingFrom(address))
                .map(LinkEvent.Disposed::state)
                .filter(Objects::nonNull)
                .toList();
    }

    /** The high-water mark of the links on which the client receives from an address: the highest of any one link. */
    public HighWater maxUnsettled(String address) {
        return links.stream()
                .filter(link -> link.clientReceives() && link.address().equals(address))
                .map(LinkState::highWater)
                .reduce(HighWater.NONE, HighWater::max);
    }

    /**
     * Forgets the events and the links that are gone, and lowers the marks of the others to what is open now. Links and
     * deliveries stay known, so that what follows can be told.
     */
    public void clear() {
        events.clear();
        links.removeIf(LinkState::gone);
        links.forEach(LinkState::lowerMark);
    }

    private Map<Integer, Session> channels(int connection, Direction side) {
        return channels.computeIfAbsent(connection, c -> new EnumMap<>(Direction.class))
                .computeIfAbsent(side, d -> new HashMap<>());
    }

    private void begin(Frame frame, Begin begin) { // L1
        Session session = begin.getRemoteChannel() == null
                ? new Session()
                : channels(frame.connection(), frame.direction().opposite())
                        .getOrDefault(begin.getRemoteChannel().intValue(), new Session());
        channels(frame.connection(), frame.direction()).put(frame.channel(), session);
    }

    private void attach(Frame frame, Session session, Attach attach) {
        Direction sender = attach.getRole() == Role.SENDER
                ? frame.direction()
                : frame.direction().opposite();
        LinkState link = session.links.stream()
                .filter(known -> known.awaits(frame.direction(), attach.getName(), sender))
                .findFirst()
                .orElseGet(() -> newLink(frame.connection(), session, attach.getName(), sender));
        link.attach(frame.direction(), attach);
        session.handles(frame.direction()).put(attach.getHandle().intValue(), link);
        tell(new LinkEvent.Attached(frame.direction(), link.link()));
    }

    private LinkState newLink(int connection, Session session, String name, Direction sender) {
        LinkState link = new LinkState(connection, linkCount++, name, sender);
        session.links.add(link);
        links.add(link);
        return link;
    }

    private void onLink(Session session, Frame frame, UnsignedInteger handle, Consumer<LinkState> then) {
        LinkState link =
                handle == null ? null : session.handles(frame.direction()).get(handle.intValue());
        if (link != null) {
            then.accept(link);
        }
    }

    private void flow(Frame frame, LinkState link, Flow flow) {
        link.flow(frame.direction(), flow);
        long credit = flow.getLinkCredit() == null ? 0 : flow.getLinkCredit().longValue();
        tell(new LinkEvent.Flowed(
                frame.direction(), link.link(), credit, flow.getDrain(), link.unsettled(), link.outstanding()));
    }

    private void transfer(Frame frame, Session session, LinkState link, Transfer transfer) {
        LinkDelivery delivery = link.current();
        if (delivery == null) {
            delivery = new LinkDelivery(transfer.getDeliveryId().intValue(), link);
            session.deliveries(frame.direction()).put(delivery.id, delivery); // L2
            link.begin(delivery);
        }
        if (Boolean.TRUE.equals(transfer.getSettled()) || transfer.getAborted()) {
            delivery.settle();
            delivery.cameSettled = true;
        }
        if (recording) {
            delivery.payload.add(frame.payload());
        }
        if (!transfer.getMore() || transfer.getAborted()) {
            link.end();
            if (recording && !transfer.getAborted()) {
                tell(new LinkEvent.Transferred(
                        frame.direction(),
                        link.link(),
                        Integer.toUnsignedLong(delivery.id),
                        delivery.cameSettled,
                        delivery.takePayload()));
            }
        }
        link.raiseMark();
    }

    private void dispose(Frame frame, Session session, Disposition disposition) {
        Direction sender = disposition.getRole() == Role.SENDER
                ? frame.direction()
                : frame.direction().opposite();
        Map<Integer, LinkDelivery> deliveries = session.deliveries(sender);
        int first = disposition.getFirst().intValue();
        int last = disposition.getLast() == null ? first : disposition.getLast().intValue();
        for (int id = first; id - last <= 0; id++) { // serial numbers: they may wrap
            LinkDelivery delivery = deliveries.get(id);
            if (delivery == null) {
                continue;
            }
            if (disposition.getSettled()) {
                delivery.settle();
            }
            tell(new LinkEvent.Disposed(
                    frame.direction(),
                    delivery.link.link(),
                    Integer.toUnsignedLong(id),
                    disposition.getState(),
                    disposition.getSettled()));
        }
    }

    private void detach(Frame frame, Session session, LinkState link, Detach detach) {
        link.detach(frame.direction());
        session.handles(frame.direction()).remove(detach.getHandle().intValue());
        session.links.removeIf(LinkState::gone);
        tell(new LinkEvent.Detached(frame.direction(), link.link(), detach.getClosed(), detach.getError()));
    }

    private void tell(LinkEvent event) {
        if (recording) {
            events.add(event);
            listener.accept(event);
        }
    }

    /** One session, shared by the channels of both sides. */
    private static final class Session {

        private static final int REMEMBERED = 200_000;

        private final List<LinkState> links = new ArrayList<>();
        private final Map<Direction, Map<Integer, LinkState>> handles = new EnumMap<>(Direction.class);
        private final Map<Direction, Map<Integer, LinkDelivery>> deliveries = new EnumMap<>(Direction.class);

        Map<Integer, LinkState> handles(Direction side) {
            return handles.computeIfAbsent(side, d -> new HashMap<>());
        }

        /** By id; settled ones are kept for a while, so that one that is settled twice shows. */
        Map<Integer, LinkDelivery> deliveries(Direction sender) {
            return deliveries.computeIfAbsent(sender, d -> new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Integer, LinkDelivery> eldest) {
                    return size() > REMEMBERED;
                }
            });
        }
    }
}

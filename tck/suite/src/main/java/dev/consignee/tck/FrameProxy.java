package dev.consignee.tck;

import dev.consignee.tck.LinkHistory.HighWater;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP proxy between a client and a broker that reads the AMQP frames passing through it, and can be made to fail.
 *
 * <p>It listens on a port of 127.0.0.1 that the system chose. A frame is recorded before it is passed on, so the order
 * of the record agrees with cause and effect; frames of the two directions that have nothing to do with each other may
 * stand either way. A recorded frame was not necessarily received: a cut may have lost it. Connections under TLS pass
 * unread. Any thread may call the methods; after {@link #close()} no thread of the proxy is left.
 */
public final class FrameProxy implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FrameProxy.class);
    private static final int CONNECT_TIMEOUT = (int) Duration.ofSeconds(5).toMillis();
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(5);

    private final ServerSocket server;
    private final Thread acceptor;
    private final Gate gate = new Gate();
    private final Set<Relay> relays = ConcurrentHashMap.newKeySet();
    private final List<Hold> holds = new CopyOnWriteArrayList<>();
    private final Recorder recorder = new Recorder();
    private volatile InetSocketAddress target;
    private volatile boolean refusing;
    private volatile byte[] withheld = {};
    private volatile boolean closed;

    private FrameProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        acceptor = new Thread(this::accept, name() + "-accept");
        acceptor.setDaemon(true);
    }

    /** Opens a proxy to a port of 127.0.0.1. */
    public static FrameProxy to(int port) {
        return to(InetAddress.getLoopbackAddress().getHostAddress(), port);
    }

    /** Opens a proxy to a host's port. */
    public static FrameProxy to(String host, int port) {
        try {
            FrameProxy proxy = new FrameProxy(new InetSocketAddress(host, port));
            proxy.acceptor.start();
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String name() {
        return "frame-proxy-" + server.getLocalPort();
    }

    /** Where clients connect: {@code amqp://127.0.0.1:port}. */
    public String url() {
        return "amqp://127.0.0.1:" + port();
    }

    /** The port. */
    public int port() {
        return server.getLocalPort();
    }

    /** The frames recorded so far, in order. */
    public List<Frame> frames() {
        return recorder.read(() -> List.copyOf(recorder.frames));
    }

    /** Those of the recorded frames that match, in order. */
    public List<Frame> frames(Predicate<? super Frame> matching) {
        return frames().stream().filter(matching).toList();
    }

    /** What happened on links, with their addresses, in order. */
    public List<LinkEvent> events() {
        return recorder.read(recorder.history::events);
    }

    /** The events of one kind, in order. */
    public <E extends LinkEvent> List<E> events(Class<E> kind) {
        return events().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** The dispositions that went one way, ranges resolved to one entry for each delivery. */
    public List<LinkEvent.Disposed> dispositions(Direction direction) {
        return recorder.read(() -> recorder.history.dispositions(direction));
    }

    /** What the client said of deliveries that it received from an address, in order. */
    public List<DeliveryState> dispositionsOf(String address) {
        return recorder.read(() -> recorder.history.dispositionsOf(address));
    }

    /**
     * The most that was open at any moment on one link on which the client receives from an address: deliveries not
     * settled, and those with the credit that was still granted. Counts since the link's attach or {@link #clear()},
     * whether recording is on or not. The sum is the same here as at the client and the broker: {@link LinkHistory}.
     */
    public HighWater maxUnsettled(String address) {
        return recorder.read(() -> recorder.history.maxUnsettled(address));
    }

    /** Forgets the frames and events; lowers the high-water marks to what is open. Links stay known. */
    public void clear() {
        recorder.read(() -> {
            recorder.frames.clear();
            recorder.history.clear();
            return true;
        });
    }

    /** Whether frames and events are kept, as they are at first. Off, links and high-water marks are still followed. */
    public void recording(boolean on) {
        recorder.read(() -> {
            recorder.recording = on;
            recorder.history.recording(on);
            return on;
        });
    }

    /**
     * Holds up each direction of each connection at its next frame that matches: it and what stands behind it do not pass
     * before the hold is released. A connection that ends meanwhile must be cut, or what was held up still passes then. At
     * most one hold should match a frame.
     */
    public Hold hold(Predicate<? super Frame> first) {
        Hold hold = new Hold(first);
        holds.add(hold);
        return hold;
    }

    /** How many connections go through the proxy now. */
    public int connectionCount() {
        return relays.size();
    }

    /** The numbers of the connections that go through the proxy now, as frames and links tell them. */
    public List<Integer> connections() {
        return relays.stream().map(Relay::number).sorted().toList();
    }

    /** The numbers of those on which the client has a link to send by. */
    public Set<Integer> sendingConnections() {
        return recorder.read(recorder.history::sending);
    }

    /**
     * Resets the sockets of all connections, on both sides. When it returns, nothing of them is recorded any more. New
     * ones are accepted as before.
     *
     * @return how many connections there were
     */
    public int cut() {
        List<Relay> current = List.copyOf(relays);
        current.forEach(Relay::cut);
        current.forEach(this::join);
        return current.size();
    }

    /**
     * Resets the sockets of one connection, as {@link #cut()} does for all.
     *
     * @param connection its number, as frames and links tell it
     */
    public void cut(int connection) {
        List<Relay> found =
                relays.stream().filter(relay -> relay.number() == connection).toList();
        found.forEach(Relay::cut);
        found.forEach(this::join);
    }

    /**
     * Cuts once at the next event that matches: it is recorded, but what makes it happen is not passed on. To be called
     * while recording is on.
     *
     * @param everything whether all connections are cut, or only the one that it happens on
     */
    public void cutAt(Predicate<? super LinkEvent> point, boolean everything) {
        recorder.read(() -> {
            recorder.trap = Optional.of(event -> {
                if (!point.test(event)) {
                    return false;
                }
                relays.stream()
                        .filter(relay ->
                                everything || relay.number() == event.link().connection())
                        .forEach(Relay::cut);
                return true;
            });
            return true;
        });
    }

    /** Whether what {@link #cutAt} waits for has not happened yet. */
    public boolean cutIsDue() {
        return recorder.read(() -> recorder.trap.isPresent());
    }

    /** Whether new connections are reset as soon as they are accepted. Those that are there go on. */
    public void refuse(boolean on) {
        refusing = on;
    }

    /**
     * Whether bytes are held up in both directions, an end of stream too, while sockets stay open and new connections
     * are accepted. What was held up goes on when it is switched off.
     */
    public void blackhole(boolean on) {
        if (!on) {
            gate.open();
            return;
        }
        try {
            gate.shut();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Gives what the broker offers by this name another name from now on, so that a client looks for it in vain: a
     * capability of a connection or a link. Those that are there know it already. Its bytes must arrive in one piece, as
     * they do on one machine.
     *
     * @param capability its name; empty for none
     */
    public void withhold(String capability) {
        withheld = capability.getBytes(StandardCharsets.US_ASCII);
    }

    /** Sends connections accepted from now on to another port of the same host. */
    public void retarget(int port) {
        target = new InetSocketAddress(target.getHostString(), port);
    }

    /** Cuts all connections and listens no more; returns when the threads have ended. */
    @Override
    public void close() {
        closed = true;
        try {
            server.close();
        } catch (IOException e) {
            LOG.debug("could not close the listening socket", e);
        }
        try {
            acceptor.join(CONNECT_TIMEOUT + JOIN_TIMEOUT.toMillis()); // it may be connecting to the broker
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        cut();
    }

    private void join(Relay relay) {
        try {
            if (!relay.join(JOIN_TIMEOUT)) {
                throw new IllegalStateException("connection " + relay.number() + " of " + name() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() {
        int number = 0;
        while (!closed) {
            try {
                Socket client = server.accept();
                if (refusing) {
                    Relay.reset(client);
                } else if (relay(client, number)) {
                    number++;
                }
            } catch (IOException e) {
                LOG.debug("{} accepts no connection", name(), e);
            }
        }
    }

    private boolean relay(Socket client, int number) throws IOException {
        Socket broker = new Socket();
        try {
            client.setTcpNoDelay(true);
            broker.setTcpNoDelay(true);
            broker.connect(target, CONNECT_TIMEOUT);
        } catch (IOException e) {
            Relay.reset(client);
            Relay.reset(broker);
            throw e;
        }
        Relay relay = new Relay(name() + "-" + number, number, client, broker, gate, recorder);
        relays.add(relay);
        relay.start();
        return true;
    }

    /** What has been recorded; its monitor guards it. */
    private final class Recorder implements Relay.Listener {

        private final List<Frame> frames = new ArrayList<>();
        private final LinkHistory history = new LinkHistory(this::spring);
        private boolean recording = true;
        private Optional<String> garbage = Optional.empty();
        private Optional<Predicate<LinkEvent>> trap = Optional.empty();

        private void spring(LinkEvent event) {
            trap = trap.filter(armed -> !armed.test(event));
        }

        @Override
        public void onBytes(Direction direction, byte[] bytes, int length) {
            byte[] name = withheld;
            if (direction == Direction.CLIENT_TO_BROKER || name.length == 0) {
                return;
            }
            for (int at = 0; at + name.length <= length; at++) {
                if (Arrays.equals(bytes, at, at + name.length, name, 0, name.length)) {
                    Arrays.fill(bytes, at, at + name.length, (byte) 'X'); // of the same length: sizes stay right
                }
            }
        }

        @Override
        public synchronized void onFrame(Frame frame) {
            if (recording) {
                frames.add(frame);
            }
            history.add(frame);
        }

        @Override
        public Optional<Hold> holdOn(Frame frame) {
            return holds.stream().filter(hold -> hold.holds(frame)).findFirst();
        }

        @Override
        public void onCut() {
            holds.forEach(Hold::recheck);
        }

        @Override
        public synchronized void onGarbage(String problem) {
            garbage = garbage.or(() -> Optional.of(problem));
        }

        @Override
        public synchronized void onEnd(Relay relay) {
            history.connectionLost(relay.number());
            relays.remove(relay);
        }

        /** Reads; a record with a hole in it is not given out. */
        synchronized <T> T read(Supplier<T> what) {
            garbage.ifPresent(problem -> {
                throw new IllegalStateException("the proxy could not read every frame: " + problem);
            });
            return what.get();
        }
    }
}

package dev.consignee.tck;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection through the {@link FrameProxy}: two sockets, and a thread for each direction.
 *
 * <p>Frames are told before their bytes are passed on, so what one side does in answer to a frame is always told after
 * it.
 */
final class Relay {

    /** What a relay tells; called on its two threads. */
    interface Listener {
        /** Bytes are about to be read and passed on; what is changed in them is passed on changed. */
        void onBytes(Direction direction, byte[] bytes, int length);

        void onFrame(Frame frame);

        /** Whether a frame is to wait; it has not been told yet. */
        Optional<Hold> holdOn(Frame frame);

        /** The sockets are reset. */
        void onCut();

        void onGarbage(String problem);

        void onEnd(Relay relay);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final int BUFFER = 1 << 16;

    private final int number;
    private final Socket client;
    private final Socket broker;
    private final Gate gate;
    private final Listener listener;
    private final AtomicInteger running = new AtomicInteger(2);
    private final Thread outward;
    private final Thread inward;
    private volatile boolean gone;

    Relay(String name, int number, Socket client, Socket broker, Gate gate, Listener listener) {
        this.number = number;
        this.client = client;
        this.broker = broker;
        this.gate = gate;
        this.listener = listener;
        outward = thread(name + "-client", () -> pump(client, broker, Direction.CLIENT_TO_BROKER));
        inward = thread(name + "-broker", () -> pump(broker, client, Direction.BROKER_TO_CLIENT));
    }

    private static Thread thread(String name, Runnable run) {
        Thread thread = new Thread(run, name);
        thread.setDaemon(true);
        return thread;
    }

    int number() {
        return number;
    }

    void start() {
        outward.start();
        inward.start();
    }

    /** Resets both sockets; what was not written yet is lost. */
    void cut() {
        gone = true;
        reset(client);
        reset(broker);
        gate.recheck();
        listener.onCut();
    }

    /** Closes a socket with a reset instead of an end of stream. */
    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException closedAlready) {
            LOG.debug("no linger to set", closedAlready);
        }
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("could not close a socket", e);
        }
    }

    /** Waits for both threads to end; false if one did not in time. */
    boolean join(Duration timeout) throws InterruptedException {
        long millis = Math.max(1, timeout.toMillis());
        outward.join(millis);
        inward.join(millis);
        return !outward.isAlive() && !inward.isAlive();
    }

    private void pump(Socket from, Socket to, Direction direction) {
        Pump pump = new Pump(direction);
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            for (int length = in.read(buffer); gate.pass(() -> gone); length = in.read(buffer)) {
                try {
                    if (length < 0) {
                        to.shutdownOutput();
                        return;
                    }
                    listener.onBytes(direction, buffer, length);
                    if (!pump.pass(buffer, length, out)) {
                        return;
                    }
                } finally {
                    gate.passed();
                }
            }
        } catch (IOException e) {
            LOG.debug("connection {} broke, {}", number, direction, e);
            cut();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cut();
        } finally {
            end();
        }
    }

    /** Passes on what is read from one side. Confined to its thread. */
    private final class Pump {

        /**
         * A frame that these bytes complete.
         *
         * @param fromFrame how many of them are the frame's own or stand behind it
         */
        private record Passing(Frame frame, int fromFrame) {}

        private final List<Passing> passing = new ArrayList<>();
        private final FrameReader reader;

        Pump(Direction direction) {
            reader = new FrameReader(direction, number, this::take);
        }

        private void take(Frame frame) {
            passing.add(new Passing(frame, reader.fromFrame()));
        }

        /** Passes bytes on, as far as no frame among them is held; false if the connection went meanwhile. */
        boolean pass(byte[] buffer, int length, OutputStream out) throws IOException, InterruptedException {
            passing.clear();
            read(buffer, length);
            int written = 0;
            for (Passing next : passing) {
                Optional<Hold> hold = listener.holdOn(next.frame());
                if (hold.isPresent()) {
                    int begin = Math.max(written, length - next.fromFrame());
                    out.write(buffer, written, begin - written);
                    written = begin;
                    if (!hold.get().stand(next.frame(), () -> gone)) {
                        return false;
                    }
                }
                listener.onFrame(next.frame());
            }
            out.write(buffer, written, length - written);
            return true;
        }

        private void read(byte[] buffer, int length) {
            try {
                reader.read(buffer, length);
            } catch (RuntimeException e) {
                LOG.debug("connection {} can't be read on", number, e);
                listener.onGarbage("connection " + number + ": " + e);
            }
        }
    }

    private void end() {
        if (running.decrementAndGet() == 0) {
            gone = true;
            close(client);
            close(broker);
            listener.onEnd(this);
        }
    }
}

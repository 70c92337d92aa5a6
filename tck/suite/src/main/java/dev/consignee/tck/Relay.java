package dev.consignee.tck;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
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
        void onFrame(Frame frame);

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
        FrameReader reader = new FrameReader(direction, number, listener::onFrame);
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
                    read(reader, buffer, length);
                    out.write(buffer, 0, length);
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

    private void read(FrameReader reader, byte[] buffer, int length) {
        try {
            reader.read(buffer, length);
        } catch (RuntimeException e) {
            LOG.debug("connection {} can't be read on", number, e);
            listener.onGarbage("connection " + number + ": " + e);
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

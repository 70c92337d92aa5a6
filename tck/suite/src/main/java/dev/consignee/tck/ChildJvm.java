package dev.consignee.tck;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A virtual machine beside the test's, on the same class path, to be started, stopped and killed.
 *
 * <p>It tells what it does by lines on its standard output, which are kept with those of its standard error, and is told
 * what to do by lines on its standard input. A child must end when its standard input does, so that none outlives its test.
 * Any thread may use it.
 */
public final class ChildJvm implements AutoCloseable {

    private static final Duration USUAL_WAIT = Duration.ofSeconds(60);

    private final String name;
    private final Process process;
    private final BufferedWriter input;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        this.reader = new Thread(this::read, "tck-child-" + name);
        this.reader.setDaemon(true);
        this.reader.start();
    }

    /**
     * Starts one.
     *
     * @param name for messages and its reader's thread
     * @param mainClass the class whose main method it runs
     * @param properties its system properties
     */
    public static ChildJvm start(String name, String mainClass, Map<String, String> properties) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        try {
            return new ChildJvm(
                    name, new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException closed) {
            lines.add("(its output ended: " + closed.getMessage() + ")");
        }
    }

    /** What it has written so far. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** How many lines it has written that are like this. */
    public long count(Predicate<String> like) {
        return lines.stream().filter(like).count();
    }

    /**
     * Waits until it has written a line like this.
     *
     * @throws AssertionError with all that it has written, where it does not in time, or ends first
     */
    public ChildJvm await(Predicate<String> like) {
        Tck.await()
                .atMost(Tck.patient(USUAL_WAIT))
                .failFast(
                        this + " has ended: " + lines,
                        () -> !process.isAlive() && !reader.isAlive() && count(like) == 0)
                .until(() -> count(like) > 0);
        return this;
    }

    /** Tells it something. */
    public void tell(String line) {
        try {
            input.write(line);
            input.newLine();
            input.flush();
        } catch (IOException failed) {
            throw new UncheckedIOException(this + " does not listen", failed);
        }
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it as a crash would: nothing of it runs any more, no hook either. Waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /**
     * Asks it to end, as an operator would (SIGTERM), and waits until it has.
     *
     * @return its exit value
     * @throws AssertionError where it does not end in time; it is killed then
     */
    public int stop() {
        process.toHandle().destroy(); // not process.destroy(), which closes its input first
        return awaitEnd();
    }

    private int awaitEnd() {
        try {
            if (!process.waitFor(Tck.patient(USUAL_WAIT).toNanos(), TimeUnit.NANOSECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(this + " did not end within " + USUAL_WAIT + ": " + lines);
            }
            reader.join(TimeUnit.SECONDS.toMillis(10));
            return process.exitValue();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + this + " ended", e);
        }
    }

    /** Kills it, if it still runs. */
    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }

    @Override
    public String toString() {
        return "child '" + name + "' (process " + process.pid() + ")";
    }
}

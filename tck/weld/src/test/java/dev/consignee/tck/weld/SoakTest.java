package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.consignee.diagnostics.Diagnostics;
import dev.consignee.diagnostics.SubscriptionStatus;
import dev.consignee.tck.AmqpClient;
import dev.consignee.tck.EmbeddedArtemis;
import dev.consignee.tck.FrameProxy;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.QueueCounters;
import dev.consignee.tck.Tck;
import dev.consignee.tck.weld.SoakBook.End;
import dev.consignee.tck.weld.SoakModel.Fate;
import dev.consignee.tck.weld.SoakModel.Lane;
import dev.consignee.tck.weld.SoakModel.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.core.server.impl.AckReason;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Many messages with outcomes at random, and then the accounts: of the broker's own counts, and of each message by itself.
 *
 * <p>The system property {@code soak.messages} says how many (5,000 by default), {@code soak.seed} how they are drawn.
 */
class SoakTest {

    private static final int MESSAGES = Integer.getInteger("soak.messages", 5_000);
    private static final long SEED = Long.getLong("soak.seed", 20_261_130);
    private static final Duration PATIENCE =
            Duration.ofSeconds(60).plus(Duration.ofMillis(10).multipliedBy(MESSAGES));
    private static final Duration LATE = Duration.ofMillis(500); // for what was published for a link that is gone
    private static final int BROKERS_CAP = 10; // of EmbeddedArtemis

    private final EmbeddedArtemis broker = EmbeddedArtemis.withDefaults();
    private final FrameProxy proxy = FrameProxy.to(broker.port());
    private final SoakBook book = new SoakBook();
    private final Random random = new Random(SEED);
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.consignee");
    private final Level usual = logger.getLevel();
    private final LogCapture log = LogCapture.ofConsignee();
    private final List<SubscriptionStatus> statuses = new ArrayList<>(); // of applications that have ended
    private final Map<Integer, Integer> buried = new HashMap<>(); // in the dead-letter queue of ours, by id
    private final Map<Integer, Integer> rejected = new HashMap<>(); // in the broker's, by id
    private volatile WeldApplication application;
    private SoakLedger ledger;
    private volatile boolean over;
    private int disturbances;

    @BeforeEach
    void beQuiet() {
        logger.setLevel(Level.ERROR); // cuts and handlers that throw are what is wanted here
    }

    @AfterEach
    void close() {
        logger.setLevel(usual);
        log.close();
        if (application != null) {
            application.close();
        }
        proxy.close();
        broker.close();
    }

    @Test
    void nothingIsLostWhileLinksAreCutAndTheBrokerDelays() throws Exception {
        SoakModel model = new SoakModel(SEED, false);
        soak(model, 200 + MESSAGES / 100, this::cutSomething);
        assertThatNothingIsLost(model);
        assertThat(disturbances).as("cuts").isGreaterThan(10);
        assertThat(sum(SubscriptionStatus::lostCopies)).isZero();
    }

    @Test
    void everyMessageEndsAsDrawnWhileCopiesWaitInTheProcess() throws Exception {
        SoakModel model = new SoakModel(SEED, true);
        soak(model, MESSAGES / 4, this::restart);
        assertThatNothingIsLost(model);
        assertThatAllWentAsDrawn(model);
        assertThat(disturbances).as("stops").isGreaterThan(2);
    }

    // --- the run

    private void soak(SoakModel model, int callsBetweenDisturbances, Runnable disturb) throws Exception {
        Arrays.stream(Lane.values()).forEach(lane -> broker.createQueue(lane.queue));
        broker.createQueue(SoakHandlers.DEAD);
        broker.plugIn(book);
        proxy.recording(false);
        ledger = new SoakLedger(model, MESSAGES, since -> 1 + random.nextInt(2 * callsBetweenDisturbances));
        start();
        long begin = System.nanoTime();
        Thread disturber = new Thread(() -> disturb(disturb), "soak-disturber");
        disturber.start();
        try (AmqpClient client = new AmqpClient(broker.url())) {
            send(client, model);
            awaitEnd();
        } finally {
            over = true; // also where an interrupt is lost on the way
            disturber.interrupt();
            disturber.join();
        }
        stop();
        broker.messages(SoakHandlers.DEAD)
                .forEach(message -> buried.merge((Integer) message.properties().get(SoakBook.ID), 1, Integer::sum));
        broker.messages(EmbeddedArtemis.DEAD_LETTER_QUEUE)
                .forEach(
                        message -> rejected.merge((Integer) message.properties().get(SoakBook.ID), 1, Integer::sum));
        report(model, Duration.ofNanos(System.nanoTime() - begin));
    }

    private void start() {
        application = WeldApplication.of(SoakHandlers.class)
                .extension(ledger.new Bean())
                .url(proxy.url())
                .config("consignee.defaults.delayed-retry", ledger.model().inProcess() ? "in-process" : "broker")
                .config("consignee.subscriber.wide.max-waiting-copies", "50")
                .config(
                        "consignee.subscriber.narrow.max-waiting-copies",
                        "10") // at a credit of 1, a grant missed is the end
                .config("consignee.shutdown-timeout", "30s")
                .start();
    }

    private void stop() {
        application.stopSubscriptions();
        statuses.addAll(application.bean(Diagnostics.class).subscriptions());
        application.close();
    }

    private void restart() {
        stop();
        start();
    }

    /** Later on only connections that publish: the loss of a link that receives would bring back what is forgotten. */
    private void cutSomething() {
        if (ledger.total() > MESSAGES) {
            proxy.sendingConnections().forEach(proxy::cut);
            return;
        }
        List<Integer> connections = proxy.connections();
        if (connections.isEmpty() || random.nextInt(3) == 0) {
            proxy.cut();
        } else {
            proxy.cut(connections.get(random.nextInt(connections.size())));
        }
    }

    private void disturb(Runnable disturb) {
        try {
            while (!over) {
                ledger.marks().acquire();
                disturb.run();
                disturbances++;
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(AmqpClient client, SoakModel model) throws Exception {
        for (Lane lane : Lane.values()) {
            int[] ids = IntStream.range(0, MESSAGES)
                    .filter(id -> model.lane(id) == lane)
                    .toArray();
            client.sendToQueue(lane.queue, ids.length, i -> {
                Outbound message = Outbound.text(Integer.toString(ids[i])).withProperty(SoakBook.ID, ids[i]);
                return model.durable(ids[i]) ? message : message.notDurable();
            });
        }
    }

    /** Waits until there is nothing left, neither with the broker nor in the process. */
    private void awaitEnd() {
        Tck.await()
                .atMost(Tck.patient(PATIENCE))
                .during(LATE)
                .untilAsserted(() -> assertThat(left()).as(this::state).isZero());
    }

    private long left() {
        long waiting =
                statuses().stream().mapToLong(SubscriptionStatus::waitingCopies).sum();
        return waiting
                + Arrays.stream(Lane.values())
                        .mapToLong(lane -> broker.queue(lane.queue).messageCount())
                        .sum();
    }

    private List<SubscriptionStatus> statuses() {
        WeldApplication current = application;
        return current.container().isRunning() ? current.bean(Diagnostics.class).subscriptions() : List.of();
    }

    private String state() {
        return "messages left, after " + ledger.total() + " calls; seed " + SEED + ";\n" + statuses() + "\n"
                + Arrays.stream(Lane.values())
                        .map(lane -> broker.queue(lane.queue))
                        .toList();
    }

    // --- the accounts

    private long sum(ToLongFunction<SubscriptionStatus> count) {
        return statuses.stream().mapToLong(count).sum();
    }

    private long total(ToLongFunction<QueueCounters> count) {
        return Arrays.stream(Lane.values())
                .map(lane -> broker.queue(lane.queue))
                .mapToLong(count)
                .sum();
    }

    private static long total(Map<Integer, Integer> byId) {
        return byId.values().stream().mapToLong(Integer::longValue).sum();
    }

    /** What a delivery that the broker has carried out was, by the model. */
    private static Verdict verdict(SoakModel model, End end) {
        boolean counted = end.copies() == 0 && (model.durable(end.id()) || end.deliveries() > 1);
        return model.verdict(end.id(), end.attempt(), counted);
    }

    private static boolean deliveredTooOften(End end) {
        return end.reason() == AckReason.KILLED && end.deliveries() >= BROKERS_CAP;
    }

    /** What the broker's book says of one message and its copies. */
    private static final class Account {
        private int done;
        private int rejectedForGood;
        private int forwarded;
        private int buried;
        private int copies;
        private final Map<Integer, Integer> copied = new HashMap<>(); // settled for the sake of a copy, by attempt
        private final Map<Integer, Integer> copiesOf = new HashMap<>(); // seen, by the attempt that they say they copy

        void add(End end, Verdict verdict) {
            if (end.copies() > 0) {
                copies++;
                copiesOf.merge(end.copies(), 1, Integer::sum);
            }
            if (deliveredTooOften(end)) {
                rejectedForGood++;
                return;
            }
            switch (verdict) {
                case DONE -> done++;
                case REJECTED -> rejectedForGood++;
                case BURIED -> buried++;
                case COPIED, REJECTED_AND_COPIED -> {
                    forwarded++;
                    copied.merge(end.attempt(), 1, Integer::sum);
                }
                case RETURNED -> throw new IllegalStateException("a modified message has not come to its end: " + end);
            }
        }

        /** How often it has come to its end, dead letters apart. */
        int ends() {
            return done + rejectedForGood;
        }

        /** Whether each delivery that was settled for the sake of a copy has one. */
        boolean everyCopyIsThere() {
            return copied.entrySet().stream()
                    .allMatch(each -> each.getValue() <= copiesOf.getOrDefault(each.getKey(), 0));
        }
    }

    private Map<Integer, Account> accounts(SoakModel model, List<String> problems) {
        Map<Integer, Account> accounts = new HashMap<>();
        for (End end : book.ends()) {
            Verdict verdict = verdict(model, end);
            boolean right = end.reason() == AckReason.NORMAL
                    ? verdict.accepts()
                    : end.reason() == AckReason.KILLED && (verdict.rejects() || deliveredTooOften(end));
            if (right) {
                accounts.computeIfAbsent(end.id(), id -> new Account()).add(end, verdict);
            } else {
                problems.add("settled, though drawn " + verdict + ": " + end);
            }
        }
        return accounts;
    }

    private void assertThatNothingIsLost(SoakModel model) {
        List<String> problems = new ArrayList<>(ledger.examples());
        Map<Integer, Account> accounts = accounts(model, problems);
        for (int id = 0; id < MESSAGES; id++) {
            Account account = accounts.getOrDefault(id, new Account());
            int ends = account.ends() + buried.getOrDefault(id, 0);
            if (ends == 0) {
                problems.add("lost: " + id + ", which handlers saw " + ledger.calls(id) + " times");
            } else if (!account.everyCopyIsThere()) {
                problems.add("settled for the sake of a copy that is not there: " + id);
            } else if (account.buried > buried.getOrDefault(id, 0)) {
                problems.add("settled for the sake of a dead letter that is not there: " + id);
            }
        }
        long done = accounts.values().stream().mapToLong(each -> each.done).sum();
        long ended = accounts.values().stream()
                .mapToLong(each -> each.rejectedForGood)
                .sum();
        long forwarded = accounts.values().stream()
                .mapToLong(each -> each.forwarded + each.buried)
                .sum();
        long published = total(QueueCounters::messagesAdded) - MESSAGES + total(buried);
        long more = IntStream.range(0, MESSAGES)
                .map(id -> accounts.getOrDefault(id, new Account()).ends() + buried.getOrDefault(id, 0) - 1)
                .filter(excess -> excess > 0)
                .asLongStream()
                .sum();
        print(
                "its accounts: %d sent = %d accepted + %d dead letters + %d rejected - %d duplicates",
                MESSAGES, done, total(buried), ended, more);
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(problems).as("seed " + SEED).isEmpty();
            softly.assertThat(log.lines()).as("errors").isEmpty();
            softly.assertThat(done + total(buried) + ended)
                    .as("accepted, dead letters, rejected: all that was sent, and the duplicates by id")
                    .isEqualTo(MESSAGES + more);
            softly.assertThat(total(QueueCounters::messagesAdded))
                    .as("messages that came into the queues, and went")
                    .isEqualTo(total(QueueCounters::messagesAcknowledged) + total(QueueCounters::messagesKilled));
            softly.assertThat((long) book.ends().size())
                    .as("messages whose end the broker told")
                    .isEqualTo(total(QueueCounters::messagesAdded));
            softly.assertThat(total(rejected))
                    .as("messages in the broker's dead-letter queue")
                    .isEqualTo(total(QueueCounters::messagesKilled));
            softly.assertThat(done + total(buried) + ended)
                    .as("the same, and what was published without its original being settled")
                    .isEqualTo(MESSAGES + published - forwarded);
            softly.assertThat(broker.queue(EmbeddedArtemis.EXPIRY_QUEUE).messageCount())
                    .isZero();
        });
    }

    /** Without cuts there is neither a duplicate nor a delivery too many, and each attempt has its number. */
    private void assertThatAllWentAsDrawn(SoakModel model) {
        Fate fate = IntStream.range(0, MESSAGES).mapToObj(model::fate).reduce(Fate.NONE, Fate::plus);
        List<String> problems = new ArrayList<>();
        Map<Integer, Account> accounts = accounts(model, problems);
        for (int id = 0; id < MESSAGES; id++) {
            Account account = accounts.getOrDefault(id, new Account());
            int ends = account.ends() + buried.getOrDefault(id, 0);
            Fate drawn = model.fate(id);
            if (ends != 1
                    || ledger.calls(id) != drawn.deliveries()
                    || account.copies != drawn.copies()
                    || rejected.getOrDefault(id, 0) != drawn.rejected()) {
                problems.add(id + " ended " + ends + " times after " + ledger.calls(id) + " calls and " + account.copies
                        + " copies, drawn was " + drawn);
            }
        }
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(problems).as("seed " + SEED).isEmpty();
            softly.assertThat(ledger.total()).as("calls").isEqualTo((int) fate.deliveries());
            softly.assertThat(ledger.outOfStep())
                    .as("calls with another attempt number")
                    .isZero();
            softly.assertThat(ledger.beyondTheCap()).isZero();
            softly.assertThat(total(QueueCounters::messagesAdded)).isEqualTo(MESSAGES + fate.copies());
            softly.assertThat(total(QueueCounters::messagesAcknowledged)).isEqualTo(fate.accepted());
            softly.assertThat(total(QueueCounters::messagesKilled)).isEqualTo(fate.rejected());
            softly.assertThat(broker.queue(SoakHandlers.DEAD).messagesAdded()).isEqualTo(fate.buried());
            softly.assertThat(sum(SubscriptionStatus::copies)).isEqualTo(fate.copies());
            softly.assertThat(sum(SubscriptionStatus::deadLetters)).isEqualTo(fate.buried());
            softly.assertThat(sum(SubscriptionStatus::accepted)).isEqualTo(fate.accepted());
            softly.assertThat(sum(SubscriptionStatus::rejected)).isEqualTo(fate.rejected());
            softly.assertThat(sum(SubscriptionStatus::lostCopies)).isZero();
            softly.assertThat(sum(SubscriptionStatus::linkLost)).isZero();
        });
    }

    @SuppressWarnings("SystemOut") // the build's log is to show the seed and the numbers
    private static void print(String format, Object... values) {
        System.out.printf(format + "%n", values);
    }

    private void report(SoakModel model, Duration time) {
        long added = total(QueueCounters::messagesAdded);
        print(
                "soak of %d messages, seed %d, delays %s: %d ms, %d %s; handlers called %d times (%d beyond the cap);"
                        + " broker: %d added, %d accepted, %d rejected, %d copies, %d dead letters;"
                        + " process: %d copies and %d dead letters confirmed, %d accepted, %d modified, %d rejected,"
                        + " %d links lost, %d attached",
                MESSAGES,
                SEED,
                model.inProcess() ? "in the process" : "with the broker",
                time.toMillis(),
                disturbances,
                model.inProcess() ? "stops" : "cuts",
                ledger.total(),
                ledger.beyondTheCap(),
                added,
                total(QueueCounters::messagesAcknowledged),
                total(QueueCounters::messagesKilled),
                added - MESSAGES,
                total(buried),
                sum(SubscriptionStatus::copies),
                sum(SubscriptionStatus::deadLetters),
                sum(SubscriptionStatus::accepted),
                sum(SubscriptionStatus::modified),
                sum(SubscriptionStatus::rejected),
                sum(SubscriptionStatus::linkLost),
                sum(SubscriptionStatus::attached));
    }
}

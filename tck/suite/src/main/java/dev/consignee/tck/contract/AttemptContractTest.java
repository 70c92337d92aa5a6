package dev.consignee.tck.contract;

import static dev.consignee.tck.Tck.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.Direction;
import dev.consignee.tck.LinkEvent;
import dev.consignee.tck.Outbound;
import dev.consignee.tck.Tck;
import dev.consignee.tck.TckApplication;
import dev.consignee.tck.WireMessage;
import dev.consignee.tck.app.Handled;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How attempts are counted, who counts them, and what becomes of a message that has had them. */
class AttemptContractTest {

    private static final String RETRY_COUNT = "x-ruststream-retry-count";

    @RegisterExtension
    final Tck tck = new Tck();

    // --- what a test sends

    /** From a peer that sends no header section. */
    private static Outbound headerless(String id, String script) {
        return message(List.of(), id, script, List.of());
    }

    /** From a peer that sends no header section, and copied that often already. */
    private static Outbound copy(String id, String script, @Nullable Object retryCount) {
        return message(List.of(), id, script, List.of(counted(retryCount)));
    }

    private static Outbound durable(String id, String script) {
        return message(List.of(durable()), id, script, List.of());
    }

    private static Header durable() {
        Header header = new Header();
        header.setDurable(true);
        return header;
    }

    private static ApplicationProperties counted(@Nullable Object retryCount) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(RETRY_COUNT, retryCount);
        return new ApplicationProperties(properties);
    }

    private static Outbound message(
            List<Header> header, String id, String script, List<ApplicationProperties> counted) {
        Properties named = new Properties();
        named.setCorrelationId(id);
        named.setContentType(Symbol.valueOf("text/plain"));
        List<Section> sections = new ArrayList<>(header);
        sections.add(named);
        sections.addAll(counted);
        sections.add(new Data(new Binary(script.getBytes(StandardCharsets.UTF_8))));
        return Outbound.sections(sections.toArray(Section[]::new));
    }

    // --- what it sees

    private static List<Integer> attempts(TckApplication application, String id) {
        return of(application, id).stream().map(Handled::attempt).toList();
    }

    private static List<OptionalInt> counts(TckApplication application, String id) {
        return of(application, id).stream().map(Handled::redeliveryCount).toList();
    }

    private static List<Handled> of(TckApplication application, String id) {
        return application.handled().stream()
                .filter(each -> each.message().equals(id))
                .toList();
    }

    /** What the application published to an address, as it left. */
    private List<WireMessage> sentTo(String address) {
        return tck.proxy().events(LinkEvent.Transferred.class).stream()
                .filter(event -> event.sendingTo(address))
                .map(LinkEvent.Transferred::message)
                .toList();
    }

    private List<String> retryCountsSentTo(String address, String id) {
        return sentTo(address).stream()
                .filter(message -> message.correlationId().equals(Optional.of(id)))
                .map(message -> (String) message.properties().get(RETRY_COUNT))
                .toList();
    }

    private void awaitDispositions(String address, int count) {
        await().untilAsserted(
                        () -> assertThat(tck.proxy().dispositionsOf(address)).hasSize(count));
    }

    /** In any order: a copy may be settled before its original, whose copy the broker has yet to confirm. */
    private void assertDispositions(String address, Class<?>... states) {
        awaitDispositions(address, states.length);
        assertThat(tck.proxy().dispositionsOf(address))
                .<Class<?>>extracting(each -> each.getClass())
                .containsExactlyInAnyOrderElementsOf(List.of(states));
    }

    private void awaitCounts(String queue, long messages) {
        await().untilAsserted(() ->
                assertThat(tck.broker().queue(queue).messageCount()).isEqualTo(messages));
    }

    private static List<OptionalInt> numbers(int... numbers) {
        return Arrays.stream(numbers)
                .mapToObj(number -> number == 0 ? OptionalInt.empty() : OptionalInt.of(number))
                .toList();
    }

    // --- the seeds' example: out of stock, five attempts

    @Test
    @Asserts({"attempt-1", "attempt-3", "attempt-4", "attempt-5", "attempt-7", "attempt-8"})
    void messageOfThisPublisherIsCountedByTheBrokerAndDeliveredFiveTimes() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("capped", "mortal"))) {
            tck.client().sendToQueue("work", Outbound.text("publish:capped:retry"));
            tck.client().sendToQueue("work", Outbound.text("publish:mortal:retry"));

            assertDispositions(
                    "capped", Modified.class, Modified.class, Modified.class, Modified.class, Rejected.class);
            assertThat(attempts(application, "published to capped")).containsExactly(1, 2, 3, 4, 5);
            assertThat(counts(application, "published to capped")).isEqualTo(numbers(1, 2, 3, 4, 5));
            assertThat(sentTo("capped")).as("published once, never copied").hasSize(1);
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(1));
            awaitCounts("capped", 0);

            assertDispositions(
                    "mortal", Modified.class, Modified.class, Modified.class, Modified.class, Accepted.class);
            assertThat(attempts(application, "published to mortal")).containsExactly(1, 2, 3, 4, 5);
            assertThat(sentTo("mortal")).hasSize(1);
            awaitCounts("mortal.dead", 1);
            awaitCounts("mortal", 0);
            WireMessage dead = tck.broker().messages("mortal.dead").get(0);
            assertThat(dead.text()).isEqualTo("retry");
            assertThat(dead.durable()).isTrue();
            assertThat(dead.deliveryCount()).isZero();
            assertThat(dead.properties()).doesNotContainKey(RETRY_COUNT);
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(1)); // none of mortal's
            await().until(() -> application.subscription("mortal").accepted() == 1);
            assertThat(application.subscription("mortal").deadLetters()).isEqualTo(1);
            assertThat(application.subscription("capped").copies()).isZero();
        }
    }

    @Test
    @Asserts({"attempt-1", "attempt-2", "attempt-3", "attempt-4", "attempt-6", "attempt-7", "attempt-8"})
    void messageWithoutAHeaderComesBackAsCopiesAndIsDeliveredFiveTimes() throws Exception {
        Header empty = new Header();
        empty.setDurable(false);
        empty.setPriority(UnsignedByte.valueOf((byte) 4));
        try (TckApplication application = tck.deployWith(List.of("capped", "mortal"))) {
            tck.client().sendToQueue("capped", headerless("none", "retry"));
            tck.client().sendToQueue("mortal", message(List.of(empty), "says nothing", "retry", List.of()));

            assertDispositions(
                    "capped", Accepted.class, Accepted.class, Accepted.class, Accepted.class, Rejected.class);
            assertThat(attempts(application, "none")).containsExactly(1, 2, 3, 4, 5);
            assertThat(counts(application, "none")).isEqualTo(numbers(0, 0, 0, 0, 0));
            assertThat(retryCountsSentTo("capped", "none")).containsExactly("1", "2", "3", "4");
            assertThat(sentTo("capped"))
                    .allMatch(message -> message.section(Header.class).isEmpty())
                    .extracting(message -> message.messageId().orElseThrow())
                    .doesNotHaveDuplicates();
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(1));
            assertThat(tck.broker().queue("capped").messagesAdded())
                    .as("the message and its copies")
                    .isEqualTo(5);
            awaitCounts("capped", 0);

            assertDispositions(
                    "mortal", Accepted.class, Accepted.class, Accepted.class, Accepted.class, Accepted.class);
            assertThat(attempts(application, "says nothing")).containsExactly(1, 2, 3, 4, 5);
            assertThat(counts(application, "says nothing")).isEqualTo(numbers(0, 0, 0, 0, 0));
            assertThat(retryCountsSentTo("mortal", "says nothing")).containsExactly("1", "2", "3", "4");
            awaitCounts("mortal.dead", 1);
            assertThat(tck.broker().messages("mortal.dead").get(0).properties())
                    .as("as it arrived the fifth time")
                    .containsEntry(RETRY_COUNT, "4");
            awaitCounts("mortal", 0);
            await().until(() -> application.subscription("mortal").accepted() == 5);
            assertThat(application.subscription("mortal").copies()).isEqualTo(4);
            assertThat(application.subscription("mortal").deadLetters()).isEqualTo(1);
        }
    }

    @Test
    @Asserts({"attempt-4", "attempt-7", "attempt-8", "attempt-10"})
    void capOfOneEndsEveryRetryAtTheFirstDelivery() throws Exception {
        try (TckApplication application = tck.deployWith(
                List.of("capped", "mortal"),
                "max-attempts",
                "1",
                "consignee.subscriber.mortal.max-attempts",
                "1",
                "consignee.subscriber.mortal.delayed-retry",
                "hold")) {
            for (String queue : List.of("capped", "mortal")) {
                tck.client()
                        .sendToQueue(
                                queue,
                                headerless(queue + 1, "retry"),
                                durable(queue + 2, "retry"),
                                headerless(queue + 3, "after:600000"),
                                durable(queue + 4, "after:600000"),
                                copy(queue + 5, "throw", 3));
            }
            awaitDispositions("capped", 5);
            assertThat(tck.proxy().dispositionsOf("capped")).allMatch(each -> each instanceof Rejected);
            awaitDispositions("mortal", 5);
            assertThat(tck.proxy().dispositionsOf("mortal")).allMatch(each -> each instanceof Accepted);
            assertThat(application.handled()).hasSize(10);
            assertThat(sentTo("capped")).isEmpty();
            assertThat(sentTo("mortal")).isEmpty();
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(5));
            awaitCounts("mortal.dead", 5);
            assertThat(application.subscription("capped").waitingCopies()).isZero();
        }
    }

    @Test
    @Asserts("attempt-4")
    void deliveryWithoutAnOutcomeCountsOnlyWhereTheBrokerCountedIt() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("capped", "mortal"))) {
            tck.client().sendToQueue("capped", durable("counted", "hold,retry"));
            tck.client().sendToQueue("mortal", headerless("uncounted", "hold,retry"));
            await().until(() -> application.held() == 2);
            tck.proxy().cut();
            application.letGo();

            awaitCounts("mortal.dead", 1);
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(1));
            List<Handled> counted = of(application, "counted");
            assertThat(counted).allMatch(each -> each.redeliveryCount().getAsInt() == each.attempt());
            assertThat(counted.get(counted.size() - 1).attempt()).isEqualTo(5);
            List<Handled> uncounted = of(application, "uncounted");
            assertThat(uncounted.get(1).attempt())
                    .as("the second delivery, which may have the broker's count now")
                    .isEqualTo(uncounted.get(1).redeliveryCount().orElse(1));
            assertThat(uncounted.get(uncounted.size() - 1).attempt()).isEqualTo(5);
        }
    }

    // --- who counts

    @Test
    @Asserts({"attempt-2", "attempt-3"})
    void attemptsThatTheBrokerCountedOfACopyAreNotForgotten() throws Exception {
        try (TckApplication application =
                tck.deployWith(List.of("capped"), "attempt-source", "broker", "on-exception", "STOP")) {
            tck.client().sendToQueue("capped", copy("twice", "retry,throw", 1));
            await().until(() -> application.subscription("capped").state().equals("STOPPED_BY_POLICY"));
            assertThat(attempts(application, "twice")).containsExactly(2, 3);
            assertThat(counts(application, "twice")).isEqualTo(numbers(0, 2));
            assertDispositions("capped", Modified.class);
        }
        tck.proxy().clear();
        try (TckApplication application = tck.deployWith(List.of("capped"))) {
            await().until(() -> !of(application, "twice").isEmpty());
            Handled redelivered = of(application, "twice").get(0);
            assertThat(redelivered.redeliveryCount().orElse(0)).isGreaterThanOrEqualTo(2);
            assertThat(redelivered.attempt())
                    .isEqualTo(1 + redelivered.redeliveryCount().orElse(0));

            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(1));
            int first = redelivered.attempt();
            assertThat(retryCountsSentTo("capped", "twice").get(0)).isEqualTo(String.valueOf(first));
            assertThat(attempts(application, "twice"))
                    .startsWith(first, first + 1)
                    .endsWith(5);
            assertThat(counts(application, "twice").subList(1, 2)).isEqualTo(numbers(0));
            assertThat(sentTo("capped"))
                    .as("the broker's count stays behind")
                    .allMatch(message -> message.section(Header.class).isEmpty());
        }
    }

    @Test
    @Asserts("attempt-3")
    void retryCountIsReadWhateverAPeerWroteItAs() throws Exception {
        Map<String, Object> sevens = new LinkedHashMap<>();
        List.of((byte) 7, (short) 7, 7, 7L)
                .forEach(number -> sevens.put(number.getClass().getSimpleName(), number));
        sevens.put("ubyte", UnsignedByte.valueOf((byte) 7));
        sevens.put("ushort", UnsignedShort.valueOf((short) 7));
        sevens.put("uint", UnsignedInteger.valueOf(7));
        sevens.put("ulong", UnsignedLong.valueOf(7));
        sevens.put("string", "7");
        sevens.put("padded", " 007 ");
        sevens.put("symbol", Symbol.valueOf("7"));
        sevens.put("binary", new Binary(new byte[] {'7'}));
        Map<String, Object> zeros = new LinkedHashMap<>();
        zeros.put("word", "seven");
        zeros.put("empty", "");
        zeros.put("fraction", "7.0");
        zeros.put("negative text", "-7");
        zeros.put("plus", "+7");
        zeros.put("Arabic-Indic", "\u0667");
        zeros.put("negative", -7);
        zeros.put("float", 7.0f);
        zeros.put("double", 7.0);
        zeros.put("decimal", new Decimal32(7));
        zeros.put("boolean", true);
        zeros.put("char", '7');
        zeros.put("uuid", new UUID(0, 7));
        zeros.put("list", new ArrayList<>(List.of(7)));
        zeros.put("no UTF-8", new Binary(new byte[] {(byte) 0xff, (byte) 0xfe}));
        zeros.put("null", null);
        Map<String, Object> many = new LinkedHashMap<>();
        many.put(
                "greatest ulong",
                UnsignedLong.valueOf(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE)));
        many.put("greatest long", Long.MAX_VALUE);
        many.put("thirty digits", "9".repeat(30));

        try (TckApplication application = tck.deployWith(List.of("patient", "capped"))) {
            for (Map<String, Object> each : List.of(sevens, zeros, many)) {
                for (Map.Entry<String, Object> count : each.entrySet()) {
                    tck.client().sendToQueue("patient", copy(count.getKey(), "ack", count.getValue()));
                }
            }
            tck.client().sendToQueue("capped", copy("spent by text", "retry", "4"));
            tck.client().sendToQueue("capped", copy("garbage", "retry,retry,ack", "seven"));
            tck.client().sendToQueue("capped", copy("far beyond", "retry", UnsignedLong.valueOf(-1L)));
            awaitDispositions("patient", sevens.size() + zeros.size() + many.size());

            sevens.keySet()
                    .forEach(name ->
                            assertThat(attempts(application, name)).as(name).containsExactly(8));
            zeros.keySet()
                    .forEach(name ->
                            assertThat(attempts(application, name)).as(name).containsExactly(1));
            many.keySet()
                    .forEach(name ->
                            assertThat(attempts(application, name)).as(name).containsExactly(Integer.MAX_VALUE));
            assertThat(tck.proxy().dispositionsOf("patient")).allMatch(each -> each instanceof Accepted);

            awaitDispositions("capped", 5);
            assertThat(attempts(application, "spent by text")).containsExactly(5);
            assertThat(attempts(application, "far beyond")).containsExactly(Integer.MAX_VALUE);
            assertThat(attempts(application, "garbage")).containsExactly(1, 2, 3);
            assertThat(retryCountsSentTo("capped", "garbage")).containsExactly("1", "2");
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(2));
        }
    }

    @Test
    @Asserts("attempt-5")
    void withoutACapEveryRetryIsModifiedAndTheBrokerCounts() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("patient"))) {
            tck.client()
                    .sendToQueue(
                            "patient",
                            headerless("headerless", "retry,retry,ack"),
                            durable("durable", "retry,retry,ack"),
                            copy("copy", "retry,retry,ack", "40"));
            awaitDispositions("patient", 9);
            assertThat(tck.proxy().dispositionsOf("patient").stream().filter(each -> each instanceof Modified))
                    .hasSize(6);
            assertThat(attempts(application, "headerless")).containsExactly(1, 2, 3);
            assertThat(attempts(application, "durable")).containsExactly(1, 2, 3);
            assertThat(attempts(application, "copy")).containsExactly(41, 42, 43);
            assertThat(counts(application, "copy")).isEqualTo(numbers(0, 2, 3));
            assertThat(sentTo("patient")).isEmpty();
            awaitCounts("patient", 0);
        }
    }

    @Test
    @Asserts({"attempt-6", "attempt-4"})
    void durableCopyIsStillACopyAndComesBackAsOne() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("capped"))) {
            tck.client()
                    .sendToQueue("capped", message(List.of(durable()), "durable copy", "retry", List.of(counted("2"))));
            assertDispositions("capped", Accepted.class, Accepted.class, Rejected.class);
            assertThat(attempts(application, "durable copy")).containsExactly(3, 4, 5);
            assertThat(counts(application, "durable copy")).isEqualTo(numbers(1, 1, 1));
            assertThat(retryCountsSentTo("capped", "durable copy")).containsExactly("3", "4");
            assertThat(sentTo("capped")).allMatch(WireMessage::durable);
        }
    }

    @Test
    @Asserts({"attempt-12", "attempt-3", "attempt-4"})
    void brokerIsTrustedToCountWhereThatIsConfigured() throws Exception {
        try (TckApplication application = tck.deployWith(
                List.of("capped", "mortal"),
                "attempt-source",
                "broker",
                "consignee.subscriber.mortal.attempt-source",
                "broker")) {
            tck.client().sendToQueue("capped", headerless("headerless", "retry"));
            tck.client().sendToQueue("mortal", copy("copy", "retry", 2));
            assertDispositions(
                    "capped", Modified.class, Modified.class, Modified.class, Modified.class, Rejected.class);
            assertThat(attempts(application, "headerless")).containsExactly(1, 2, 3, 4, 5);
            assertThat(counts(application, "headerless")).isEqualTo(numbers(0, 2, 3, 4, 5));
            assertDispositions("mortal", Modified.class, Modified.class, Accepted.class);
            assertThat(attempts(application, "copy")).containsExactly(3, 4, 5);
            assertThat(sentTo("capped")).isEmpty();
            assertThat(sentTo("mortal")).isEmpty();
            assertThat(sentTo("mortal.dead")).hasSize(1).allSatisfy(dead -> {
                assertThat(dead.section(Header.class)).as("the broker's count").isEmpty();
                assertThat(dead.properties()).containsEntry(RETRY_COUNT, 2);
            });
        }
    }

    // --- the end

    @Test
    @Asserts("attempt-9")
    void deadLetterAddressWithoutACapTakesEveryRetry() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("fatal"))) {
            tck.client()
                    .sendToQueue(
                            "fatal",
                            headerless("1", "retry"),
                            durable("2", "retry"),
                            copy("3", "retry", 1),
                            headerless("4", "after:600000"),
                            durable("5", "after:0"),
                            headerless("6", "throw"),
                            headerless("7", "null"));
            tck.client().sendToQueue("fatal", headerless("8", "ack"), headerless("9", "drop"));
            awaitDispositions("fatal", 9);
            assertThat(tck.proxy().dispositionsOf("fatal").stream().filter(each -> each instanceof Rejected))
                    .as("the one that was dropped")
                    .hasSize(1);
            assertThat(tck.proxy().dispositionsOf("fatal")).noneMatch(each -> each instanceof Modified);
            awaitCounts("fatal.dead", 7);
            assertThat(tck.broker().messages("fatal.dead"))
                    .extracting(message -> message.correlationId().orElseThrow())
                    .containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6", "7");
            assertThat(application.handled()).hasSize(9);
            assertThat(sentTo("fatal")).isEmpty();
            assertThat(application.subscription("fatal").waitingCopies()).isZero();
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(1));
        }
    }

    @Test
    @Asserts({"attempt-10", "attempt-2", "settle-6"})
    void delayedRetryIsCappedAndAckAndDropAreNot() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("capped", "mortal"))) {
            tck.client().sendToQueue("capped", headerless("headerless", "after:20"));
            tck.client().sendToQueue("mortal", durable("durable", "after:20,retry,after:20,retry"));
            assertDispositions(
                    "capped", Rejected.class, Rejected.class, Rejected.class, Rejected.class, Rejected.class);
            assertThat(attempts(application, "headerless")).containsExactly(1, 2, 3, 4, 5);
            assertThat(retryCountsSentTo("capped", "headerless")).containsExactly("1", "2", "3", "4");
            assertDispositions(
                    "mortal", Rejected.class, Accepted.class, Rejected.class, Accepted.class, Accepted.class);
            assertThat(attempts(application, "durable")).containsExactly(1, 2, 3, 4, 5);
            assertThat(counts(application, "durable")).isEqualTo(numbers(1, 1, 1, 1, 1));
            awaitCounts("mortal.dead", 1);
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters())
                    .as("each rejected hop")
                    .isEqualTo(7));
            assertThat(application.subscription("capped").waitingCopies()).isZero();

            tck.proxy().clear();
            tck.client().sendToQueue("mortal", copy("ack", "ack", 99), copy("drop", "drop", 99));
            assertDispositions("mortal", Accepted.class, Rejected.class);
            assertThat(attempts(application, "ack")).containsExactly(100);
            assertThat(sentTo("mortal.dead")).isEmpty();
            assertThat(tck.proxy().dispositions(Direction.CLIENT_TO_BROKER)).allMatch(LinkEvent.Disposed::settled);
        }
    }

    @Test
    @Asserts("settle-6")
    void retryAfterRejectsFirstAndPublishesACopyOnceTheTimeIsOver() throws Exception {
        try (TckApplication application = tck.deployWith(List.of("patient"))) {
            tck.client().sendToQueue("patient", durable("later", "after:300,ack"));
            await().until(() -> !tck.proxy().dispositionsOf("patient").isEmpty());
            long rejected = System.nanoTime();
            assertThat(tck.proxy().dispositionsOf("patient")).hasExactlyElementsOfTypes(Rejected.class);
            assertThat(sentTo("patient")).isEmpty();
            await().until(() -> !sentTo("patient").isEmpty());
            assertThat(System.nanoTime() - rejected).isGreaterThan(150_000_000L);
            assertDispositions("patient", Rejected.class, Accepted.class);
            assertThat(retryCountsSentTo("patient", "later")).containsExactly("1");
            assertThat(attempts(application, "later")).containsExactly(1, 2);
            await().untilAsserted(() -> assertThat(tck.broker().deadLetters()).isEqualTo(1));
            awaitCounts("patient", 0);
        }
    }
}

package dev.consignee.discovery;

import dev.consignee.Subscriber;
import dev.consignee.declaration.Attribute;
import dev.consignee.declaration.Setting;
import dev.consignee.declaration.Unwritten;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What is written on an annotation, as opposed to what it says where nothing is. */
final class Written {

    private final Map<Attribute, Setting> settings = new EnumMap<>(Attribute.class);

    private Written() {}

    static Map<Attribute, Setting> settings(Subscriber subscriber) {
        Written written = new Written();
        written.text(Attribute.VALUE, subscriber.value());
        written.text(Attribute.QUEUE, subscriber.queue());
        written.text(Attribute.TOPIC, subscriber.topic());
        written.text(Attribute.NAME, subscriber.name());
        written.text(Attribute.BROKER, subscriber.broker());
        written.text(Attribute.DURABLE, subscriber.durable());
        boolean[] shared = subscriber.shared();
        written.all(
                Attribute.SHARED,
                IntStream.range(0, shared.length)
                        .mapToObj(index -> String.valueOf(shared[index]))
                        .toList());
        written.text(Attribute.SELECTOR, subscriber.selector());
        written.number(Attribute.CREDIT, subscriber.credit());
        written.constants(Attribute.SETTLE, subscriber.settle());
        written.number(Attribute.MAX_ATTEMPTS, subscriber.maxAttempts());
        written.text(Attribute.DEAD_LETTER, subscriber.deadLetter());
        written.constants(Attribute.ON_EXCEPTION, subscriber.onException());
        written.text(Attribute.BACKOFF, subscriber.backoff());
        written.all(
                Attribute.DROP_ON,
                Arrays.stream(subscriber.dropOn()).map(Class::getName).toList());
        written.constants(Attribute.ON_DECODE_ERROR, subscriber.onDecodeError());
        return written.settings;
    }

    private void text(Attribute attribute, String text) {
        if (!text.equals(Unwritten.TEXT)) {
            all(attribute, List.of(text));
        }
    }

    private void number(Attribute attribute, int number) {
        if (number != Unwritten.NUMBER) {
            all(attribute, List.of(String.valueOf(number)));
        }
    }

    private void constants(Attribute attribute, Enum<?>[] constants) {
        all(attribute, Arrays.stream(constants).map(Enum::name).toList());
    }

    private void all(Attribute attribute, List<String> values) {
        if (!values.isEmpty()) {
            settings.put(attribute, Setting.annotated(attribute, values));
        }
    }
}

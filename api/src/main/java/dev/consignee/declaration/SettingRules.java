package dev.consignee.declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What may be written for the attributes of one subscriber, each by itself and with the others. */
final class SettingRules {

    private final Declaration declaration;
    private final Place place;
    private final String subject;
    private final List<Problem> problems = new ArrayList<>();

    SettingRules(Declaration declaration) {
        this.declaration = declaration;
        this.place = Place.of(declaration);
        this.subject = "of subscriber " + Quoted.of(declaration.name());
    }

    List<Problem> check() {
        checkAddresses();
        declaration
                .settings()
                .forEach((attribute, setting) ->
                        Rules.checkValue(attribute, setting, place, subject).ifPresent(problems::add));
        checkName();
        checkTopicAttributes();
        return problems;
    }

    private void checkAddresses() {
        List<Attribute> addresses = declaration.addresses();
        if (addresses.isEmpty()) {
            problems.add(new Problem(
                    ProblemId.NO_ADDRESS,
                    place,
                    "",
                    "subscriber " + Quoted.of(declaration.name()) + " has no address",
                    "exactly one of queue, topic and value"));
        } else if (addresses.size() > 1) {
            problems.add(new Problem(
                    ProblemId.SEVERAL_ADDRESSES,
                    place,
                    settings(addresses).map(Setting::origin).distinct().collect(Collectors.joining("; ")),
                    "subscriber " + Quoted.of(declaration.name()) + " has " + addresses.size() + " addresses: "
                            + addresses.stream().map(this::shown).collect(Collectors.joining(" and ")),
                    "exactly one of queue, topic and value"));
        }
    }

    private Stream<Setting> settings(List<Attribute> attributes) {
        return attributes.stream().flatMap(attribute -> declaration.setting(attribute).stream());
    }

    private String shown(Attribute attribute) {
        return attribute.key() + " "
                + declaration
                        .setting(attribute)
                        .map(setting -> Quoted.of(setting.text()))
                        .orElse("");
    }

    /** A method's name makes a wrong name only where it has letters beyond ASCII, or none at all. */
    private void checkName() {
        if (declaration.setting(Attribute.NAME).isEmpty() && !Names.legal(declaration.name())) {
            problems.add(new Problem(
                    ProblemId.BAD_NAME,
                    place,
                    "",
                    "the name " + Quoted.of(declaration.name())
                            + ", made from the method's name, is no part of a configuration key",
                    Attribute.NAME.kind().legal(),
                    "Write @Subscriber(name = …)."));
        }
    }

    private void checkTopicAttributes() {
        List<Attribute> addresses = declaration.addresses();
        if (addresses.size() != 1 || addresses.get(0) == Attribute.TOPIC) {
            return;
        }
        if (declaration.setting(Attribute.DURABLE).isPresent()) {
            addOnlyForTopics(Attribute.DURABLE, addresses.get(0));
        }
        if (declaration.isTrue(Attribute.SHARED)) {
            addOnlyForTopics(Attribute.SHARED, addresses.get(0));
        }
    }

    private void addOnlyForTopics(Attribute attribute, Attribute address) {
        problems.add(new Problem(
                ProblemId.ONLY_FOR_TOPICS,
                place,
                settings(List.of(attribute, address)).map(Setting::origin).collect(Collectors.joining("; ")),
                "subscriber " + Quoted.of(declaration.name()) + " is " + attribute.key() + ", but consumes from "
                        + shown(address),
                attribute.key() + " with a topic only"));
    }
}

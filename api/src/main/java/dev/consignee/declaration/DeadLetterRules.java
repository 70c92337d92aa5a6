package dev.consignee.declaration;

import dev.consignee.OnDecodeError;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where the dead letters of a subscriber may go, and when they have to go somewhere. */
final class DeadLetterRules {

    private final Declaration declaration;

    DeadLetterRules(Declaration declaration) {
        this.declaration = declaration;
    }

    List<Problem> check() {
        return declaration
                .text(Attribute.DEAD_LETTER)
                .map(DeadLetterAddress::parse)
                .filter(address -> address.isConsumedBy(declaration))
                .map(this::toItself)
                .stream()
                .toList();
    }

    private Problem toItself(DeadLetterAddress address) {
        List<Attribute> written = Stream.concat(declaration.addresses().stream(), Stream.of(Attribute.DEAD_LETTER))
                .toList();
        return new Problem(
                ProblemId.DEAD_LETTER_TO_ITSELF,
                Place.of(declaration),
                written.stream().flatMap(this::origin).collect(Collectors.joining("; ")),
                "dead letters of subscriber " + Quoted.of(declaration.name()) + " would go to "
                        + (address.topic() ? "topic " : "queue ") + Quoted.of(address.name())
                        + ", from which it consumes: they would come back for ever",
                "a queue or topic from which the subscriber does not consume");
    }

    private Stream<String> origin(Attribute attribute) {
        return declaration.setting(attribute).map(Setting::origin).stream();
    }

    List<Problem> checkComplete() {
        boolean missing = declaration.setting(Attribute.DEAD_LETTER).isEmpty()
                && declaration
                        .setting(Attribute.ON_DECODE_ERROR)
                        .filter(DeadLetterRules::needsAddress)
                        .isPresent();
        return missing ? List.of(withoutAddress()) : List.of();
    }

    private static boolean needsAddress(Setting onDecodeError) {
        return Kind.Choice.parse(OnDecodeError.class, onDecodeError.text())
                .equals(Optional.of(OnDecodeError.DEAD_LETTER));
    }

    private Problem withoutAddress() {
        return new Problem(
                ProblemId.NO_DEAD_LETTER_ADDRESS,
                Place.of(declaration),
                origin(Attribute.ON_DECODE_ERROR).collect(Collectors.joining()),
                "on-decode-error of subscriber " + Quoted.of(declaration.name())
                        + " is DEAD_LETTER, but it has no dead-letter address",
                "DEAD_LETTER with a dead-letter address",
                "Write deadLetter on the annotation, configure consignee.subscriber." + declaration.name()
                        + ".dead-letter or consignee.defaults.dead-letter, or choose another on-decode-error.");
    }
}

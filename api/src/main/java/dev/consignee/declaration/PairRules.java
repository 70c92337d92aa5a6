package dev.consignee.declaration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What two subscribers of one deployment may not have in common. */
final class PairRules {

    private PairRules() {}

    static List<Problem> check(List<Declaration> declarations) {
        List<Problem> problems = new ArrayList<>();
        Map<String, Declaration> byName = new HashMap<>();
        Map<Subscription, Declaration> bySubscription = new HashMap<>();
        for (Declaration declaration : declarations) {
            Declaration namesake = byName.putIfAbsent(declaration.name(), declaration);
            if (namesake != null) {
                problems.add(sameName(declaration, namesake));
                continue; // two of one name are configured alike, so the rest would follow from it
            }
            Subscription.of(declaration)
                    .flatMap(subscription -> Optional.ofNullable(bySubscription.putIfAbsent(subscription, declaration)))
                    .filter(other -> !mayShare(declaration, other))
                    .ifPresent(other -> problems.add(sameSubscription(declaration, other)));
        }
        return problems;
    }

    private static Problem sameName(Declaration declaration, Declaration namesake) {
        return new Problem(
                ProblemId.SAME_NAME,
                Place.of(declaration),
                origin(declaration, Attribute.NAME),
                "the name " + Quoted.of(declaration.name()) + " has " + namesake.method() + " of "
                        + namesake.beanClass() + " too",
                "names that are unique in the deployment");
    }

    private static Problem sameSubscription(Declaration declaration, Declaration other) {
        return new Problem(
                ProblemId.SAME_SUBSCRIPTION,
                Place.of(declaration),
                origin(declaration, Attribute.DURABLE),
                "the durable subscription "
                        + Quoted.of(declaration.text(Attribute.DURABLE).orElse("")) + " of subscriber "
                        + Quoted.of(declaration.name()) + " is that of subscriber " + Quoted.of(other.name()) + " too",
                "names that are unique to a broker, or shared with the same topic and selector");
    }

    private static String origin(Declaration declaration, Attribute attribute) {
        return declaration.setting(attribute).map(Setting::origin).orElse("");
    }

    private static boolean mayShare(Declaration one, Declaration other) {
        return one.isTrue(Attribute.SHARED)
                && other.isTrue(Attribute.SHARED)
                && Stream.of(Attribute.TOPIC, Attribute.SELECTOR)
                        .allMatch(attribute -> one.text(attribute).equals(other.text(attribute)));
    }

    /** A durable subscription as the broker knows it. */
    private record Subscription(String broker, String name) {
        static Optional<Subscription> of(Declaration declaration) {
            return declaration
                    .text(Attribute.DURABLE)
                    .filter(name -> declaration.addresses().equals(List.of(Attribute.TOPIC)))
                    .map(name ->
                            new Subscription(declaration.text(Attribute.BROKER).orElse(""), name));
        }
    }
}

package dev.consignee.declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rules of a declaration. They are pure: the same declaration has the same problems, in the same order. */
public final class Rules {

    private Rules() {}

    /**
     * Checks one declaration by itself: its method, its bean, and what is written for its attributes.
     *
     * @param declaration the declaration
     * @return all its problems; empty where it is right
     */
    public static List<Problem> check(Declaration declaration) {
        List<Problem> problems = new ArrayList<>(signature(declaration));
        problems.addAll(new SettingRules(declaration).check());
        problems.addAll(new DeadLetterRules(declaration).check());
        return List.copyOf(problems);
    }

    /**
     * Checks declarations, each by itself and all with each other: no two may have one name, or one durable subscription
     * that only one of them can have.
     *
     * @param declarations all declarations of a deployment, or of a class
     * @return all their problems; empty where all are right
     */
    public static List<Problem> checkAll(List<Declaration> declarations) {
        List<Problem> problems = new ArrayList<>();
        declarations.forEach(declaration -> problems.addAll(check(declaration)));
        problems.addAll(PairRules.check(declarations));
        return List.copyOf(problems);
    }

    /**
     * Checks a declaration's method and bean only: parameters, return type, modifiers, scope.
     *
     * @param declaration the declaration
     * @return the problems; empty where the method can be a handler
     */
    public static List<Problem> signature(Declaration declaration) {
        return new SignatureRules(declaration).check();
    }

    /**
     * Checks what can be told only once configuration is laid over the annotation, which may supply what is missing there:
     * dead letters need an address.
     *
     * @param declaration the declaration, with configuration laid over the annotation
     * @return the problems; empty where nothing is missing
     */
    public static List<Problem> checkComplete(Declaration declaration) {
        return new DeadLetterRules(declaration).checkComplete();
    }

    /**
     * Checks a declaration against the brokers: the one it names has to be there, to have a container id where a durable
     * subscription needs one, and not to deliver a rejected message again where a delayed retry rejects it.
     *
     * @param declaration the declaration, with configuration laid over the annotation
     * @param brokers what is known of the brokers
     * @return the problems; empty where the broker will do
     */
    public static List<Problem> checkBroker(Declaration declaration, Brokers brokers) {
        return new BrokerRules(declaration, brokers).check();
    }

    /**
     * Checks what is written for one attribute, whoever it is for.
     *
     * @param attribute the attribute
     * @param setting what is written
     * @param place where the problem is
     * @param subject whose attribute it is, such as "of subscriber 'pick'"
     * @return the problem; empty where the value is legal
     */
    public static Optional<Problem> checkValue(Attribute attribute, Setting setting, Place place, String subject) {
        if (setting.values().size() > 1 && !attribute.takesSeveral()) {
            return Optional.of(new Problem(
                    ProblemId.SEVERAL_VALUES,
                    place,
                    setting.origin(),
                    attribute.key() + " " + subject + " has " + setting.values().size() + " values",
                    "one value"));
        }
        return attribute
                .kind()
                .objection(setting.text())
                .map(objection -> new Problem(
                        attribute.kind().problem(),
                        place,
                        setting.origin(),
                        attribute.key() + " " + subject + " is " + Quoted.of(setting.text()) + ": " + objection,
                        attribute.kind().legal()));
    }
}

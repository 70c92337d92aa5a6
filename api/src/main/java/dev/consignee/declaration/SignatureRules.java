package dev.consignee.declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which methods of which beans can be handlers. */
final class SignatureRules {

    private static final String DELIVERY = "dev.consignee.Delivery";
    private static final String OUTCOME = "dev.consignee.HandlerOutcome";

    private static final String LEGAL_PARAMETERS = "exactly one payload (an object by JSON-B, a String or a byte[])"
            + " and, where wanted, one Delivery, in any order";
    private static final String LEGAL_RETURNS = "HandlerOutcome, void";

    /** Types that a user may well try, and that are no payload; the reason follows the type's name. */
    private static final Map<String, String> NO_PAYLOADS = Map.of(
            OUTCOME,
            "is what a handler returns",
            "dev.consignee.Publisher",
            "is injected, not handed over",
            "jakarta.jms.Message",
            "is not handed over: take its payload, and a Delivery for its properties",
            "java.util.concurrent.CompletionStage",
            "is not decoded: take what it would complete with");

    private final Declaration declaration;
    private final List<Problem> problems = new ArrayList<>();

    SignatureRules(Declaration declaration) {
        this.declaration = declaration;
    }

    List<Problem> check() {
        checkModifiers();
        checkParameters();
        checkReturn();
        checkScope();
        return problems;
    }

    private void checkModifiers() {
        for (Modifier modifier : declaration.modifiers()) {
            switch (modifier) {
                case STATIC -> add(ProblemId.STATIC_METHOD, "is static", "methods of a bean instance");
                case PRIVATE -> add(ProblemId.PRIVATE_METHOD, "is private", "any visibility but private");
                case ABSTRACT -> add(ProblemId.ABSTRACT_METHOD, "is abstract", "methods with a body");
            }
        }
    }

    private void checkParameters() {
        List<Shape> payloads = declaration.parameters().stream()
                .filter(shape -> !shape.isA(DELIVERY))
                .toList();
        if (payloads.isEmpty()) {
            add(ProblemId.NO_PAYLOAD, "has no parameter for the payload", LEGAL_PARAMETERS);
        } else if (payloads.size() > 1) {
            String types = payloads.stream().map(Shape::text).collect(Collectors.joining(", "));
            add(
                    ProblemId.SEVERAL_PAYLOADS,
                    "has " + payloads.size() + " parameters that could be the payload: " + types,
                    LEGAL_PARAMETERS);
        } else {
            checkPayload(payloads.get(0));
        }
        int deliveries = declaration.parameters().size() - payloads.size();
        if (deliveries > 1) {
            add(ProblemId.SEVERAL_DELIVERIES, "has " + deliveries + " Delivery parameters", LEGAL_PARAMETERS);
        }
    }

    private void checkPayload(Shape payload) {
        payloadObjection(payload)
                .ifPresent(objection -> add(
                        ProblemId.BAD_PAYLOAD,
                        "has a payload of type " + payload.text() + ", which " + objection,
                        LEGAL_PARAMETERS));
    }

    private static Optional<String> payloadObjection(Shape payload) {
        if (payload instanceof Shape.Primitive) {
            return Optional.of("is primitive: take its class, such as Integer");
        }
        if (payload instanceof Shape.Variable) {
            return Optional.of("is a type variable that the bean's class does not bind");
        }
        if (payload.isOpen()) {
            return Optional.of("has a type variable that the bean's class does not bind");
        }
        if (payload instanceof Shape.Wildcard || payload instanceof Shape.Nothing) {
            return Optional.of("is no type of a value");
        }
        if (payload.isA("java.util.Collection") || isIterableItself(payload)) {
            return Optional.of("would be a batch, and this version has none: take one element");
        }
        return NO_PAYLOADS.entrySet().stream()
                .filter(entry -> payload.isA(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Its subtypes may well be values: an application's own class, a path. */
    private static boolean isIterableItself(Shape payload) {
        return payload instanceof Shape.Declared declared && declared.name().equals("java.lang.Iterable");
    }

    private void checkReturn() {
        Shape returns = declaration.returns();
        if (returns instanceof Shape.Nothing || returns.isA(OUTCOME)) {
            return;
        }
        String reason = "";
        if (returns.isA("java.util.concurrent.CompletionStage")) {
            reason = ": this version does not wait for stages";
        } else if (returns.isA("java.util.Collection")) {
            reason = ": this version has no batches";
        }
        add(ProblemId.BAD_RETURN, "returns " + returns.text() + reason, LEGAL_RETURNS);
    }

    private void checkScope() {
        if (declaration.scope() == Scope.SESSION || declaration.scope() == Scope.CONVERSATION) {
            boolean session = declaration.scope() == Scope.SESSION;
            add(
                    ProblemId.BAD_SCOPE,
                    "belongs to a bean of the " + (session ? "session" : "conversation") + " scope",
                    "any scope but session and conversation");
        }
    }

    private void add(ProblemId id, String message, String legal) {
        problems.add(new Problem(
                id,
                Place.of(declaration),
                "",
                "the handler of subscriber " + Quoted.of(declaration.name()) + " " + message,
                legal));
    }
}

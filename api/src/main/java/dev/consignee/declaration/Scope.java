package dev.consignee.declaration;

/** The scope of a subscriber's bean, as far as the rules look. */
public enum Scope {
    /** No scope is known: the annotation processor cannot tell what a stereotype or another extension will say. */
    UNKNOWN,
    /** A normal scope that a delivery can be handled in: application, request, or one of somebody else's. */
    NORMAL,
    /** The dependent scope: the bean lives for one call. */
    DEPENDENT,
    /** A scope without a client proxy that is not the dependent one: {@code jakarta.inject.Singleton}, for one. */
    SINGLETON,
    /** The session scope: no delivery has a session. */
    SESSION,
    /** The conversation scope: no delivery has a conversation. */
    CONVERSATION;

    /**
     * Finds the scope of an annotation.
     *
     * @param annotation the qualified name of the scope's annotation
     * @param normal whether the scope is a normal one, for annotations that this enumeration does not know
     * @return the scope
     */
    public static Scope of(String annotation, boolean normal) {
        return switch (annotation) {
            case "jakarta.enterprise.context.SessionScoped" -> SESSION;
            case "jakarta.enterprise.context.ConversationScoped" -> CONVERSATION;
            case "jakarta.enterprise.context.Dependent" -> DEPENDENT;
            default -> normal ? NORMAL : SINGLETON;
        };
    }
}

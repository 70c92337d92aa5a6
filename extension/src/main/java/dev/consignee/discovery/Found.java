package dev.consignee.discovery;

import dev.consignee.declaration.Declaration;
import java.util.Optional;

/**
 * A method with {@code @Subscriber} on it, right or wrong.
 *
 * @param declaration what is declared, as the annotation has it, for the rules to check
 * @param handler the method as one that can be called; empty where its signature breaks a rule
 */
public record Found(Declaration declaration, Optional<HandlerMethod> handler) {}

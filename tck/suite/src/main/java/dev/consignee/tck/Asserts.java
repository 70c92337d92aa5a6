package dev.consignee.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the clauses of the contract that a test asserts, for example {@code @Asserts("settle-4")}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Asserts {

    /** The ids of the clauses; at least one. */
    String[] value();
}

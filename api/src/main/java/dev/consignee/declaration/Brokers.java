package dev.consignee.declaration;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a declaration's rules need to know of the brokers; the annotation processor knows nothing of them.
 *
 * @param names the brokers that have a URL; the empty name is the unnamed one
 * @param withContainerId those of them that have a container id configured
 * @param returningRejected those whose configured profile is of a broker that delivers a rejected message again
 */
public record Brokers(SortedSet<String> names, Set<String> withContainerId, Set<String> returningRejected) {

    /**
     * Copies the sets.
     *
     * @param names the brokers that have a URL
     * @param withContainerId those that have a container id
     * @param returningRejected those that deliver a rejected message again
     */
    public Brokers {
        names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
        withContainerId = Set.copyOf(withContainerId);
        returningRejected = Set.copyOf(returningRejected);
    }
}

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
 */
public record Brokers(SortedSet<String> names, Set<String> withContainerId) {

    /**
     * Copies the sets.
     *
     * @param names the brokers that have a URL
     * @param withContainerId those that have a container id
     */
    public Brokers {
        names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
        withContainerId = Set.copyOf(withContainerId);
    }
}

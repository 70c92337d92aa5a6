package dev.consignee.tck.weld;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Tells which threads of the library and of Qpid JMS are there that were not there when it was made. */
final class FreshThreads {

    private static final List<String> NAMES = List.of("consignee", "AmqpProvider", "QpidJMS");

    private final Set<Thread> before = running();

    /** Their names. */
    List<String> names() {
        return running().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .sorted()
                .toList();
    }

    private static Set<Thread> running() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> NAMES.stream().anyMatch(thread.getName()::startsWith))
                .collect(Collectors.toSet());
    }
}

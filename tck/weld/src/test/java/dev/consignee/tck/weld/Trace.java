package dev.consignee.tck.weld;

import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What beans say of themselves, in order. A singleton: it can be read when the container is gone. */
@Singleton
class Trace {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    void add(String line) {
        lines.add(line);
    }

    List<String> lines() {
        return lines;
    }
}

package dev.consignee.transport.jms;

import java.util.ArrayList;
import java.util.List;

/**
 * The elements of a list or a map as they leave: stretches of what is kept of those that arrived, and what is put between
 * them. Neighbours that are kept are one stretch, however many they are.
 */
final class Elements {

    private final byte[] message;
    private final List<Piece> pieces = new ArrayList<>();
    private int count;
    private int keptFrom;
    private int keptTo;
    private boolean changed;

    /** Begins with none, of a message that has arrived. */
    Elements(byte[] message) {
        this.message = message;
    }

    /** Keeps so many, which lie there in the message. */
    void keep(int from, int to, int elements) {
        if (from != keptTo) {
            endStretch();
            keptFrom = from;
        }
        keptTo = to;
        count += elements;
    }

    /** Keeps the one stretch that others are. */
    void keepAll(Elements stretch) {
        if (stretch.count > 0) {
            keep(stretch.keptFrom, stretch.keptTo, stretch.count);
        }
    }

    /** Puts elements there that did not arrive. */
    void put(Piece... made) {
        endStretch();
        pieces.addAll(List.of(made));
        count += made.length;
        changed = true;
    }

    /** Leaves something out. */
    void drop() {
        changed = true;
    }

    private void endStretch() {
        if (keptTo > keptFrom) {
            pieces.add(new Piece(message, keptFrom, keptTo));
        }
        keptFrom = 0;
        keptTo = 0;
    }

    /** Whether they are not what arrived. */
    boolean changed() {
        return changed;
    }

    int count() {
        return count;
    }

    /** A list of them. */
    List<Piece> asList() {
        endStretch();
        return behind(Piece.listOf(count, bytes()));
    }

    /** A map of them, which are keys and values by turns. */
    List<Piece> asMap() {
        endStretch();
        return behind(Piece.mapOf(count, bytes()));
    }

    private int bytes() {
        return pieces.stream().mapToInt(Piece::length).reduce(0, Math::addExact);
    }

    private List<Piece> behind(Piece opening) {
        List<Piece> all = new ArrayList<>(pieces.size() + 1);
        all.add(opening);
        all.addAll(pieces);
        return all;
    }
}

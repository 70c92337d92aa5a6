package dev.consignee.transport.jms;

import dev.consignee.transport.Forwarding;
import dev.consignee.transport.MalformedMessageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the bytes of a message that is forwarded out of those that arrived.
 *
 * <ul>
 *   <li>F1: what a {@link Forwarding} does not name leaves as the bytes it arrived as: sections, fields, map entries.
 *   <li>F2: a section of which nothing changes leaves as the bytes it arrived as; one that changes gets a new size and count
 *       around its elements, in the smaller encoding that holds them.
 *   <li>F3: a section that has lost all that it said is left out.
 *   <li>F4: a message of millions of entries takes no more room on its way than one of a few ({@link Elements}).
 * </ul>
 *
 * @see <a href="https://docs.oasis-open.org/amqp/core/v1.0/os/amqp-core-messaging-v1.0-os.html#section-message-format">AMQP
 *     1.0, messaging §3.2 message format</a>
 */
final class Splice {

    private static final int HEADER = 0x70;
    private static final int DELIVERY_ANNOTATIONS = 0x71;
    private static final int MESSAGE_ANNOTATIONS = 0x72;
    private static final int PROPERTIES = 0x73;
    private static final int APPLICATION_PROPERTIES = 0x74;
    private static final int FOOTER = 0x78;

    private static final Map<String, Integer> SYMBOLIC = Map.of(
            "amqp:header:list", HEADER,
            "amqp:delivery-annotations:map", DELIVERY_ANNOTATIONS,
            "amqp:message-annotations:map", MESSAGE_ANNOTATIONS,
            "amqp:properties:list", PROPERTIES,
            "amqp:application-properties:map", APPLICATION_PROPERTIES,
            "amqp:data:binary", 0x75,
            "amqp:amqp-sequence:list", 0x76,
            "amqp:amqp-value:*", 0x77,
            "amqp:footer:map", FOOTER);

    private static final int FIRST_ACQUIRER = 3; // fields of the header
    private static final int DELIVERY_COUNT = 4;
    private static final int MESSAGE_ID = 0; // fields of the properties
    private static final int USER_ID = 1;
    private static final int MOST_FIELDS = 13; // of any list that is a section

    private static final String DUPLICATE_DETECTION_ID = "_AMQ_DUPL_ID";
    private static final String DELIVERY_HINTS = "x-opt-delivery-";
    private static final String DELIVERY_TIME = "x-opt-delivery-time";

    private final byte[] message;
    private final ReadableBuffer cursor;
    private final Outline outline;
    private final boolean withoutUserId;

    private Splice(byte[] message, boolean withoutUserId) {
        this.message = message;
        this.cursor = ReadableBuffer.ByteBufferReader.wrap(message);
        this.outline = new Outline(cursor);
        this.withoutUserId = withoutUserId;
    }

    /**
     * Returns the bytes to send.
     *
     * @param withoutUserId whether the user-id is left out, for a broker that takes none but the sender's own
     * @throws MalformedMessageException where a copy is asked for and the bytes cannot be taken apart; as a dead letter they
     *     leave as they are
     */
    static byte[] of(byte[] message, Forwarding how, boolean withoutUserId) throws MalformedMessageException {
        Splice splice = new Splice(message, withoutUserId);
        @Nullable Copy copy = how instanceof Forwarding.Copy wanted ? new Copy(wanted) : null;
        try {
            List<Section> sections = splice.sections();
            if (copy != null) {
                copy.makeRoom(sections);
            }
            List<Piece> pieces = new ArrayList<>();
            for (Section section : sections) {
                splice.addTo(pieces, section, copy);
            }
            return joined(pieces);
        } catch (IllegalArgumentException malformed) {
            if (copy == null) {
                return message;
            }
            throw new MalformedMessageException(
                    "the message cannot be taken apart to copy it: " + malformed.getMessage(), malformed);
        }
    }

    // --- taking apart

    private List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        while (cursor.hasRemaining()) {
            int from = cursor.position();
            if (cursor.get() != 0x00) {
                throw new IllegalArgumentException("a value that is no section");
            }
            Piece descriptor = value(message.length);
            Piece content = value(message.length);
            int kind = kind(descriptor);
            sections.add(new Section(kind, new Piece(message, from, content.from()), content));
        }
        return sections;
    }

    private Piece value(int end) {
        int from = cursor.position();
        outline.step(end);
        return new Piece(message, from, cursor.position());
    }

    private static int kind(Piece descriptor) {
        @Nullable Integer named = SYMBOLIC.get(descriptor.text());
        long kind = named == null ? descriptor.unsignedLong() : named;
        if (kind < HEADER || kind > FOOTER) {
            throw new IllegalArgumentException("a section that AMQP does not have");
        }
        return (int) kind;
    }

    /** Where the first field of a list is, or the first key of a map. */
    private static int begin(Section section) {
        boolean list = section.isList();
        Piece content = section.content();
        int begin = switch (content.code()) {
            case 0x40 -> content.to();
            case 0x45 -> list ? content.to() : -1;
            case 0xc0 -> list ? content.from() + 3 : -1;
            case 0xd0 -> list ? content.from() + 9 : -1;
            case 0xc1 -> list ? -1 : content.from() + 3;
            case 0xd1 -> list ? -1 : content.from() + 9;
            default -> -1;
        };
        if (begin < 0) {
            throw new IllegalArgumentException("a section that is not of its type");
        }
        return begin;
    }

    /**
     * A section of a message.
     *
     * @param opening what stands before its content: the sign of a described type and the descriptor
     */
    private record Section(int kind, Piece opening, Piece content) {

        /** One that the message does not have. */
        static Section missing(int kind) {
            return new Section(kind, Piece.of((byte) 0x00, (byte) 0x53, (byte) kind), Piece.NULL);
        }

        boolean isMissing() {
            return content == Piece.NULL;
        }

        boolean isList() {
            return kind == HEADER || kind == PROPERTIES;
        }

        /** Adds it as it leaves. */
        void addTo(List<Piece> pieces, Elements left) {
            if (!left.changed()) { // F2
                pieces.add(opening);
                pieces.add(content);
            } else if (left.count() > 0) { // F3
                pieces.add(opening);
                pieces.addAll(isList() ? left.asList() : left.asMap());
            }
        }
    }

    // --- changing

    private void addTo(List<Piece> pieces, Section section, @Nullable Copy copy) {
        switch (section.kind()) {
            case HEADER ->
                section.addTo(pieces, fields(section, Map.of(FIRST_ACQUIRER, Piece.NULL, DELIVERY_COUNT, Piece.NULL)));
            case DELIVERY_ANNOTATIONS -> {}
            case MESSAGE_ANNOTATIONS -> section.addTo(pieces, annotations(section, copy));
            case PROPERTIES -> section.addTo(pieces, fields(section, propertyChanges(copy)));
            case APPLICATION_PROPERTIES -> section.addTo(pieces, applicationProperties(section, copy));
            default -> {
                pieces.add(section.opening());
                pieces.add(section.content());
            }
        }
    }

    private Map<Integer, Piece> propertyChanges(@Nullable Copy copy) {
        Map<Integer, Piece> changes = new HashMap<>();
        if (copy != null) {
            changes.put(MESSAGE_ID, Piece.id(copy.wanted().messageId()));
        }
        if (withoutUserId) {
            changes.put(USER_ID, Piece.NULL);
        }
        return changes;
    }

    /** The fields of a list, some of them changed; nulls at the end are left out where one more has become null. */
    private Elements fields(Section section, Map<Integer, Piece> changes) {
        List<Piece> known = new ArrayList<>();
        int end = section.content().to();
        Elements rest = new Elements(message);
        if (!section.isMissing()) {
            cursor.position(begin(section));
            while (cursor.position() < end) {
                Piece field = value(end);
                if (known.size() < MOST_FIELDS) {
                    known.add(field);
                } else {
                    rest.keep(field.from(), field.to(), 1); // AMQP knows of none
                }
            }
        }
        boolean changed = false;
        boolean shorter = false;
        for (Map.Entry<Integer, Piece> change : changes.entrySet()) {
            int position = change.getKey();
            boolean toNull = change.getValue().isNull();
            if (known.size() == position && !toNull) {
                known.add(change.getValue());
                changed = true;
            } else if (position < known.size()
                    && !(toNull && known.get(position).isNull())) {
                known.set(position, change.getValue());
                changed = true;
                shorter |= toNull;
            }
        }
        if (!changed) {
            return new Elements(message);
        }
        while (shorter
                && rest.count() == 0
                && !known.isEmpty()
                && known.get(known.size() - 1).isNull()) {
            known.remove(known.size() - 1);
        }
        Elements left = new Elements(message);
        left.put(known.toArray(Piece[]::new));
        left.keepAll(rest);
        return left;
    }

    /** What looks at the entries of a map, one after the other. */
    private interface Visitor {
        void entry(Piece key, int from, int to);
    }

    private void eachEntry(Section section, Visitor visitor) {
        if (section.isMissing()) {
            return;
        }
        int end = section.content().to();
        cursor.position(begin(section));
        while (cursor.position() < end) {
            Piece key = value(end);
            if (cursor.position() >= end) {
                throw new IllegalArgumentException("a map with a key that has no value");
            }
            outline.step(end);
            visitor.entry(key, key.from(), cursor.position());
        }
    }

    private Elements annotations(Section section, @Nullable Copy copy) {
        Elements left = new Elements(message);
        eachEntry(section, (key, from, to) -> {
            if (copy != null && key.text().startsWith(DELIVERY_HINTS)) {
                left.drop();
            } else {
                left.keep(from, to, 2);
            }
        });
        if (copy != null) {
            copy.wanted()
                    .deliveryTime()
                    .ifPresent(time -> left.put(Piece.symbol(DELIVERY_TIME), Piece.number(time.toEpochMilli())));
        }
        return left;
    }

    private Elements applicationProperties(Section section, @Nullable Copy copy) {
        Elements left = new Elements(message);
        boolean[] counted = {copy == null};
        eachEntry(section, (key, from, to) -> {
            String name = copy == null ? "" : key.text();
            if (name.equals(DUPLICATE_DETECTION_ID)) {
                left.drop();
            } else if (name.equals(Forwarding.RETRY_COUNT)) {
                left.drop();
                putCount(left, counted, copy);
            } else {
                left.keep(from, to, 2);
            }
        });
        putCount(left, counted, copy);
        return left;
    }

    private static void putCount(Elements left, boolean[] counted, @Nullable Copy copy) {
        if (!counted[0] && copy != null) {
            counted[0] = true;
            left.put(
                    Piece.string(Forwarding.RETRY_COUNT),
                    Piece.string(Long.toString(copy.wanted().retryCount())));
        }
    }

    /** What makes a copy one (attempt-2, attempt-13). */
    private record Copy(Forwarding.Copy wanted) {

        /** Puts the sections that a copy needs where they belong, if they are missing. */
        void makeRoom(List<Section> sections) {
            if (wanted.deliveryTime().isPresent()) {
                makeRoom(sections, MESSAGE_ANNOTATIONS);
            }
            makeRoom(sections, PROPERTIES);
            makeRoom(sections, APPLICATION_PROPERTIES);
        }

        private static void makeRoom(List<Section> sections, int kind) {
            int place = 0;
            for (Section section : sections) {
                if (section.kind() == kind) {
                    return;
                }
                place += section.kind() < kind ? 1 : 0;
            }
            sections.add(place, Section.missing(kind));
        }
    }

    // --- putting together

    private static byte[] joined(List<Piece> pieces) {
        byte[] whole = new byte[pieces.stream().mapToInt(Piece::length).reduce(0, Math::addExact)];
        int at = 0;
        for (Piece piece : pieces) {
            at = piece.copyTo(whole, at);
        }
        return whole;
    }
}

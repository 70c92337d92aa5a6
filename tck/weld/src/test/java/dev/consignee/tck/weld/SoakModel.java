package dev.consignee.tck.weld;

import java.time.Duration;

/**
 * What the soak's handlers return, drawn from a message's id, its attempt and a seed; and what is to become of each message
 * by that, as the contract says it. It knows nothing of the code under test.
 *
 * @param inProcess whether delayed copies wait in the process; with the broker otherwise
 */
record SoakModel(long seed, boolean inProcess) {

    static final int LONGEST_DELAY = 200; // milliseconds

    /** What a handler does. */
    enum Way {
        ACK,
        RETRY,
        LATER,
        THROW,
        DROP
    }

    /** A queue, its cap, and whether its dead letters have an address. */
    enum Lane {
        WIDE("soak.wide", 5, true),
        SHARED("soak.shared", 3, true),
        NARROW("soak.narrow", 2, false);

        final String queue;
        final int cap;
        final boolean deadLetters;

        Lane(String queue, int cap, boolean deadLetters) {
            this.queue = queue;
            this.cap = cap;
            this.deadLetters = deadLetters;
        }
    }

    /** What one delivery comes to. */
    enum Verdict {
        /** Accepted; the message has come to its end. */
        DONE,
        /** A copy, confirmed, and then accepted. */
        COPIED,
        /** A dead letter, confirmed, and then accepted. */
        BURIED,
        /** Modified; the broker brings it back. */
        RETURNED,
        /** Rejected, and a copy after a while. */
        REJECTED_AND_COPIED,
        /** Rejected; the message has come to its end. */
        REJECTED;

        boolean accepts() {
            return this == DONE || this == COPIED || this == BURIED;
        }

        boolean rejects() {
            return this == REJECTED || this == REJECTED_AND_COPIED;
        }

        boolean copies() {
            return this == COPIED || this == REJECTED_AND_COPIED;
        }
    }

    Lane lane(int id) {
        int drawn = draw(id, -1, 10);
        return drawn < 6 ? Lane.WIDE : drawn < 9 ? Lane.SHARED : Lane.NARROW;
    }

    /** Whether it is sent durable, and so with a header section. */
    boolean durable(int id) {
        return draw(id, -2, 2) == 0;
    }

    Way way(int id, int attempt) {
        int drawn = draw(id, attempt, 100);
        if (drawn < 50) {
            return Way.ACK;
        } else if (drawn < 66) {
            return Way.RETRY;
        } else if (drawn < 82) {
            return Way.LATER;
        }
        return drawn < 90 ? Way.THROW : Way.DROP;
    }

    Duration delay(int id, int attempt) {
        return Duration.ofMillis(Math.max(0, draw(id, -10 - attempt, LONGEST_DELAY + 21) - 20));
    }

    /** SplitMix64 of the three numbers. */
    private int draw(int id, int what, int bound) {
        long z = seed + id * 0x9e3779b97f4a7c15L + what * 0xd1b54a32d192ed03L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return (int) Long.remainderUnsigned(z ^ (z >>> 31), bound);
    }

    /**
     * What a delivery comes to.
     *
     * @param counted whether it carries a count of the broker's and is no copy
     */
    Verdict verdict(int id, int attempt, boolean counted) {
        Lane lane = lane(id);
        return switch (way(id, attempt)) {
            case ACK -> Verdict.DONE;
            case DROP -> Verdict.REJECTED;
            case RETRY, THROW -> {
                if (attempt >= lane.cap) {
                    yield spent(lane);
                }
                yield counted ? Verdict.RETURNED : Verdict.COPIED;
            }
            case LATER -> {
                if (attempt >= lane.cap) {
                    yield spent(lane);
                }
                yield inProcess && !delay(id, attempt).isZero() ? Verdict.REJECTED_AND_COPIED : Verdict.COPIED;
            }
        };
    }

    private static Verdict spent(Lane lane) {
        return lane.deadLetters ? Verdict.BURIED : Verdict.REJECTED;
    }

    /**
     * What becomes of messages where nothing goes wrong.
     *
     * @param deliveries how often handlers are called
     * @param copies how many copies are published
     * @param accepted how many deliveries are accepted, those with a copy or a dead letter too
     * @param buried how many dead letters there are
     * @param rejected how many deliveries are rejected, those with a copy to come too
     */
    record Fate(long deliveries, long copies, long accepted, long buried, long rejected) {

        static final Fate NONE = new Fate(0, 0, 0, 0, 0);

        Fate plus(Fate other) {
            return new Fate(
                    deliveries + other.deliveries,
                    copies + other.copies,
                    accepted + other.accepted,
                    buried + other.buried,
                    rejected + other.rejected);
        }
    }

    Fate fate(int id) {
        boolean copy = false;
        Fate fate = Fate.NONE;
        for (int attempt = 1; ; attempt++) {
            Verdict verdict = verdict(id, attempt, !copy && (durable(id) || attempt > 1));
            fate = fate.plus(new Fate(
                    1,
                    verdict.copies() ? 1 : 0,
                    verdict.accepts() ? 1 : 0,
                    verdict == Verdict.BURIED ? 1 : 0,
                    verdict.rejects() ? 1 : 0));
            copy |= verdict.copies();
            if (verdict != Verdict.RETURNED && !verdict.copies()) {
                return fate;
            }
        }
    }
}

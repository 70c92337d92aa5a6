package dev.consignee.declaration;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The kind of value that an attribute takes: which texts it accepts, and what it says of the others. */
public sealed interface Kind {

    /**
     * Says what is legal.
     *
     * @return words for a message and for the manual, such as "1 to 32767"
     */
    String legal();

    /**
     * Says what is wrong with a text.
     *
     * @param text the text, with its expressions expanded
     * @return what is wrong, such as "out of range"; empty where the text is legal
     */
    Optional<String> objection(String text);

    /**
     * Names the problem that an objection is.
     *
     * @return the id
     */
    ProblemId problem();

    /**
     * Shows a value as the annotation would have it in Java.
     *
     * @param text the text
     * @return a literal; by default that of a text
     */
    default String inJava(String text) {
        return "\"" + Quoted.plain(text) + "\"";
    }

    /** An address, sent to the broker as it is. */
    record Address() implements Kind {
        @Override
        public String legal() {
            return "text that is not blank, without surrounding blanks or control characters";
        }

        @Override
        public Optional<String> objection(String text) {
            if (text.isBlank()) {
                return Optional.of("blank");
            }
            if (!text.equals(text.strip())) {
                return Optional.of("blanks around it");
            }
            return text.chars().anyMatch(Character::isISOControl)
                    ? Optional.of("a control character in it")
                    : Optional.empty();
        }

        @Override
        public ProblemId problem() {
            return ProblemId.BAD_ADDRESS;
        }
    }

    /** The address of dead letters. */
    record DeadLetter() implements Kind {
        @Override
        public String legal() {
            return "a queue, or topic:name; " + new Address().legal();
        }

        @Override
        public Optional<String> objection(String text) {
            DeadLetterAddress address = DeadLetterAddress.parse(text);
            return address.topic() && address.name().isEmpty()
                    ? Optional.of("no name after 'topic:'")
                    : new Address().objection(address.name());
        }

        @Override
        public ProblemId problem() {
            return ProblemId.BAD_ADDRESS;
        }
    }

    /** A text that only the broker understands: a selector. */
    record Text() implements Kind {
        @Override
        public String legal() {
            return "text that is not blank";
        }

        @Override
        public Optional<String> objection(String text) {
            return text.isBlank() ? Optional.of("blank") : Optional.empty();
        }

        @Override
        public ProblemId problem() {
            return ProblemId.BAD_TEXT;
        }
    }

    /** The name of a durable subscription. Qpid JMS keeps {@code |} for itself. */
    record SubscriptionName() implements Kind {
        @Override
        public String legal() {
            return "text that is not blank, without '|'";
        }

        @Override
        public Optional<String> objection(String text) {
            if (text.isBlank()) {
                return Optional.of("blank");
            }
            return text.contains("|") ? Optional.of("a '|' in it") : Optional.empty();
        }

        @Override
        public ProblemId problem() {
            return ProblemId.BAD_TEXT;
        }
    }

    /**
     * A name that is part of configuration keys.
     *
     * @param emptyAllowed whether the empty name has a meaning too
     */
    record Name(boolean emptyAllowed) implements Kind {
        @Override
        public String legal() {
            return "ASCII letters, digits, '-' and '_', the first a letter or a digit"
                    + (emptyAllowed ? "; or empty for the unnamed one" : "");
        }

        @Override
        public Optional<String> objection(String text) {
            if (text.isEmpty()) {
                return emptyAllowed ? Optional.empty() : Optional.of("empty");
            }
            return Names.legal(text) ? Optional.empty() : Optional.of("no part of a configuration key");
        }

        @Override
        public ProblemId problem() {
            return ProblemId.BAD_NAME;
        }
    }

    /**
     * A whole number in a range.
     *
     * @param least the least legal number
     * @param most the greatest legal number
     */
    record WholeNumber(int least, int most) implements Kind {
        @Override
        public String legal() {
            return least + " to " + most;
        }

        @Override
        public Optional<String> objection(String text) {
            if (!text.strip().matches("-?[0-9]+")) {
                return Optional.of("not a whole number");
            }
            OptionalLong number = parse(text);
            boolean inRange = number.isPresent() && number.getAsLong() >= least && number.getAsLong() <= most;
            return inRange ? Optional.empty() : Optional.of("out of range");
        }

        @Override
        public String inJava(String text) {
            return text;
        }

        @Override
        public ProblemId problem() {
            return ProblemId.BAD_NUMBER;
        }

        /**
         * Reads a number.
         *
         * @param text decimal digits, with a minus sign where negative
         * @return the number; empty where the text is none, or too long for one
         */
        public static OptionalLong parse(String text) {
            try {
                return OptionalLong.of(Long.parseLong(text.strip()));
            } catch (NumberFormatException e) {
                return OptionalLong.empty();
            }
        }
    }

    /**
     * A number of bytes in a range.
     *
     * @param least the smallest legal size
     * @param most the largest legal size
     */
    record Size(long least, long most) implements Kind {

        private static final Pattern SIZE = Pattern.compile("([0-9]+)(|KiB|MiB|GiB)", Pattern.CASE_INSENSITIVE);

        @Override
        public String legal() {
            return least + " to " + most + " bytes, such as 65536, 64KiB, 1MiB or 1GiB";
        }

        @Override
        public Optional<String> objection(String text) {
            if (!SIZE.matcher(text.strip()).matches()) {
                return Optional.of("not a size");
            }
            OptionalLong size = parse(text);
            boolean inRange = size.isPresent() && size.getAsLong() >= least && size.getAsLong() <= most;
            return inRange ? Optional.empty() : Optional.of("out of range");
        }

        @Override
        public ProblemId problem() {
            return ProblemId.BAD_SIZE;
        }

        /**
         * Reads a size.
         *
         * @param text decimal digits, alone for bytes, or with {@code KiB}, {@code MiB} or {@code GiB} in any case
         * @return the number of bytes; empty where the text is none, or too large a number
         */
        public static OptionalLong parse(String text) {
            Matcher matcher = SIZE.matcher(text.strip());
            if (!matcher.matches()) {
                return OptionalLong.empty();
            }
            try {
                return OptionalLong.of(Math.multiplyExact(Long.parseLong(matcher.group(1)), bytesOf(matcher.group(2))));
            } catch (NumberFormatException | ArithmeticException tooLarge) {
                return OptionalLong.empty();
            }
        }

        private static long bytesOf(String unit) {
            return switch (unit.toLowerCase(Locale.ROOT)) {
                case "kib" -> 1L << 10;
                case "mib" -> 1L << 20;
                case "gib" -> 1L << 30;
                default -> 1L;
            };
        }
    }

    /** The shortest and the longest delay of retries. */
    record Backoff() implements Kind {
        @Override
        public String legal() {
            return "two durations, min..max, such as 1s..5m, each more than 0 and at most 24d";
        }

        @Override
        public Optional<String> objection(String text) {
            return DelayRange.objection(text);
        }

        @Override
        public ProblemId problem() {
            return ProblemId.BAD_BACKOFF;
        }
    }

    /** Types of exceptions, by their names: whatever compiles is legal. */
    record ExceptionTypes() implements Kind {
        @Override
        public String legal() {
            return "classes of exceptions";
        }

        @Override
        public Optional<String> objection(String text) {
            return Optional.empty();
        }

        @Override
        public String inJava(String text) {
            return Names.simple(text) + ".class";
        }

        @Override
        public ProblemId problem() {
            return ProblemId.BAD_CHOICE;
        }
    }

    /** True or false. */
    record TruthValue() implements Kind {
        @Override
        public String legal() {
            return "true, false";
        }

        @Override
        public Optional<String> objection(String text) {
            return parse(text).isPresent() ? Optional.empty() : Optional.of("neither true nor false");
        }

        @Override
        public String inJava(String text) {
            return text;
        }

        @Override
        public ProblemId problem() {
            return ProblemId.BAD_TRUTH_VALUE;
        }

        /**
         * Reads a truth value.
         *
         * @param text {@code true} or {@code false}, in any case
         * @return the value; empty where the text is none
         */
        public static Optional<Boolean> parse(String text) {
            return switch (text.strip().toLowerCase(Locale.ROOT)) {
                case "true" -> Optional.of(true);
                case "false" -> Optional.of(false);
                default -> Optional.empty();
            };
        }
    }

    /**
     * One constant of an enumeration.
     *
     * @param type the enumeration
     */
    record Choice(Class<? extends Enum<?>> type) implements Kind {
        @Override
        public String legal() {
            return String.join(", ", constants());
        }

        @Override
        public Optional<String> objection(String text) {
            if (constants().contains(normalized(text))) {
                return Optional.empty();
            }
            return Optional.of("no such choice"
                    + Nearest.of(normalized(text), constants())
                            .map(nearest -> ", did you mean " + nearest + "?")
                            .orElse(""));
        }

        @Override
        public String inJava(String text) {
            return text;
        }

        @Override
        public ProblemId problem() {
            return ProblemId.BAD_CHOICE;
        }

        private List<String> constants() {
            return Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.toUnmodifiableList());
        }

        private static String normalized(String text) {
            return text.strip().toUpperCase(Locale.ROOT).replace('-', '_');
        }

        /**
         * Reads a constant.
         *
         * @param type the enumeration
         * @param text the constant's name in any case, with {@code -} or {@code _}
         * @param <E> the enumeration
         * @return the constant; empty where there is no such one
         */
        public static <E extends Enum<E>> Optional<E> parse(Class<E> type, String text) {
            String name = normalized(text);
            return Arrays.stream(type.getEnumConstants())
                    .filter(constant -> constant.name().equals(name))
                    .findFirst();
        }
    }
}

package dev.consignee.declaration;

import dev.consignee.OnDecodeError;
import dev.consignee.OnException;
import dev.consignee.Settle;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What may be said of a subscriber: each attribute once, with its names, its kind of value, its default, its places. */
public enum Attribute {
    /** The address as it is sent, without a capability. */
    VALUE(new Kind.Address(), "", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.EXPANDED, Trait.ADDRESS),
    /** The address of a queue. */
    QUEUE(new Kind.Address(), "", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.EXPANDED, Trait.ADDRESS),
    /** The address of a topic. */
    TOPIC(new Kind.Address(), "", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.EXPANDED, Trait.ADDRESS),
    /** The subscriber's name; the method's name in kebab case where it is not written. */
    NAME(new Kind.Name(false), "", Trait.ANNOTATION, Trait.EXPANDED),
    /** The broker's name; empty for the unnamed one. */
    BROKER(new Kind.Name(true), "", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.DEFAULTS, Trait.EXPANDED),
    /** The name of a durable subscription. */
    DURABLE(
            new Kind.SubscriptionName(),
            "",
            Trait.ANNOTATION,
            Trait.CONFIGURATION,
            Trait.DEFAULTS,
            Trait.EXPANDED,
            Trait.TOPICS),
    /** Whether the subscription is shared. */
    SHARED(new Kind.TruthValue(), "false", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.DEFAULTS, Trait.TOPICS),
    /** The selector. */
    SELECTOR(new Kind.Text(), "", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.DEFAULTS, Trait.EXPANDED),
    /** The link credit. */
    CREDIT(new Kind.WholeNumber(1, 32767), "256", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.DEFAULTS),
    /** When a delivery is settled. */
    SETTLE(new Kind.Choice(Settle.class), "AT_LEAST_ONCE", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.DEFAULTS),
    /** How many deliveries a message gets. */
    MAX_ATTEMPTS(new Kind.WholeNumber(1, 1_000_000), "", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.DEFAULTS),
    /** Where a message goes that has had them. */
    DEAD_LETTER(new Kind.DeadLetter(), "", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.DEFAULTS, Trait.EXPANDED),
    /** What becomes of a delivery whose handler throws. */
    ON_EXCEPTION(new Kind.Choice(OnException.class), "RETRY", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.DEFAULTS),
    /** The delays of retries after an exception. */
    BACKOFF(new Kind.Backoff(), "", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.DEFAULTS),
    /** The exceptions after which a retry makes no sense. */
    DROP_ON(new Kind.ExceptionTypes(), "", Trait.ANNOTATION, Trait.SEVERAL),
    /** What becomes of a delivery whose body cannot be decoded. */
    ON_DECODE_ERROR(
            new Kind.Choice(OnDecodeError.class), "DROP", Trait.ANNOTATION, Trait.CONFIGURATION, Trait.DEFAULTS),
    /** Whether the subscription runs at all. */
    ENABLED(new Kind.TruthValue(), "true", Trait.CONFIGURATION, Trait.DEFAULTS),
    /** Who keeps a message while a retry waits for its time. */
    DELAYED_RETRY(new Kind.Choice(DelayedRetry.class), "IN_PROCESS", Trait.CONFIGURATION, Trait.DEFAULTS),
    /** What becomes of copies that wait in the process when it stops. */
    ON_STOP(new Kind.Choice(OnStop.class), "PUBLISH", Trait.CONFIGURATION, Trait.DEFAULTS),
    /** How many copies may wait in the process. */
    MAX_WAITING_COPIES(new Kind.WholeNumber(1, 10_000_000), "10000", Trait.CONFIGURATION, Trait.DEFAULTS),
    /** Whose count of attempts is trusted. */
    ATTEMPT_SOURCE(new Kind.Choice(AttemptSource.class), "HEADER", Trait.CONFIGURATION, Trait.DEFAULTS),
    /** How many bytes a message may have; a larger one cannot be decoded. */
    MAX_MESSAGE_SIZE(new Kind.Size(1, Integer.MAX_VALUE), "64MiB", Trait.CONFIGURATION, Trait.DEFAULTS);

    private enum Trait {
        ANNOTATION,
        CONFIGURATION,
        DEFAULTS,
        EXPANDED,
        ADDRESS,
        TOPICS,
        SEVERAL
    }

    @SuppressWarnings("ImmutableEnumChecker") // all kinds are records of immutable values
    private final Kind kind;

    private final String defaultText;

    @SuppressWarnings("ImmutableEnumChecker") // never changed
    private final Set<Trait> traits;

    Attribute(Kind kind, String defaultText, Trait first, Trait... others) {
        this.kind = kind;
        this.defaultText = defaultText;
        this.traits = EnumSet.of(first, others);
    }

    /**
     * Returns the name in configuration keys.
     *
     * @return the name in kebab case, such as {@code on-exception}
     */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns the name on the annotation.
     *
     * @return the name in camel case, such as {@code onException}
     */
    public String camelCase() {
        StringBuilder name = new StringBuilder();
        for (String word : key().split("-", -1)) {
            name.append(name.length() == 0 ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return name.toString();
    }

    /**
     * Returns the kind of value.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns what holds where nothing is said.
     *
     * @return the default; empty where there is none
     */
    public Optional<String> defaultText() {
        return defaultText.isEmpty() ? Optional.empty() : Optional.of(defaultText);
    }

    /**
     * Tells whether the annotation has this attribute.
     *
     * @return whether it may be written on the annotation
     */
    public boolean onAnnotation() {
        return traits.contains(Trait.ANNOTATION);
    }

    /**
     * Tells whether {@code consignee.subscriber.<name>.<attribute>} is a key.
     *
     * @return whether it may be configured
     */
    public boolean inConfiguration() {
        return traits.contains(Trait.CONFIGURATION);
    }

    /**
     * Tells whether {@code consignee.defaults.<attribute>} is a key.
     *
     * @return whether all subscribers may be given a default
     */
    public boolean inDefaults() {
        return traits.contains(Trait.DEFAULTS);
    }

    /**
     * Tells whether <code>${key}</code> on the annotation is a configuration expression.
     *
     * @return whether it is expanded
     */
    public boolean expanded() {
        return traits.contains(Trait.EXPANDED);
    }

    /**
     * Tells whether this is one of the three ways to write the address.
     *
     * @return whether it is an address
     */
    public boolean isAddress() {
        return traits.contains(Trait.ADDRESS);
    }

    /**
     * Tells whether only a topic's subscription has it.
     *
     * @return whether it means nothing for queues and verbatim addresses
     */
    public boolean onlyForTopics() {
        return traits.contains(Trait.TOPICS);
    }

    /**
     * Tells whether it may have several values, rather than an array only so that "not written" can be told.
     *
     * @return whether several are legal
     */
    public boolean takesSeveral() {
        return traits.contains(Trait.SEVERAL);
    }

    /**
     * Finds the attribute of a configuration key.
     *
     * @param key the last part of a key, in kebab case
     * @return the attribute; empty where there is none that configuration may set
     */
    public static Optional<Attribute> ofKey(String key) {
        return Arrays.stream(values())
                .filter(attribute ->
                        attribute.inConfiguration() && attribute.key().equals(key))
                .findFirst();
    }

    /**
     * Lists what {@code consignee.subscriber.<name>.} may be followed by.
     *
     * @return the keys, in the order of the attributes
     */
    public static List<String> keys() {
        return Arrays.stream(values())
                .filter(Attribute::inConfiguration)
                .map(Attribute::key)
                .toList();
    }
}

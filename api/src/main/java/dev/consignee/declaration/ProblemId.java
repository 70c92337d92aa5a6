package dev.consignee.declaration;

import java.util.Locale;

/**
 * The catalogue of what can be wrong with a declaration (CONS0101 to CONS0149) and with configuration (from CONS0150). The
 * manual's table is generated from it. A number is never used for anything else, also after its problem is gone.
 */
public enum ProblemId {
    /** No address is written. */
    NO_ADDRESS(
            101,
            Level.ERROR,
            "A subscriber has no address.",
            "Write one of queue, topic and value on the annotation, or configure one."),
    /** Several addresses are written. */
    SEVERAL_ADDRESSES(
            102,
            Level.ERROR,
            "A subscriber has more than one of queue, topic and value in the same place.",
            "Leave one; an address in configuration replaces the annotation's."),
    /** An address that cannot be one. */
    BAD_ADDRESS(
            103,
            Level.ERROR,
            "An address is blank, has blanks around it or a control character in it, or is a dead-letter address with"
                    + " nothing after 'topic:'.",
            "Write the address as the broker knows it."),
    /** A number that is none, or out of range. */
    BAD_NUMBER(
            104,
            Level.ERROR,
            "A number of a subscriber is no whole number or out of range.",
            "Write a number in the range, or leave the attribute out for its default."),
    /** A constant that does not exist. */
    BAD_CHOICE(
            105,
            Level.ERROR,
            "A value of a subscriber is not one of those that its attribute has.",
            "Write one of them, in any case, with '-' or '_'."),
    /** A truth value that is none. */
    BAD_TRUTH_VALUE(
            106, Level.ERROR, "A truth value of a subscriber is neither true nor false.", "Write true or false."),
    // 107 is for batches that could never fill
    /** An array attribute with several values. */
    SEVERAL_VALUES(
            108,
            Level.ERROR,
            "An attribute that takes one value has several on the annotation.",
            "Leave one. It is an array only so that an attribute that is not written can be told from its default."),
    /** An attribute of topics elsewhere. */
    ONLY_FOR_TOPICS(
            109,
            Level.ERROR,
            "A subscriber that does not consume from a topic is durable or shared.",
            "Take the attribute out, or consume from a topic: a queue keeps its messages and shares them anyway."),
    /** A durable subscription that nobody would find again. */
    DURABLE_WITHOUT_CONTAINER_ID(
            110,
            Level.ERROR,
            "A durable subscription that is not shared belongs to the container id of its broker's connection, but"
                    + " that has none configured: under a random one nobody would find the subscription again.",
            "Configure the container id, or make the subscription shared."),
    /** A name that cannot be part of a key. */
    BAD_NAME(
            111,
            Level.ERROR,
            "The name of a subscriber or of its broker cannot be part of a configuration key.",
            "Write another name."),
    /** Two subscribers of one name. */
    SAME_NAME(
            112,
            Level.ERROR,
            "Two subscribers have one name, so that configuration could not tell them apart.",
            "Give one of them another name: @Subscriber(name = …)."),
    /** A text that is blank, or has what it may not have. */
    BAD_TEXT(
            113,
            Level.ERROR,
            "A selector or a durable subscription's name is blank, or has a character in it that it may not have.",
            "Write another text, or leave the attribute out."),
    /** Two subscribers on one durable subscription. */
    SAME_SUBSCRIPTION(
            114,
            Level.ERROR,
            "Two subscribers use one durable subscription of one broker, which can have only one of them: it is not"
                    + " shared by both, or their topics or selectors differ.",
            "Name the subscriptions differently, or share one with the same topic and selector."),
    /** No payload parameter. */
    NO_PAYLOAD(
            115,
            Level.ERROR,
            "A handler has no parameter for the payload.",
            "Add a parameter for what the message carries."),
    /** Several payload parameters. */
    SEVERAL_PAYLOADS(
            116,
            Level.ERROR,
            "A handler has more than one parameter for the payload.",
            "Leave one; Delivery tells what else is known of the message, and other beans are injected."),
    /** Several Delivery parameters. */
    SEVERAL_DELIVERIES(
            117, Level.ERROR, "A handler has more than one Delivery parameter.", "Leave one: they would be the same."),
    /** A payload type that cannot be one. */
    BAD_PAYLOAD(
            118,
            Level.ERROR,
            "The type of a payload cannot be one: a primitive, an unbound type variable, a collection, or a type that"
                    + " no message is decoded to.",
            "Change the parameter's type."),
    /** A return type that cannot be one. */
    BAD_RETURN(
            119,
            Level.ERROR,
            "A handler returns something that does not say what becomes of the delivery.",
            "Return a HandlerOutcome, or void to acknowledge when the method returns."),
    /** A static method. */
    STATIC_METHOD(
            120,
            Level.ERROR,
            "A handler is static: no bean instance handles the delivery.",
            "Take 'static' away, or move the method to a bean."),
    /** A private method. */
    PRIVATE_METHOD(
            121,
            Level.ERROR,
            "A handler is private: it cannot be called through the bean's reference, past which no interceptor sees"
                    + " it.",
            "Take 'private' away."),
    /** An abstract method. */
    ABSTRACT_METHOD(
            122,
            Level.ERROR,
            "A handler is abstract: annotations of methods are not inherited, so that no implementation is subscribed.",
            "Put @Subscriber on the implementing method."),
    /** A scope without a context. */
    BAD_SCOPE(
            123,
            Level.ERROR,
            "A handler's bean has the session or conversation scope, but a delivery has no session and no"
                    + " conversation.",
            "Give the bean another scope, or move the handler to another bean."),
    /** A broker that is not configured. */
    UNKNOWN_BROKER(
            124,
            Level.ERROR,
            "A subscriber names a broker that has no URL configured.",
            "Configure consignee.broker.<name>.url, or name another broker."),

    /** A bean that the container gives nobody a reference to. */
    NOT_CALLABLE(
            125,
            Level.ERROR,
            "A handler cannot be called through its bean: the class is not among the bean's types, or cannot be"
                    + " proxied.",
            "Give the bean its class as a type (@Typed), and let a class of a normal scope be neither final nor without"
                    + " a constructor that takes nothing."),

    /** A size that is none, or out of range. */
    BAD_SIZE(
            126,
            Level.ERROR,
            "A size of a subscriber is no number of bytes or out of range.",
            "Write a number of bytes, alone or with KiB, MiB or GiB, or leave the attribute out for its default."),
    /** Two codecs for one content type. */
    SEVERAL_CODECS(
            127,
            Level.ERROR,
            "Two Codec beans take over one content type, and neither is an alternative that CDI prefers.",
            "Let only one of them name the content type, or make one an @Alternative with a @Priority."),
    /** A codec that does not say what it is for. */
    BAD_CODEC(
            128,
            Level.ERROR,
            "A Codec bean cannot be had, or names no content types, or something that is none.",
            "Let contentTypes() return media types without parameters, such as application/cbor."),
    /** Two JSON-Bs. */
    SEVERAL_JSONBS(
            129,
            Level.ERROR,
            "The application has several Jsonb beans, and CDI prefers none of them.",
            "Leave one without a qualifier, or make one an @Alternative with a @Priority."),
    /** Nobody looks at {@code @Valid}. */
    VALIDATION_ABSENT(
            130,
            Level.WARN,
            "A payload is @Valid, but no Bean Validation is there to look at it: whatever comes reaches the handler.",
            "Add a provider, such as Hibernate Validator, or take @Valid away."),
    /** Bean Validation that does not start. */
    BAD_VALIDATION(
            131,
            Level.ERROR,
            "A payload is @Valid, but Bean Validation cannot be used: it does not start, or the application has several"
                    + " Validator beans of which CDI prefers none.",
            "Mend what the message says, or take @Valid away."),
    /** A back-off that is none. */
    BAD_BACKOFF(
            132,
            Level.ERROR,
            "A back-off is not the shortest and the longest delay of retries, or the first of them is zero or the longer"
                    + " one.",
            "Write two durations with two dots between, such as 1s..5m, or leave the attribute out for retries at once."),
    /** Dead letters without an address. */
    NO_DEAD_LETTER_ADDRESS(
            133,
            Level.ERROR,
            "A subscriber's 'on-decode-error' is DEAD_LETTER, but it has no dead-letter address.",
            "Write deadLetter on the annotation, configure one, or choose another 'on-decode-error'."),
    /** Dead letters that come back. */
    DEAD_LETTER_TO_ITSELF(
            134,
            Level.ERROR,
            "A subscriber's dead-letter address is the address that it consumes from: what it gives up would come back"
                    + " to it for ever.",
            "Write another dead-letter address, or leave it out."),
    /** A delay that makes two messages of one. */
    DELAY_MULTIPLIES(
            135,
            Level.ERROR,
            "A subscriber's delayed retries wait in the process, but its broker delivers a rejected message again"
                    + " (profile 'broker-j'): with each delayed retry there would be one message more.",
            "Set 'delayed-retry' to 'hold' or 'broker', or consume at most once."),

    /** An unknown attribute of a subscriber that is there. */
    UNKNOWN_ATTRIBUTE(
            150,
            Level.ERROR,
            "Configuration sets an attribute of a subscriber that subscribers don't have.",
            "Correct the key or take it out."),
    /** Configuration of a subscriber that is not there. */
    UNKNOWN_SUBSCRIBER(
            151,
            Level.WARN,
            "Configuration sets attributes of a subscriber that this application doesn't have. It may be meant for"
                    + " another application on the same server.",
            "Correct the name, take the keys out, or ignore this."),
    /** An unknown key elsewhere. */
    UNKNOWN_KEY(
            152,
            Level.WARN,
            "A key under consignee. has no meaning. It may be meant for another version or application.",
            "Correct the key, take it out, or ignore this."),
    /** An expression without a value. */
    BAD_EXPRESSION(
            153,
            Level.ERROR,
            "A configuration expression names a key that isn't there and has no default, runs in a circle, or does not"
                    + " end.",
            "Configure the key, or write a default: ${key:default}. A '${' that is no expression is written '\\${'."),
    /** A URL that is none. */
    BAD_URL(154, Level.ERROR, "A broker's URL is none that can be connected to.", "Correct the URL."),
    /** Options of a URL that mean nothing here. */
    IGNORED_OPTION(
            155,
            Level.WARN,
            "A failover URL has options for Qpid's own reconnection, which is not used.",
            "Take them out and set consignee.reconnect.delay, .max-delay and .jitter."),
    /** A value of a broker or of the application that is wrong. */
    BAD_VALUE(
            156,
            Level.ERROR,
            "A value of a broker or of the application does not parse or is out of range.",
            "Write a legal value, or take the key out for its default."),
    /** A named broker with keys but no URL. */
    BROKER_WITHOUT_URL(
            157,
            Level.WARN,
            "A broker that no subscriber names has configuration but no URL, so that nobody can use it.",
            "Configure its url, or take its keys out."),
    /** A URL whose scheme nothing serves. */
    NO_TRANSPORT(
            158,
            Level.ERROR,
            "No transport on the class path serves the scheme of a broker's URL.",
            "Change the URL, or add the artifact that serves the scheme.");

    private final int number;
    private final Level level;
    private final String cause;
    private final String cure;

    ProblemId(int number, Level level, String cause, String cure) {
        this.number = number;
        this.level = level;
        this.cause = cause;
        this.cure = cure;
    }

    /**
     * Returns the id.
     *
     * @return {@code CONS} and four digits
     */
    public String id() {
        return String.format(Locale.ROOT, "CONS%04d", number);
    }

    /**
     * Returns the level.
     *
     * @return whether it stops deployment
     */
    public Level level() {
        return level;
    }

    /**
     * Returns what is wrong, in general.
     *
     * @return a sentence
     */
    public String cause() {
        return cause;
    }

    /**
     * Returns what to change, in general.
     *
     * @return a sentence
     */
    public String cure() {
        return cure;
    }
}

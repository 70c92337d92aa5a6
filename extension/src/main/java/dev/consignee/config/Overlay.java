package dev.consignee.config;

import dev.consignee.OnDecodeError;
import dev.consignee.config.Expressions.BadExpressionException;
import dev.consignee.declaration.Attribute;
import dev.consignee.declaration.DeadLetterAddress;
import dev.consignee.declaration.Declaration;
import dev.consignee.declaration.Kind;
import dev.consignee.declaration.Place;
import dev.consignee.declaration.Problem;
import dev.consignee.declaration.ProblemId;
import dev.consignee.declaration.Quoted;
import dev.consignee.declaration.Rules;
import dev.consignee.declaration.Setting;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lays configuration over annotations. Highest first: {@code consignee.subscriber.<name>.<attribute>}, the annotation
 * where something is written, {@code consignee.defaults.<attribute>}; the built-in defaults are the attributes' own.
 */
final class Overlay {

    private final Lookup lookup;
    private final List<Problem> problems;
    private final Map<Attribute, Setting> defaults = new EnumMap<>(Attribute.class);

    Overlay(Lookup lookup, List<Problem> problems) {
        this.lookup = lookup;
        this.problems = problems;
        for (Attribute attribute : Attribute.values()) {
            if (attribute.inDefaults()) {
                find(Key.DEFAULTS_PREFIX, attribute, Place.CONFIGURATION).ifPresent(this::addDefault);
            }
        }
    }

    private record Configured(Attribute attribute, Setting setting) {}

    private Optional<Configured> find(String prefix, Attribute attribute, Place place) {
        return lookup.find(prefix + attribute.key(), place)
                .map(value -> new Configured(attribute, Setting.of(value.text(), value.origin())));
    }

    /** A wrong default is told once, rather than once for each subscriber that it would hold for. */
    private void addDefault(Configured value) {
        Optional<Problem> problem =
                Rules.checkValue(value.attribute(), value.setting(), Place.CONFIGURATION, "of all subscribers");
        problem.ifPresentOrElse(problems::add, () -> defaults.put(value.attribute(), value.setting()));
    }

    /** The declaration with all layers in it; a name or broker that cannot be expanded is left out. */
    Declaration over(Declaration annotated) {
        Place place = Place.of(annotated);
        Map<Attribute, Setting> settings = new EnumMap<>(annotated.settings());
        annotated.setting(Attribute.NAME).ifPresent(name -> put(settings, Attribute.NAME, expanded(name, place)));
        String prefix = Key.SUBSCRIBER_PREFIX + annotated.withSettings(settings).name() + ".";

        Map<Attribute, Setting> configured = new EnumMap<>(Attribute.class);
        for (Attribute attribute : Attribute.values()) {
            if (attribute.inConfiguration()) {
                find(prefix, attribute, place).ifPresent(value -> configured.put(attribute, value.setting()));
            }
        }
        if (configured.keySet().stream().anyMatch(Attribute::isAddress)) {
            settings.keySet().removeIf(Attribute::isAddress);
        }
        settings.keySet().removeAll(configured.keySet());
        expand(settings, place);
        settings.putAll(configured);
        addDefaults(annotated, settings);
        return annotated.withSettings(settings);
    }

    private void expand(Map<Attribute, Setting> settings, Place place) {
        for (Attribute attribute : List.copyOf(settings.keySet())) {
            Setting setting = settings.get(attribute);
            if (setting != null && attribute.expanded() && attribute != Attribute.NAME) {
                Optional<Setting> expanded = expanded(setting, place);
                // an address stays as it was written, so that it isn't missing as well
                boolean address = attribute.isAddress() || attribute == Attribute.DEAD_LETTER;
                put(settings, attribute, address ? expanded.or(() -> Optional.of(setting)) : expanded);
            }
        }
    }

    private static void put(Map<Attribute, Setting> settings, Attribute attribute, Optional<Setting> setting) {
        setting.ifPresentOrElse(present -> settings.put(attribute, present), () -> settings.remove(attribute));
    }

    private Optional<Setting> expanded(Setting setting, Place place) {
        if (!setting.text().contains("${")) {
            return Optional.of(setting);
        }
        try {
            String text = Expressions.expand(
                    setting.text(), key -> lookup.find(key, place, true).map(Lookup.Value::text));
            return Optional.of(setting.withText(text));
        } catch (BadExpressionException e) {
            problems.add(new Problem(
                    ProblemId.BAD_EXPRESSION,
                    place,
                    setting.origin(),
                    Quoted.of(setting.text()) + " cannot be expanded: " + Quoted.plain(String.valueOf(e.getMessage())),
                    "keys that are there, or with a default"));
            return Optional.empty();
        }
    }

    /** Defaults of what only topics have leave other subscribers alone. */
    private void addDefaults(Declaration annotated, Map<Attribute, Setting> settings) {
        boolean topic = settings.containsKey(Attribute.TOPIC);
        Set<Attribute> withheld = withheld(annotated.withSettings(settings));
        defaults.forEach((attribute, setting) -> {
            if ((topic || !attribute.onlyForTopics()) && !withheld.contains(attribute)) {
                settings.putIfAbsent(attribute, setting);
            }
        });
    }

    /**
     * Who consumes from the dead-letter address of all others gets neither that address, under which its dead letters
     * would go round in a circle, nor a policy that cannot do without one.
     */
    private Set<Attribute> withheld(Declaration subscriber) {
        boolean consumesFromTheDefault =
                subscriber.setting(Attribute.DEAD_LETTER).isEmpty()
                        && ofDefaults(Attribute.DEAD_LETTER)
                                .map(DeadLetterAddress::parse)
                                .filter(address -> address.isConsumedBy(subscriber))
                                .isPresent();
        if (!consumesFromTheDefault) {
            return Set.of();
        }
        return ofDefaults(Attribute.ON_DECODE_ERROR)
                        .flatMap(text -> Kind.Choice.parse(OnDecodeError.class, text))
                        .equals(Optional.of(OnDecodeError.DEAD_LETTER))
                ? EnumSet.of(Attribute.DEAD_LETTER, Attribute.ON_DECODE_ERROR)
                : EnumSet.of(Attribute.DEAD_LETTER);
    }

    private Optional<String> ofDefaults(Attribute attribute) {
        return Optional.ofNullable(defaults.get(attribute)).map(Setting::text);
    }
}

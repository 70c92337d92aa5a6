package dev.consignee.declaration;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What someone wrote for one attribute.
 *
 * @param values the texts; one, unless the annotation has an array of several, which is a problem
 * @param origin where it was written, with what was written there: {@code @Subscriber(credit = 8)}, or {@code
 *     consignee.subscriber.pick.credit=8 from META-INF/microprofile-config.properties}
 */
public record Setting(List<String> values, String origin) {

    /**
     * Copies the values and refuses an empty list.
     *
     * @param values the texts
     * @param origin where it was written
     */
    public Setting {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("a setting without a value is no setting");
        }
    }

    /**
     * Makes a setting of one text.
     *
     * @param text the text
     * @param origin where it was written
     * @return the setting
     */
    public static Setting of(String text, String origin) {
        return new Setting(List.of(text), origin);
    }

    /**
     * Makes a setting that stands on the annotation.
     *
     * @param attribute the attribute
     * @param values the texts, as the annotation has them
     * @return the setting, whose origin shows the annotation as it is written in Java
     */
    public static Setting annotated(Attribute attribute, List<String> values) {
        String written = values.stream().map(attribute.kind()::inJava).collect(Collectors.joining(", "));
        String braced = values.size() == 1 ? written : "{" + written + "}";
        return new Setting(values, "@Subscriber(" + attribute.camelCase() + " = " + braced + ")");
    }

    /**
     * Returns the text.
     *
     * @return the one text, or all of them with commas between
     */
    public String text() {
        return String.join(", ", values);
    }

    /**
     * Replaces the text, for what its expressions expand to.
     *
     * @param text the text
     * @return a setting of the same origin
     */
    public Setting withText(String text) {
        return of(text, origin);
    }
}

package dev.consignee.config;

/**
 * A text that nobody should see.
 *
 * @param value the text itself
 */
public record Secret(String value) {
    @Override
    public String toString() {
        return "***";
    }
}

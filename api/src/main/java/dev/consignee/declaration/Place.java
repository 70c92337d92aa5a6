package dev.consignee.declaration;

/**
 * Where a problem is.
 *
 * @param group what problems are grouped by in a report: the bean's class, or "configuration"
 * @param text the method, such as {@code Warehouse.pick(Shipment)}; empty for configuration, whose origin says it all
 */
public record Place(String group, String text) {

    /** The configuration itself, rather than a subscriber. */
    public static final Place CONFIGURATION = new Place("configuration", "");

    /**
     * Makes the place of a declaration.
     *
     * @param declaration the declaration
     * @return bean class and method
     */
    public static Place of(Declaration declaration) {
        return new Place(declaration.beanClass(), declaration.method());
    }
}

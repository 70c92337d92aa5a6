package dev.consignee.cdi;

/** Says that Bean Validation is there and cannot be used. */
final class BeanValidationException extends Exception {

    private static final long serialVersionUID = 1L;

    BeanValidationException(String message, Throwable cause) {
        super(message, cause);
    }
}

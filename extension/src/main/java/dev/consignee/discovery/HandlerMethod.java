package dev.consignee.discovery;

import dev.consignee.Delivery;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;

/**
 * A method that can be called with a delivery: its signature has been found legal.
 *
 * @param beanClass the bean's class, which may have inherited the method
 * @param method the method
 * @param payloadIndex which parameter is the payload, from zero
 * @param deliveryIndex which parameter is the {@link Delivery}; -1 where there is none
 * @param payload the payload's type, with the type variables of generic superclasses bound
 * @param result what it returns
 * @param dropOn the exceptions after which a retry makes no sense; as a setting, they are no more than names
 */
public record HandlerMethod(
        Class<?> beanClass,
        Method method,
        int payloadIndex,
        int deliveryIndex,
        Type payload,
        Result result,
        List<Class<? extends Throwable>> dropOn) {

    /** What a handler returns. */
    public enum Result {
        /** Nothing: returning acknowledges. */
        VOID,
        /** A {@link dev.consignee.HandlerOutcome}. */
        OUTCOME
    }

    /** Copies the list and refuses indices that no arguments could be put at. */
    public HandlerMethod {
        dropOn = List.copyOf(dropOn);
        int parameters = method.getParameterCount();
        boolean payloadFits = payloadIndex >= 0 && payloadIndex < parameters;
        boolean deliveryFits = deliveryIndex >= -1 && deliveryIndex < parameters && deliveryIndex != payloadIndex;
        if (!payloadFits || !deliveryFits || parameters != (deliveryIndex < 0 ? 1 : 2)) {
            throw new IllegalArgumentException("payload " + payloadIndex + " and delivery " + deliveryIndex
                    + " are not the parameters of " + method);
        }
    }

    /** Whether Bean Validation is to look at the payload: {@code @Valid} stands on the parameter. */
    public boolean validated() {
        return Arrays.stream(method.getParameters()[payloadIndex].getAnnotations())
                .anyMatch(each -> each.annotationType().getName().equals("jakarta.validation.Valid"));
    }

    /**
     * Lines up the arguments of a call.
     *
     * @param payload the decoded payload
     * @param delivery what else is known of the message
     * @return the arguments in the order of the parameters
     */
    public Object[] arguments(Object payload, Delivery delivery) {
        Object[] arguments = new Object[method.getParameterCount()];
        arguments[payloadIndex] = payload;
        if (deliveryIndex >= 0) {
            arguments[deliveryIndex] = delivery;
        }
        return arguments;
    }
}

package dev.consignee.tck.weld;

import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;

/** Writes the method's name to the trace, before and after the call. */
@Interceptor
@Traced
class TracedInterceptor {

    @Inject
    Trace trace;

    @AroundInvoke
    Object around(InvocationContext call) throws Exception {
        String name = call.getMethod().getName();
        trace.add("before " + name);
        try {
            return call.proceed();
        } finally {
            trace.add("after " + name);
        }
    }
}

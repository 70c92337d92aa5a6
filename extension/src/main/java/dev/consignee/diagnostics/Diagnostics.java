package dev.consignee.diagnostics;

import java.util.List;

/** The subscriptions of an application and how they are doing; injectable. Any thread may ask; answered from memory. */
public interface Diagnostics {

    /** Every declared subscription, in the order of their names. */
    List<SubscriptionStatus> subscriptions();
}

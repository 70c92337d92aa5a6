package dev.consignee.transport;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A receiving link: one epoch. What it received can be settled on it and on no other.
 *
 * <p>At no moment are more than its credit of deliveries granted or unsettled: what has been handed over counts until it
 * is settled. One thread receives; any thread may settle, withdraw and close.
 */
public interface Receiver extends AutoCloseable {

    /**
     * Waits for the next delivery.
     *
     * @return null where none came in time, or the credit was withdrawn
     * @throws TransportException where the link is gone, at once and from then on; what it had handed over and was not
     *     received is the broker's again
     */
    @Nullable
    InboundDelivery receive(Duration timeout) throws TransportException, InterruptedException;

    /**
     * Grants the credit that is due, after {@link SettlementListener#mayGrant} has said no and would say yes now. Does not
     * wait. Any thread.
     */
    void grant();

    /**
     * Asks for no more deliveries and gives back those that were not received, with their count unchanged ({@code
     * released}). Does not wait. Deliveries in hand may still be settled.
     */
    void withdrawCredit();

    /**
     * Waits until the broker has confirmed that no more deliveries are under way, after {@link #withdrawCredit()}.
     *
     * @return whether it has
     */
    boolean awaitWithdrawn(Duration timeout) throws InterruptedException;

    /** Settles nothing any more: a settlement from now on is lost. */
    void abandon();

    /** Detaches; blocks for at most the close timeout. Settlements made before leave first. Further calls do nothing. */
    @Override
    void close();
}

package dev.consignee.tck;

import dev.consignee.tck.app.Handled;
import java.util.List;

/** The application under test, deployed: what it tells of itself, from wherever it runs. */
public interface TckApplication extends AutoCloseable {

    /** Every call of its handlers so far, in order. */
    List<Handled> handled();

    /** How many calls are or were held. */
    int held();

    /** Lets every held and every later {@code hold} go on. */
    void letGo();

    /** Lets one held call go on. */
    void letOneGo();

    /** The requests of calls that are over. */
    List<String> callsOver();

    /** How many beans of the dependent scope were made for handlers, and how many of them are still there. */
    List<Integer> visitors();

    /** Outcomes that did not reach their delivery, as its observer saw them: {@code subscription error}. */
    List<String> failures();

    /** How a subscription is doing. */
    Subscription subscription(String name);

    /** Undeploys it. */
    @Override
    void close();

    /**
     * A subscription's state and counters, as the extension has them.
     *
     * @param state where it is in its life
     * @param deliveries received for handling
     * @param accepted settled as {@code accepted}
     * @param modified settled as {@code modified}
     * @param rejected settled as {@code rejected}
     * @param linkLost whose outcome came too late
     * @param decodeFailures whose body was no payload
     * @param handlerFailures whose handler failed
     * @param attached how many times its link was attached
     * @param copies published to its own address
     * @param deadLetters published to its dead-letter address
     * @param waitingCopies that wait in the process
     * @param lostCopies that nobody will publish
     * @param unsupported whose outcome had nothing to settle
     * @param unhandled that arrived settled and were not handled
     */
    record Subscription(
            String state,
            long deliveries,
            long accepted,
            long modified,
            long rejected,
            long linkLost,
            long decodeFailures,
            long handlerFailures,
            long attached,
            long copies,
            long deadLetters,
            long waitingCopies,
            long lostCopies,
            long unsupported,
            long unhandled) {}
}

package dev.consignee.declaration;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses which legal text a wrong one was meant to be. */
public final class Nearest {

    private Nearest() {}

    /**
     * Finds the nearest of several texts, by insertions, deletions, substitutions and swaps of neighbours.
     *
     * @param text the wrong one
     * @param candidates the legal ones
     * @return the nearest; empty where none is within a third of its length, or two letters
     */
    public static Optional<String> of(String text, Collection<String> candidates) {
        return candidates.stream()
                .filter(candidate -> distance(text, candidate) <= Math.max(2, candidate.length() / 3)
                        && distance(text, candidate) < candidate.length())
                .min(Comparator.comparingInt((String candidate) -> distance(text, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static int distance(String a, String b) {
        if (Math.abs(a.length() - b.length()) > b.length()) {
            return Integer.MAX_VALUE; // never near, and a long text costs nothing
        }
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 ? j : j == 0 ? i : cheapest(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cheapest(int[][] cost, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1), cost[i - 1][j - 1] + (same ? 0 : 1));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}

package io.linerate.core.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * What somebody meant who mistyped a word: the word with the fewest letters to change, or
 * neighbours to swap.
 */
public final class NearestWord {
  /** More changes than a third of the letters are another word. */
  private static final int LETTERS_PER_CHANGE = 3;

  private NearestWord() {}

  /** The word of {@code words} that is nearest to {@code typed}, if one is near. */
  public static Optional<String> to(String typed, Collection<String> words) {
    return words.stream()
        .min(Comparator.comparingInt(word -> changes(typed, word)))
        .filter(word -> changes(typed, word) <= Math.max(1, typed.length() / LETTERS_PER_CHANGE));
  }

  /**
   * Letters to insert, remove or replace, and neighbours to swap: the distance of Levenshtein and
   * Damerau (each letter swapped once), row by row.
   */
  private static int changes(String from, String to) {
    int[] before = new int[to.length() + 1];
    int[] last = new int[to.length() + 1];
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] free = before;
      before = last;
      last = row;
      row = free;
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        boolean isSame = from.charAt(i - 1) == to.charAt(j - 1);
        int least = Math.min(last[j - 1] + (isSame ? 0 : 1), Math.min(last[j], row[j - 1]) + 1);
        row[j] = areSwapped(from, i, to, j) ? Math.min(least, before[j - 2] + 1) : least;
      }
    }
    return row[to.length()];
  }

  /** Whether the two letters that end there are those of the other word in the other order. */
  private static boolean areSwapped(String from, int i, String to, int j) {
    return i > 1
        && j > 1
        && from.charAt(i - 1) == to.charAt(j - 2)
        && from.charAt(i - 2) == to.charAt(j - 1);
  }
}

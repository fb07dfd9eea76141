package io.linerate.core.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** What somebody meant who mistyped a word: the word with the fewest letters to change. */
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

  /** Letters to insert, remove or replace: the distance of Levenshtein, row by row. */
  private static int changes(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replace = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replace, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}

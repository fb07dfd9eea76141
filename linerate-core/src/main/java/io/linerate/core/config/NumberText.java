package io.linerate.core.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Whole numbers as people write them. */
public final class NumberText {
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

  private NumberText() {}

  /** The number that a text is; empty if it is none, or below or above the bounds. */
  public static Optional<Long> read(String text, long min, long max) {
    return Optional.of(text)
        .filter(digits -> digits.matches("[0-9]{1,18}"))
        .map(Long::valueOf)
        .filter(number -> number >= min && number <= max);
  }

  /** The numbers of {@code N} or {@code N-M}; empty if it is neither, or above {@code max}. */
  public static Optional<List<Integer>> range(String text, int max) {
    return Optional.of(RANGE.matcher(text))
        .filter(Matcher::matches)
        .map(range -> {
          int first = Integer.parseInt(range.group(1));
          int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
          return last > max
              ? List.<Integer>of()
              : IntStream.rangeClosed(first, last).boxed().toList();
        })
        .filter(numbers -> !numbers.isEmpty());
  }
}

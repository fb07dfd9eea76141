package io.linerate.core.config;

import java.util.Optional;

/** Whole numbers as people write them. */
public final class NumberText {
  private NumberText() {}

  /** The number that a text is; empty if it is none, or below or above the bounds. */
  public static Optional<Long> read(String text, long min, long max) {
    return Optional.of(text)
        .filter(digits -> digits.matches("[0-9]{1,18}"))
        .map(Long::valueOf)
        .filter(number -> number >= min && number <= max);
  }
}

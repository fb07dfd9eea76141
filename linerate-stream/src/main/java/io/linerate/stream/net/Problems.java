package io.linerate.stream.net;

import java.util.List;
import java.util.function.Function;

/** What is wrong with the parameters of elements. */
final class Problems {
  private Problems() {}

  /** Adds what a parser says of a text that it cannot read. */
  static void parse(List<String> problems, String name, String text, Function<String, ?> parser) {
    try {
      Object _ = parser.apply(text);
    } catch (IllegalArgumentException e) {
      problems.add(name + ": " + e.getMessage());
    }
  }
}

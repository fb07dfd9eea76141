package io.linerate.graph.element;

import io.linerate.core.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects what is wrong with the parameters of an element. */
final class Parameters {
  private final List<String> problems = new ArrayList<>();

  private Parameters() {}

  static Parameters check() {
    return new Parameters();
  }

  /** A whole number from {@code min} to {@code max}. */
  Parameters range(String name, long value, long min, long max) {
    return require(
        value >= min && value <= max,
        "number out of range: " + name + "=" + value + "; write " + min + " to " + max);
  }

  /** A fraction from 0 to 1. */
  Parameters fraction(String name, double value) {
    return require(
        value >= 0 && value <= 1,
        "fraction out of range: " + name + "=" + value + "; write 0.0 to 1.0");
  }

  /** A text that {@code parser} reads, or throws {@link IllegalArgumentException}. */
  Parameters parses(String name, String text, Consumer<String> parser) {
    try {
      parser.accept(text);
    } catch (IllegalArgumentException e) {
      problems.add(name + ": " + e.getMessage());
    }
    return this;
  }

  /** As {@link #parses}, or nothing. */
  Parameters parsesIfAny(String name, String text, Consumer<String> parser) {
    return text.isEmpty() ? this : parses(name, text, parser);
  }

  /**
   * @throws ConfigException if anything is wrong
   */
  void require() {
    if (!problems.isEmpty()) {
      throw new ConfigException(String.join("\n", problems));
    }
  }

  Parameters require(boolean isRight, String problem) {
    if (!isRight) {
      problems.add(problem);
    }
    return this;
  }

  List<String> problems() {
    return List.copyOf(problems);
  }
}

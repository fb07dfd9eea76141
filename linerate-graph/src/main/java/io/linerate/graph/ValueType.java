package io.linerate.graph;

import io.linerate.core.config.ConfigException;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * What a handler's values are, and how they are written.
 *
 * @param <T> their Java type, immutable
 */
public final class ValueType<T> {
  /** A whole number. */
  public static final ValueType<Long> NUMBER =
      new ValueType<>("number", Long.class, "a whole number", Long::valueOf);

  /** Whole numbers. */
  public static final ValueType<List<Long>> NUMBERS =
      new ValueType<>(
          "numbers", List.class, "whole numbers with spaces between", ValueType::numbers);

  /** A number with a fraction. */
  public static final ValueType<Double> DECIMAL =
      new ValueType<>("decimal", Double.class, "a number, such as 0.25", Double::valueOf);

  /** {@code true} or {@code false}. */
  public static final ValueType<Boolean> TRUTH =
      new ValueType<>("truth", Boolean.class, "true or false", ValueType::truth);

  /** Any text. */
  public static final ValueType<String> TEXT =
      new ValueType<>("text", String.class, "any text", Function.identity());

  private static final Pattern SPACE = Pattern.compile("\\s+");

  private final String name;
  private final Class<?> javaType;
  private final String allowed;
  private final Function<String, T> parser;

  private ValueType(String name, Class<?> javaType, String allowed, Function<String, T> parser) {
    this.name = name;
    this.javaType = javaType;
    this.allowed = allowed;
    this.parser = parser;
  }

  /** {@code number}, {@code numbers}, {@code decimal}, {@code truth} or {@code text}. */
  public String name() {
    return name;
  }

  public Class<?> javaType() {
    return javaType;
  }

  /**
   * Reads a value.
   *
   * @throws ConfigException if the text is none
   */
  public T parse(String text) {
    try {
      return parser.apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw new ConfigException("not a " + name + ": value=" + text + "; write " + allowed);
    }
  }

  private static List<Long> numbers(String text) {
    return SPACE.splitAsStream(text).map(Long::valueOf).toList();
  }

  private static Boolean truth(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  @Override
  public String toString() {
    return name;
  }
}

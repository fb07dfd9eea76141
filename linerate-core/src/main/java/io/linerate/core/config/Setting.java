package io.linerate.core.config;

import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Something that can be configured: the one place that says its key, what is allowed and what holds
 * when nobody says anything. Make each once, as a constant; {@link SettingsOwner} makes those of a
 * driver or an application known.
 *
 * @param <T> what a value is in Java
 */
public final class Setting<T> {
  private final String key;
  private final List<String> otherNames;
  private final T byDefault;
  private final Function<ConfigEntry, T> parser;
  private final Function<T, String> writer;

  private Setting(
      String key,
      List<String> otherNames,
      T byDefault,
      Function<ConfigEntry, T> parser,
      Function<T, String> writer) {
    this.key = key;
    this.otherNames = otherNames;
    this.byDefault = byDefault;
    this.parser = parser;
    this.writer = writer;
  }

  /**
   * A setting of any type.
   *
   * @param parser throws {@link ConfigEntry#error} for a value that is not allowed
   * @param writer the opposite
   */
  public static <T> Setting<T> of(
      String key, T byDefault, Function<ConfigEntry, T> parser, Function<T, String> writer) {
    return new Setting<>(key, List.of(), byDefault, parser, writer);
  }

  /** A whole number. */
  public static Setting<Integer> number(String key, int byDefault, int min, int max) {
    return number(key, byDefault, min, max, "");
  }

  /**
   * A whole number.
   *
   * @param unit behind the range in messages, such as {@code ", in µs"}
   */
  public static Setting<Integer> number(String key, int byDefault, int min, int max, String unit) {
    String allowed = "write " + min + " to " + max + unit;
    return of(
        key,
        byDefault,
        entry -> {
          if (!entry.value().matches("[+-]?[0-9]+")) {
            throw entry.error("not a whole number", allowed);
          }
          BigInteger number = new BigInteger(entry.value());
          if (number.compareTo(BigInteger.valueOf(min)) < 0
              || number.compareTo(BigInteger.valueOf(max)) > 0) {
            throw entry.error("value is out of range", allowed);
          }
          return number.intValue();
        },
        String::valueOf);
  }

  /** True or false. */
  public static Setting<Boolean> truth(String key, boolean byDefault) {
    return of(
        key,
        byDefault,
        entry -> Boolean.valueOf(matching(entry, "true|false", "true or false")),
        String::valueOf);
  }

  /**
   * Text.
   *
   * @param pattern that it matches
   * @param allowed what matches, as messages say it behind "write"
   */
  public static Setting<String> text(String key, String byDefault, String pattern, String allowed) {
    return of(key, byDefault, entry -> matching(entry, pattern, allowed), Function.identity());
  }

  /**
   * Parts with commas or blanks between them; none if nobody says any.
   *
   * @param pattern that each matches
   * @param allowed what matches, as messages say it behind "write"
   */
  public static Setting<List<String>> list(String key, String pattern, String allowed) {
    return of(
        key,
        List.of(),
        entry -> {
          List<String> parts = parts(entry.value());
          if (!parts.stream().allMatch(part -> part.matches(pattern))) {
            throw entry.error("wrong value", "write " + allowed);
          }
          return parts;
        },
        parts -> String.join(",", parts));
  }

  /**
   * One of the constants of an enum, in lower case with dashes.
   *
   * @param what they are, in words
   */
  public static <E extends Enum<E>> Setting<E> choice(String key, String what, E byDefault) {
    Class<E> type = byDefault.getDeclaringClass();
    return of(
        key,
        byDefault,
        entry ->
            EnumText.read(entry.value(), type)
                .orElseThrow(
                    () -> entry.error("no such " + what, "use one of " + EnumText.all(type))),
        EnumText::of);
  }

  static List<String> parts(String value) {
    return Stream.of(value.split("[,\\s]+")).filter(part -> !part.isEmpty()).toList();
  }

  private static String matching(ConfigEntry entry, String pattern, String allowed) {
    if (!entry.value().matches(pattern)) {
      throw entry.error("wrong value", "write " + allowed);
    }
    return entry.value();
  }

  /** The same, which users may call by another name as well. */
  public Setting<T> orCalled(String name) {
    List<String> names = Stream.concat(otherNames.stream(), Stream.of(name)).toList();
    return new Setting<>(key, names, byDefault, parser, writer);
  }

  public String key() {
    return key;
  }

  /** Its key and other names. */
  Stream<String> names() {
    return Stream.concat(Stream.of(key), otherNames.stream());
  }

  T byDefault() {
    return byDefault;
  }

  /**
   * @throws ConfigException if the value is not allowed
   */
  T parse(ConfigEntry entry) {
    return parser.apply(entry);
  }

  /** A value as users write it. */
  String text(T value) {
    return writer.apply(value);
  }

  @Override
  public String toString() {
    return key;
  }
}

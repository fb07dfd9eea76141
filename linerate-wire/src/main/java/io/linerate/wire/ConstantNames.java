package io.linerate.wire;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The numbers of a registry and their names: those of a class's constants, {@code ipv6-frag}. */
final class ConstantNames {
  private final Map<Integer, String> names = new HashMap<>();
  private final Map<String, Integer> numbers;

  /**
   * @param constants class whose public constants are numbers of the registry, but for {@code MIN}
   *     and {@code MAX}
   * @param others further names that people write
   */
  ConstantNames(Class<?> constants, Map<String, Integer> others) {
    numbers = new HashMap<>(others);
    for (Field constant : constants.getFields()) {
      if (!constant.getName().equals("MIN") && !constant.getName().equals("MAX")) {
        String name = constant.getName().toLowerCase(Locale.ROOT).replace('_', '-');
        names.put(number(constant), name);
        numbers.put(name, number(constant));
      }
    }
  }

  private static int number(Field constant) {
    try {
      return constant.getInt(null);
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException("no constant of a registry: " + constant, e);
    }
  }

  /** The name, or what {@code format} makes of a number that has none here. */
  String name(int number, String format) {
    String name = names.get(number);
    return name != null ? name : format.formatted(number);
  }

  /** The number that a name (in any case) stands for, or -1. */
  int number(String name) {
    return numbers.getOrDefault(name.toLowerCase(Locale.ROOT), -1);
  }
}

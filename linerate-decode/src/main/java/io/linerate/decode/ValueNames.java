package io.linerate.decode;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the values of a field are called. */
@FunctionalInterface
public interface ValueNames {
  /** The name of a value; null if it has none. */
  @Nullable String of(long value);

  /**
   * Names of some values.
   *
   * @param names by value
   */
  static ValueNames of(Map<Integer, String> names) {
    Map<Long, String> copy = new TreeMap<>();
    names.forEach((value, name) -> copy.put(value.longValue(), name));
    return copy::get;
  }

  /** Names of the values from 0 on, in their order. */
  static ValueNames from0(String... names) {
    String[] copy = names.clone();
    return value -> value >= 0 && value < copy.length ? copy[(int) value] : null;
  }
}

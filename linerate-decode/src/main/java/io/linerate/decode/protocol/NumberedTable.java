package io.linerate.decode.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What numbers stand for: types of records, options, attributes. A search makes no object. */
final class NumberedTable<V> {
  private final int[] numbers;
  private final List<V> values;

  NumberedTable(Map<Integer, V> entries) {
    Map<Integer, V> sorted = new TreeMap<>(entries);
    numbers = sorted.keySet().stream().mapToInt(Integer::intValue).toArray();
    values = new ArrayList<>(sorted.values());
  }

  /** What a number stands for; null if for nothing. */
  @Nullable V find(int number) {
    int at = Arrays.binarySearch(numbers, number);
    return at < 0 ? null : values.get(at);
  }
}

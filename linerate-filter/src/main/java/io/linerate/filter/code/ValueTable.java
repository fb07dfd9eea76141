package io.linerate.filter.code;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of values: what is worked out in the same way from the same values has the same number.
 * {@link #UNKNOWN} is that of what is not known.
 */
final class ValueTable {
  static final int UNKNOWN = 0;

  private record Key(int code, int first, int second) {}

  private final Map<Key, Integer> numbers = new HashMap<>();

  /** By number: the constant that a value is, or null. */
  private final List<@Nullable Integer> constants = new ArrayList<>();

  ValueTable() {
    constants.add(null);
  }

  void clear() {
    numbers.clear();
    constants.subList(1, constants.size()).clear();
  }

  int of(int code, int first, int second) {
    return numbers.computeIfAbsent(
        new Key(code, first, second),
        key -> {
          constants.add(null);
          return constants.size() - 1;
        });
  }

  int ofConstant(int constant) {
    int number = of(Opcodes.LD | Opcodes.IMM, constant, 0);
    constants.set(number, constant);
    return number;
  }

  boolean isConstant(int number) {
    return constants.get(number) != null;
  }

  /** What a value is that {@link #isConstant}. */
  int constant(int number) {
    Integer constant = constants.get(number);
    if (constant == null) {
      throw new IllegalStateException("value is not constant: number=" + number);
    }
    return constant;
  }
}

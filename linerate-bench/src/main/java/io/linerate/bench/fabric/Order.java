package io.linerate.bench.fabric;

import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;

/**
 * An object as programs send it: some numbers of several sizes and two arrays. As the compiler's
 * proof that a copy is whole, it has a digest of all that is in it.
 */
final class Order implements Serializable {
  static final int LEVELS = 11;

  @Serial private static final long serialVersionUID = 1;

  long number;
  boolean isUrgent;
  int code;
  int priority;
  final double[] prices = new double[LEVELS];
  final long[] quantities = new long[LEVELS];

  /** Another one for each number. */
  void fill(long from) {
    number = from;
    isUrgent = (from & 1) == 0;
    code = (int) from * 31;
    priority = (int) (from & 7);
    for (int i = 0; i < LEVELS; i++) {
      prices[i] = from + i / 8.0;
      quantities[i] = from * i;
    }
  }

  long digest() {
    long fields = number * 31 + (isUrgent ? 1 : 0) + code * 7L + priority * 3L;
    return fields * 31 + Arrays.hashCode(prices) * 17L + Arrays.hashCode(quantities);
  }
}

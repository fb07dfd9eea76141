package io.linerate.bench.fabric;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An {@link Order} in memory, without a byte more than it needs, by layouts that are constants.
 *
 * <pre>
 *  0       8       9       13       17        17 + 8 n     17 + 16 n
 *  | number | urgent | code | priority | prices | quantities |
 * </pre>
 */
final class OrderLayout {
  static final long BYTES = 17 + 2L * Order.LEVELS * Long.BYTES;

  private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = JAVA_INT_UNALIGNED;
  private static final long NUMBER = 0;
  private static final long URGENT = NUMBER + Long.BYTES;
  private static final long CODE = URGENT + 1;
  private static final long PRIORITY = CODE + Integer.BYTES;
  private static final long PRICES = PRIORITY + Integer.BYTES;
  private static final long QUANTITIES = PRICES + (long) Order.LEVELS * Double.BYTES;

  private OrderLayout() {}

  static void write(Order from, MemorySegment to) {
    to.set(LONG, NUMBER, from.number);
    to.set(JAVA_BYTE, URGENT, (byte) (from.isUrgent ? 1 : 0));
    to.set(INT, CODE, from.code);
    to.set(INT, PRIORITY, from.priority);
    for (int i = 0; i < Order.LEVELS; i++) {
      to.set(JAVA_DOUBLE_UNALIGNED, PRICES + (long) i * Double.BYTES, from.prices[i]);
      to.set(LONG, QUANTITIES + (long) i * Long.BYTES, from.quantities[i]);
    }
  }

  static void read(MemorySegment from, Order to) {
    to.number = from.get(LONG, NUMBER);
    to.isUrgent = from.get(JAVA_BYTE, URGENT) != 0;
    to.code = from.get(INT, CODE);
    to.priority = from.get(INT, PRIORITY);
    for (int i = 0; i < Order.LEVELS; i++) {
      to.prices[i] = from.get(JAVA_DOUBLE_UNALIGNED, PRICES + (long) i * Double.BYTES);
      to.quantities[i] = from.get(LONG, QUANTITIES + (long) i * Long.BYTES);
    }
  }

  /** The same, arrays as wholes. */
  static void writeWhole(Order from, MemorySegment to) {
    to.set(LONG, NUMBER, from.number);
    to.set(JAVA_BYTE, URGENT, (byte) (from.isUrgent ? 1 : 0));
    to.set(INT, CODE, from.code);
    to.set(INT, PRIORITY, from.priority);
    MemorySegment.copy(from.prices, 0, to, JAVA_DOUBLE_UNALIGNED, PRICES, Order.LEVELS);
    MemorySegment.copy(from.quantities, 0, to, JAVA_LONG_UNALIGNED, QUANTITIES, Order.LEVELS);
  }

  static void readWhole(MemorySegment from, Order to) {
    to.number = from.get(LONG, NUMBER);
    to.isUrgent = from.get(JAVA_BYTE, URGENT) != 0;
    to.code = from.get(INT, CODE);
    to.priority = from.get(INT, PRIORITY);
    MemorySegment.copy(from, JAVA_DOUBLE_UNALIGNED, PRICES, to.prices, 0, Order.LEVELS);
    MemorySegment.copy(from, JAVA_LONG_UNALIGNED, QUANTITIES, to.quantities, 0, Order.LEVELS);
  }
}

package io.linerate.bench.crossing;

/** What native code calls and looks at. It finds all by name. */
final class Target {
  @SuppressWarnings("UnusedVariable") // Native code reads and writes it.
  private int value = 1;

  private static long sum;

  /** The sum of the arguments since the last question. */
  static long takeSum() {
    long before = sum;
    sum = 0;
    return before;
  }

  static void none() {
    sum++;
  }

  static void one(int a) {
    sum += a;
  }

  static void two(int a, int b) {
    sum += a + b;
  }
}

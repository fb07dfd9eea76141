package io.linerate.wire;

/** The range check of setters whose field is not a whole number of bytes. */
final class FieldRange {
  private FieldRange() {}

  static long check(String field, long value, long max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(
          "value does not fit the field: field=" + field + ", value=" + value + ", max=" + max);
    }
    return value;
  }

  static int check(String field, int value, int max) {
    return (int) check(field, (long) value, (long) max);
  }
}

package io.linerate.stream;

/** A number that changes: what an {@link Aggregate} of numbers knows. */
public final class LongValue {
  private long value;

  LongValue(long value) {
    this.value = value;
  }

  public long value() {
    return value;
  }

  void set(long next) {
    value = next;
  }
}

package io.linerate.fabric;

/** What an atomic operation does with the remote value: enum fi_op of fi_atomic(3). */
public enum AtomicOperation {
  MIN(0),
  MAX(1),
  /** Adds. */
  SUM(2),
  PRODUCT(3),
  BITWISE_OR(6),
  BITWISE_AND(7),
  BITWISE_XOR(9),
  /** Fetches the remote value, and leaves it. */
  READ(10),
  /** Writes; with a result, exchanges. */
  WRITE(11);

  private final int number;

  AtomicOperation(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}

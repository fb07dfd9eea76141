package io.linerate.fabric;

/** What atomic operations work on: enum fi_datatype of fi_atomic(3). Host byte order. */
public enum AtomicType {
  INT8(0, 1),
  UINT8(1, 1),
  INT16(2, 2),
  UINT16(3, 2),
  INT32(4, 4),
  UINT32(5, 4),
  INT64(6, 8),
  UINT64(7, 8),
  FLOAT(8, 4),
  DOUBLE(9, 8);

  private final int number;
  private final int bytes;

  AtomicType(int number, int bytes) {
    this.number = number;
    this.bytes = bytes;
  }

  int number() {
    return number;
  }

  /** Bytes of one. */
  public int bytes() {
    return bytes;
  }
}

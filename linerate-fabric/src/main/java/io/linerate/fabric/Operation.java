package io.linerate.fabric;

/** What a descriptor was posted for; the numbers are those of linerate_fabric.c. */
public enum Operation {
  SEND(0),
  RECEIVE(1),
  TAGGED_SEND(2),
  TAGGED_RECEIVE(3),
  /** Remote memory is written. */
  WRITE(4),
  /** Remote memory is read. */
  READ(5),
  /** Remote memory is changed by an atomic operation. */
  ATOMIC(6),
  /** As that, and what was there before comes back. */
  FETCH(7),
  /** Remote memory is exchanged if it has an expected value; what was there before comes back. */
  COMPARE_AND_SWAP(8);

  private final int number;

  Operation(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** Whether the descriptor's own memory is written by it. */
  boolean writesMemory() {
    return this == RECEIVE || this == TAGGED_RECEIVE || this == READ;
  }

  /** Whether it is about memory of the peer. */
  boolean isRemote() {
    return number >= WRITE.number;
  }

  /** Whether memory is written or read as a whole. */
  boolean isTransfer() {
    return this == WRITE || this == READ;
  }

  boolean isReceive() {
    return this == RECEIVE || this == TAGGED_RECEIVE;
  }
}

package io.linerate.core.memory;

import java.util.Arrays;

/**
 * What is known of each packet of a burst whose packets came one by one, and change their slots:
 * see {@link HeldPackets}.
 */
final class SlotRecords {
  /** When each was received, in ns since the epoch. */
  private final long[] receivedNs;

  /** When each came here. */
  private final long[] sinceNs;

  /** The number of each, by which it is found wherever it is: ascending from slot to slot. */
  private final long[] numbers;

  SlotRecords(int slots) {
    receivedNs = new long[slots];
    sinceNs = new long[slots];
    numbers = new long[slots];
  }

  void set(int slot, long newReceivedNs, long newSinceNs, long number) {
    receivedNs[slot] = newReceivedNs;
    sinceNs[slot] = newSinceNs;
    numbers[slot] = number;
  }

  void move(int from, int to) {
    set(to, receivedNs[from], sinceNs[from], numbers[from]);
  }

  long receivedNs(int slot) {
    return receivedNs[slot];
  }

  long sinceNs(int slot) {
    return sinceNs[slot];
  }

  long number(int slot) {
    return numbers[slot];
  }

  /** Slot of the packet with a number, among the first {@code count}; below 0 if none has it. */
  int find(long number, int count) {
    return Arrays.binarySearch(numbers, 0, count, number);
  }
}

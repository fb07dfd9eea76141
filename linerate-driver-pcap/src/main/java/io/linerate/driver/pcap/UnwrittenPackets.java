package io.linerate.driver.pcap;

import java.util.Arrays;

/** Packets of one queue that are in the writer's buffer, in the order in which they were taken. */
final class UnwrittenPackets {
  private static final int FIRST_SIZE = 1_024;

  private long[] numbers = new long[FIRST_SIZE];
  private int[] lengths = new int[FIRST_SIZE];
  private int size;

  /**
   * Adds one.
   *
   * @param number how many packets the writer had taken before
   */
  void add(long number, int lengthBytes) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * size);
      lengths = Arrays.copyOf(lengths, 2 * size);
    }
    numbers[size] = number;
    lengths[size++] = lengthBytes;
  }

  int size() {
    return size;
  }

  /** Those among the writer's first {@code written}. */
  int countBelow(long written) {
    int place = Arrays.binarySearch(numbers, 0, size, written);
    return place < 0 ? -place - 1 : place;
  }

  /** Takes the first away. Returns their bytes. */
  long removeFirst(int count) {
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += lengths[i];
    }
    size -= count;
    System.arraycopy(numbers, count, numbers, 0, size);
    System.arraycopy(lengths, count, lengths, 0, size);
    return bytes;
  }
}

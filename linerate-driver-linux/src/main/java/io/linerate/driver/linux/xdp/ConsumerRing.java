package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.NativeMemory;

/**
 * A ring that the kernel fills and this process empties: the receive ring and the completion ring.
 * One thread's own, as {@link ProducerRing}. Entries are read first and given back later.
 */
final class ConsumerRing {
  private final long producerAddress;
  private final long consumerAddress;
  private final long slots;
  private final int slotShift;
  private final int size;

  /** Entries before this one belong to the kernel again. */
  private int consumer;

  /** Entries before this one were read. */
  private int read;

  ConsumerRing(RingMap map, int slotShift) {
    producerAddress = map.producerAddress();
    consumerAddress = map.consumerAddress();
    slots = map.slots();
    size = map.size();
    this.slotShift = slotShift;
    consumer = NativeMemory.u32Acquire(consumerAddress);
    read = consumer;
  }

  /** Entries that are there and were not read: a look at the kernel's index. */
  int available() {
    return NativeMemory.u32Acquire(producerAddress) - read;
  }

  /** Address of the oldest entry that was not read, which is read now. */
  long next() {
    return slots + ((long) (read++ & (size - 1)) << slotShift);
  }

  /** Gives the {@code count} oldest entries, which were read, back to the kernel. */
  void release(int count) {
    consumer += count;
    NativeMemory.u32Release(consumerAddress, consumer);
  }
}

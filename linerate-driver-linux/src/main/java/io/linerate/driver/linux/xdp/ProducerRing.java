package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.NativeMemory;

/**
 * A ring that this process fills and the kernel empties: the fill ring and the transmit ring. One
 * thread's own.
 *
 * <p>Indices run on and wrap at 2³². The kernel sees what was written to a slot because the index
 * is stored after it, with release; a slot is free once the kernel's index, read with acquire, is
 * past it.
 */
final class ProducerRing {
  private static final int NEED_WAKEUP = 1;

  private final long producerAddress;
  private final long consumerAddress;
  private final long flagsAddress;
  private final long slots;
  private final int slotShift;
  private final int size;

  /** Slots before this one are the kernel's. */
  private int producer;

  /** Slots before this one are written. */
  private int written;

  ProducerRing(RingMap map, int slotShift) {
    producerAddress = map.producerAddress();
    consumerAddress = map.consumerAddress();
    flagsAddress = map.flagsAddress();
    slots = map.slots();
    size = map.size();
    this.slotShift = slotShift;
    producer = NativeMemory.u32Acquire(producerAddress);
    written = producer;
  }

  int size() {
    return size;
  }

  /** Slots that may be written: a look at the kernel's index. */
  int free() {
    return size - (written - NativeMemory.u32Acquire(consumerAddress));
  }

  /** Entries given to the kernel that it has not taken yet. */
  int pending() {
    return producer - NativeMemory.u32Acquire(consumerAddress);
  }

  /** Address of the next free slot, which is written now. */
  long next() {
    return slots + ((long) (written++ & (size - 1)) << slotShift);
  }

  /** Slots ever written, modulo 2^32. */
  int written() {
    return written;
  }

  /** Forgets the slots that were written since {@link #written} was this, and not published. */
  void truncate(int written) {
    this.written = written;
  }

  /** Gives all slots that were written to the kernel. */
  void publish() {
    producer = written;
    NativeMemory.u32Release(producerAddress, producer);
  }

  /** Whether the kernel will look at the ring only after a system call. */
  boolean needsWakeup() {
    return (NativeMemory.u32(flagsAddress) & NEED_WAKEUP) != 0;
  }
}

package io.linerate.fabric.replication;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A table that is copied: its thread writes records, which is a copy within this process; {@link
 * Primary} sends them. Writing never waits: what it is too fast for is sent again as a whole.
 */
public final class ReplicatedTable {
  private static final int RING = 1 << 16;

  private final TableLayout layout;
  private final MemorySegment memory;
  private final int table;

  /** Records that were written, and not sent yet: twice their number, and one more for slot 1. */
  private final int[] ring = new int[RING];

  private final AtomicInteger head = new AtomicInteger();
  private final AtomicInteger tail = new AtomicInteger();
  private final AtomicBoolean hasOverflown = new AtomicBoolean();
  private final AtomicInteger used = new AtomicInteger();
  private volatile boolean isStopped;

  ReplicatedTable(TableLayout layout, MemorySegment memory, int table) {
    this.layout = layout;
    this.memory = memory;
    this.table = table;
  }

  /**
   * Writes a record.
   *
   * @param record 0 to {@link TableLayout#records} - 1
   * @param words {@link TableLayout#recordWords} of them
   */
  public void write(int record, long[] words) {
    if (record < 0 || record >= layout.records()) {
      throw new IndexOutOfBoundsException(
          "no such record: record=%d, records=%d".formatted(record, layout.records()));
    }
    if (isStopped) {
      return;
    }
    long slot;
    try {
      slot = layout.write(memory, table, record, words);
    } catch (IllegalStateException e) {
      isStopped = true; // The memory has gone, with who sends it.
      return;
    }
    if (record >= used.getPlain()) {
      used.setRelease(record + 1);
    }
    int at = tail.getPlain();
    if (at - head.getAcquire() == RING) {
      hasOverflown.setRelease(true);
      return;
    }
    boolean isSecond = slot != layout.recordOffset(table, record);
    ring[at & (RING - 1)] = 2 * record + (isSecond ? 1 : 0);
    tail.setRelease(at + 1);
  }

  // ---- for who sends ----

  /** Nobody sends any more: what is written goes nowhere. */
  void stop() {
    isStopped = true;
  }

  /** Records up to this one were ever written. */
  int used() {
    return used.getAcquire();
  }

  /** Whether something was left out, and all has to be sent: asked once. */
  boolean takeOverflow() {
    return hasOverflown.getAcquire() && hasOverflown.getAndSet(false);
  }

  /** Where the slot is that was written first; -1 if there is none. */
  long peek() {
    int at = head.getPlain();
    if (at == tail.getAcquire()) {
      return -1;
    }
    int entry = ring[at & (RING - 1)];
    return layout.recordOffset(table, entry >>> 1) + (long) (entry & 1) * layout.slotBytes();
  }

  void take() {
    head.setRelease(head.getPlain() + 1);
  }

  void takeAll() {
    head.setRelease(tail.getAcquire());
  }

  /** Where it is: what was written until now is taken when {@link #hasTaken} says so of it. */
  int mark() {
    return tail.getAcquire();
  }

  boolean hasTaken(int mark) {
    return head.getPlain() - mark >= 0;
  }
}

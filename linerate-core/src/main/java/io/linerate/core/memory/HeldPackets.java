package io.linerate.core.memory;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import java.util.Iterator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Packets that a handler keeps beyond their burst, oldest first: for reassembly, for queues, for an
 * answer that has to come. They are counted as in flight; sent or dropped like those of a burst
 * they leave; they stay readable until then. There is an end to each: when there is no room for a
 * packet it is dropped as {@link #FULL}, when it was kept for too long as {@link #EXPIRED}, when
 * its worker ends as {@link #STOPPED}.
 *
 * <pre>{@code
 * HeldPackets waiting = worker.hold(1_000, 2_000_000_000L);
 * worker.input(in, burst -> {
 *   for (Packet packet : burst) {
 *     waiting.add(packet);
 *   }
 *   if (isOpen()) {
 *     for (Packet packet : waiting) {
 *       output.send(packet);
 *     }
 *   }
 * });
 * }</pre>
 *
 * For the worker's thread; on any other it throws {@link WrongThreadException}.
 */
public final class HeldPackets implements Iterable<Packet> {
  /** There was no room for it. */
  public static final DropReason FULL = DropReason.named("held_full");

  /** It was kept for longer than it may be. */
  public static final DropReason EXPIRED = DropReason.named("held_too_long");

  /** Its worker has ended. */
  public static final DropReason STOPPED = DropReason.named("stopped");

  /** Dropped packets wait for others of their kind: to free them moves all that are left. */
  private static final int SWEEP_PACKETS = 256;

  private static final int MAX_CAPACITY = 0x7FFF;

  private final Burst packets;
  private final int capacity;
  private final long timeoutNs;
  private final LongSupplier monotonicNs;
  private final FreeBuffer freeBuffer;

  /** That of the packet that came last. */
  private long lastNumber;

  private final SlotRecords records;

  /**
   * For workers, which end them.
   *
   * @param capacity packets at most, 1 to 32,767
   * @param timeoutNs after which they are dropped; 0: never
   * @param monotonicNs tells the time, from any origin
   */
  public HeldPackets(
      int capacity,
      long timeoutNs,
      DropCounts drops,
      FreeBuffer freeBuffer,
      LongSupplier monotonicNs,
      BurstOwner owner) {
    if (capacity < 1 || capacity > MAX_CAPACITY || timeoutNs < 0) {
      throw new IllegalArgumentException(
          "packets cannot be held: capacity=%d, timeoutNs=%d; 1 to %d packets are possible, and times from 0 on"
              .formatted(capacity, timeoutNs, MAX_CAPACITY));
    }
    this.capacity = capacity;
    this.timeoutNs = timeoutNs;
    this.freeBuffer = freeBuffer;
    this.monotonicNs = monotonicNs;
    // Twice the room: what has left is cleared away when half of the slots are used up.
    packets = new Burst(new MbufArray(2 * capacity), drops, () -> 1, owner);
    records = new SlotRecords(2 * capacity);
    packets.records(records);
  }

  /** Packets that are held. */
  public int size() {
    return packets.live();
  }

  /** Packets at most. */
  public int capacity() {
    return capacity;
  }

  /**
   * Takes a packet out of its burst and keeps it, or drops it.
   *
   * @return whether it is kept; if not it was dropped as {@link #FULL}
   */
  public boolean add(Packet packet) {
    packets.owner.require();
    if (size() == capacity) {
      packet.drop(FULL);
      return false;
    }
    if (packets.room() == 0) {
      packets.settle(freeBuffer);
    }
    long receivedNs = packet.timestampNs();
    int slot = packets.size();
    packets.add(packet);
    records.set(slot, receivedNs, timeoutNs == 0 ? 0 : monotonicNs.getAsLong(), lastNumber + 1);
    lastNumber++;
    return true;
  }

  /** The number of the packet that was added last, by which it is found again: from 1 on. */
  public long lastNumber() {
    return lastNumber;
  }

  /**
   * A packet by its number; it is a cursor, and the next call moves it.
   *
   * @return null if the packet is not here any more
   */
  public @Nullable Packet packet(long number) {
    packets.owner.require();
    int slot = records.find(number, packets.size());
    return slot < 0 || packets.isGone(slot) ? null : packets.packet(slot);
  }

  /** The packets, oldest first; loops do not nest. */
  @Override
  public Iterator<Packet> iterator() {
    return packets.iterator();
  }

  /** Drops all. */
  public void dropAll(DropReason reason) {
    packets.dropAll(reason);
    packets.finish(freeBuffer);
  }

  /**
   * Drops what was kept for too long, and frees what was dropped. For the worker.
   *
   * @return whether anything was too old
   */
  public boolean expire() {
    packets.owner.require();
    boolean isAny = timeoutNs > 0 && size() > 0 && dropOld();
    int dropped = packets.dropped();
    if (dropped > 0 && dropped >= Math.min(SWEEP_PACKETS, size() / 4)) {
      packets.settle(freeBuffer);
    }
    return isAny;
  }

  /** How long none of them is too old, in ns. For the worker. */
  public long restNs() {
    packets.owner.require();
    if (timeoutNs == 0 || size() == 0) {
      return Long.MAX_VALUE;
    }
    long keptNs = monotonicNs.getAsLong() - records.sinceNs(packets.iterator().next().index());
    return Math.max(0, timeoutNs - keptNs);
  }

  private boolean dropOld() {
    int before = size();
    long now = monotonicNs.getAsLong();
    for (Packet packet : packets) {
      if (now - records.sinceNs(packet.index()) < timeoutNs) {
        break;
      }
      packet.drop(EXPIRED);
    }
    return size() < before;
  }
}

package io.linerate.graph;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Packets that an element keeps in the order in which they came: see {@link Wiring#queue}. For the
 * worker's thread only; {@link #size} for any.
 */
public final class PacketQueue implements PacketStore {
  private static final VarHandle SIZE = size(MethodHandles.lookup());

  private final RunningElement element;
  private final long[] handles;
  private final long[] receivedNs;
  private final int capacity;
  private final int mask;

  /** Holds packets while they are dropped. */
  private final OwnedBurst dropping;

  private long head;
  private int size;

  PacketQueue(RunningElement element, int capacity) {
    this.element = element;
    this.capacity = capacity;
    int slots = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
    handles = new long[slots];
    receivedNs = new long[slots];
    mask = slots - 1;
    dropping =
        element
            .replica()
            .host()
            .burst(element.replica().host().maxBurst(), element.drops(), () -> 1);
  }

  @Override
  public int size() {
    return (int) SIZE.getOpaque(this);
  }

  @Override
  public int capacity() {
    return capacity;
  }

  public boolean isFull() {
    return size == capacity;
  }

  /**
   * Takes a packet out of its burst and stores it.
   *
   * @return false if there is no room: the packet is where it was
   */
  public boolean add(Packet packet) {
    if (isFull()) {
      return false;
    }
    int slot = (int) (head + size) & mask;
    receivedNs[slot] = packet.timestampNs();
    handles[slot] = OwnedBurst.take(packet);
    resize(1);
    return true;
  }

  /** Sends the oldest packets, at most {@code max}, and returns their number. */
  public int sendTo(Outlet outlet, int max) {
    int count = Math.min(max, size);
    for (int i = 0; i < count; i++) {
      int slot = (int) head & mask;
      outlet.makeRoom();
      outlet.append(handles[slot], receivedNs[slot]);
      head++;
      resize(-1);
    }
    return count;
  }

  /**
   * Sends the oldest packet.
   *
   * @return the packet, to be written until the next one is sent there or the element returns; null
   *     if nothing is stored
   */
  public @Nullable Packet sendFirst(Outlet outlet) {
    return sendTo(outlet, 1) == 0 ? null : outlet.last();
  }

  /** Drops the oldest packets, at most {@code max}, and returns their number. */
  public int drop(int max, DropReason reason) {
    int count = Math.min(max, size);
    for (int i = 0; i < count; i++) {
      if (dropping.room() == 0) {
        endDropped(reason);
      }
      dropping.array().append(handles[(int) head & mask]);
      head++;
      resize(-1);
    }
    endDropped(reason);
    return count;
  }

  private void endDropped(DropReason reason) {
    dropping.dropAll(reason);
    dropping.finish(element.replica().host().home());
  }

  @Override
  public void dropAll(DropReason reason) {
    drop(size, reason);
  }

  private void resize(int packets) {
    SIZE.setOpaque(this, size + packets);
    element.replica().host().ledger().addHeld(packets);
  }

  private static VarHandle size(MethodHandles.Lookup lookup) {
    try {
      return lookup.findVarHandle(PacketQueue.class, "size", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

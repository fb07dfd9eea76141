package io.linerate.graph;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.SpscRing;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.PacketLedger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Packets that an element keeps in the order in which they came: see {@link Wiring#queue}. For the
 * worker's thread, on any other it throws {@link WrongThreadException}; {@link #size} for any.
 */
public final class PacketQueue extends RingEnd implements PacketStore {
  private final RunningElement element;
  private final PacketLedger ledger;
  private final SpscRing ring;

  PacketQueue(RunningElement element, int capacity) {
    this(element, new SpscRing(capacity, true), true);
  }

  /** The side of a ring that is emptied. */
  PacketQueue(RunningElement element, SpscRing ring, boolean isOwn) {
    super(ring, isOwn);
    this.element = element;
    ledger = element.replica().host().ledger();
    this.ring = ring;
  }

  @Override
  public int size() {
    return ring.size();
  }

  @Override
  public int capacity() {
    return ring.capacity();
  }

  public boolean isFull() {
    element.replica().host().owner().require();
    return ring.room(1) == 0;
  }

  /**
   * Takes a packet out of its burst and stores it.
   *
   * @return false if there is no room: the packet is where it was
   */
  public boolean add(Packet packet) {
    element.replica().host().owner().require();
    if (isFull() || element.hasLeft()) {
      return false;
    }
    long receivedNs = packet.timestampNs();
    ring.add(element.replica().host().owner().take(packet), receivedNs);
    ring.publish();
    ledger.addHeld(1);
    return true;
  }

  /**
   * Sends the oldest packets, at most {@code max}, and returns their number.
   *
   * <p>A packet leaves when there is room for it: what is thrown while others are handed on costs
   * it nothing, and what is thrown later cannot bring it back.
   */
  public int sendTo(Outlet outlet, int max) {
    element.replica().host().owner().require();
    int count = waiting(max);
    for (int i = 0; i < count; i++) {
      outlet.makeRoom();
      if (ring.waiting(1) == 0) {
        return i; // Those who got what was sent before have sent the rest.
      }
      long receivedNs = ring.firstReceivedNs();
      outlet.append(removeFirst(), receivedNs);
    }
    return count;
  }

  private long removeFirst() {
    long mbuf = ring.first();
    ring.removeFirst();
    if (isOwn()) {
      ledger.addHeld(-1);
    } else {
      ledger.addTakenOver(1);
    }
    return mbuf;
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
    element.replica().host().owner().require();
    Objects.requireNonNull(reason, "reason");
    int count = Math.min(max, ring.waiting(max));
    FreeBuffer freeBuffer = element.replica().host().freeBuffer();
    for (int i = 0; i < count; i++) {
      long mbuf = removeFirst();
      element.drops().addPacket(reason, mbuf);
      freeBuffer.add(mbuf);
    }
    return count;
  }

  @Override
  public void dropAll(DropReason reason) {
    drop(Integer.MAX_VALUE, reason);
  }
}

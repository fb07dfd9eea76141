package io.linerate.core.memory;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.time.EpochClock;
import java.util.Iterator;

/**
 * A burst in the hands of its owner, who receives into it, lends {@link #burst} to handlers, and
 * ends it: for workers, and what else polls queues. Nothing that a handler is given leads here, and
 * to make one takes an array of the driver's side.
 */
public final class OwnedBurst implements Iterable<Packet> {
  private final MbufArray array;
  private final Burst burst;

  /** Packets of the calling thread, whose drops nobody asks for. */
  public OwnedBurst(MbufArray array) {
    this(array, new DropCounts(), EpochClock.SYSTEM, new BurstOwner());
  }

  /**
   * @param array of packets that a driver, or somebody else, fills or sends
   * @param drops where dropped packets are counted
   */
  public OwnedBurst(MbufArray array, DropCounts drops, EpochClock clock, BurstOwner owner) {
    this.array = array;
    burst = new Burst(array, drops, clock, owner);
  }

  /** Who may take packets out of it. */
  public BurstOwner owner() {
    return burst.owner;
  }

  /** What handlers are given. */
  public Burst burst() {
    return burst;
  }

  /** What drivers are given: to be received into while no packet is gone, and sent from. */
  public MbufArray array() {
    return array;
  }

  /** Slots in use. */
  public int size() {
    return array.size();
  }

  /** Packets at most. */
  public int capacity() {
    return array.capacity();
  }

  /** See {@link Burst#packet}. */
  public Packet packet(int index) {
    return burst.packet(index);
  }

  @Override
  public Iterator<Packet> iterator() {
    return burst.iterator();
  }

  /** Slots that are free. */
  public int room() {
    return array.room();
  }

  public boolean isEmpty() {
    return array.isEmpty();
  }

  /** The handle of the packet in slot {@code index}, 0 when it was taken. */
  public long handle(int index) {
    return burst.handle(index);
  }

  /**
   * Takes a packet over from another burst of its owner.
   *
   * @throws IllegalArgumentException if there is no room, it is here already, or it is somebody
   *     else's
   */
  public void add(Packet packet) {
    burst.add(packet);
  }

  /**
   * Takes all packets over from another burst of its owner, if none of them is gone and there is
   * room for all.
   *
   * @return whether it has: if not, nothing has changed
   * @throws IllegalArgumentException if they are somebody else's
   */
  public boolean addAll(Burst from) {
    return burst.addAll(from);
  }

  /**
   * Takes over the packets of another burst of its owner that are neither dropped nor taken, by
   * copying their handles, if there is room for them. The caller has made sure that the stack does
   * not end in here: packets would be lost that are in neither burst.
   *
   * @return whether it has: if not, nothing has changed
   * @throws IllegalArgumentException if they are somebody else's
   */
  public boolean addLeft(Burst from) {
    return burst.addLeft(from);
  }

  /**
   * Appends the bytes of packet {@code tail} to packet {@code head}, without copying them: its
   * segments become the last ones of the other's. It is counted as dropped, since it ends here.
   *
   * @return false if they are not all of one pool, to which a packet returns as a whole: then
   *     nothing has changed
   * @throws IllegalStateException if one of them was sent or dropped
   */
  public boolean join(int head, int tail, DropReason reason) {
    return burst.join(head, tail, reason);
  }

  /** Drops every packet that is left. */
  public void dropAll(DropReason reason) {
    burst.dropAll(reason);
  }

  /**
   * Ends the burst: drops what is left as {@link DropReason#FORGOTTEN} and hands all that was
   * dropped to {@code freeBuffer}.
   *
   * @return the number of packets handed over
   */
  public int finish(FreeBuffer freeBuffer) {
    return burst.finish(freeBuffer);
  }

  /**
   * As {@link #finish}, of a burst that is next received into with the same buffer, by {@code
   * RxQueue.receive(MbufArray, FreeBuffer)}.
   */
  public void finishInPlace(FreeBuffer freeBuffer) {
    burst.finishInPlace(freeBuffer);
  }

  /** Forgets the packets, whose owner is somebody else by now. */
  public void clear() {
    burst.clear();
  }
}

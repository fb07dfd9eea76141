package io.linerate.core.memory;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.time.EpochClock;

/**
 * Who owns bursts: all that one worker hands to its handlers shares one of these. Its thread alone
 * may touch them; the check is a comparison that the compiler takes out of loops.
 *
 * <p>Who has it may take packets out of its bursts and keep them. It is never handed to a handler,
 * and one that a handler makes owns nothing but what is made with it.
 */
public final class BurstOwner {
  private Thread thread = Thread.currentThread();
  private boolean readsFile;

  /** What shares this belongs to the calling thread from now on. */
  public void bind() {
    thread = Thread.currentThread();
  }

  /**
   * Returns on the owner's thread only.
   *
   * @throws WrongThreadException on any other
   */
  @SuppressWarnings("ReferenceEquality") // A thread is itself only.
  public void require() {
    if (Thread.currentThread() != thread) {
      throw wrongThread();
    }
  }

  private WrongThreadException wrongThread() {
    return new WrongThreadException(
        "packets are used on another thread: thread=%s, owner=%s; copy out what other threads need"
            .formatted(Thread.currentThread().getName(), thread.getName()));
  }

  /**
   * Takes a packet out of its burst: the caller owns it from now on.
   *
   * @return its handle
   * @throws IllegalArgumentException if its burst is somebody else's
   */
  public long take(Packet packet) {
    requireOwn(packet.burst());
    return packet.take();
  }

  /** Whether what came last lies in a mapped file: see {@link MappedFileFault}. */
  public boolean readsFile() {
    return readsFile;
  }

  /** Says whether what comes now lies in a mapped file. */
  public void readsFile(boolean is) {
    readsFile = is;
  }

  /** A burst of the packets of an array that somebody else fills, or sends. */
  public Burst burst(MbufArray array, DropCounts drops, EpochClock clock) {
    return new Burst(array, drops, clock, this);
  }

  /**
   * Moves a packet to another burst.
   *
   * @throws IllegalArgumentException if there is no room, it is there already, or one of the bursts
   *     is somebody else's
   */
  public void move(Packet packet, Burst to) {
    requireOwn(packet.burst());
    requireOwn(to);
    to.add(packet);
  }

  /**
   * Moves all packets to another burst, if none of them is gone and there is room for all.
   *
   * @return whether it has: if not, nothing has changed
   * @throws IllegalArgumentException if one of the bursts is somebody else's
   */
  public boolean moveAll(Burst from, Burst to) {
    requireOwn(from);
    requireOwn(to);
    return to.addAll(from);
  }

  /**
   * From now on counts the dropped packets of a burst in {@code target}.
   *
   * @return where they were counted before
   * @throws IllegalArgumentException if it is somebody else's
   */
  public DropCounts drops(Burst burst, DropCounts target) {
    requireOwn(burst);
    DropCounts before = burst.drops();
    burst.drops(target);
    return before;
  }

  /** The handle of the packet in slot {@code index}, 0 when it was taken. */
  public long handle(Burst burst, int index) {
    requireOwn(burst);
    return burst.handle(index);
  }

  /**
   * Appends the bytes of packet {@code tail} to packet {@code head}, without copying them: its
   * segments become the last ones of the other's. It is counted as dropped, since it ends here.
   *
   * @return false if they are not all of one pool, to which a packet returns as a whole: then
   *     nothing has changed
   * @throws IllegalStateException if one of them was sent or dropped
   */
  public boolean join(Burst burst, int head, int tail, DropReason reason) {
    requireOwn(burst);
    return burst.join(head, tail, reason);
  }

  /**
   * Drops the packet that a cursor of the burst is at, that of a loop first: for those whose
   * handler threw.
   */
  public void dropCurrent(Burst burst, DropReason reason) {
    requireOwn(burst);
    burst.dropCurrent(reason);
  }

  /**
   * Ends the burst: drops what is left as {@link DropReason#FORGOTTEN} and hands all that was
   * dropped to {@code freeBuffer}.
   *
   * @return the number of packets handed over
   */
  public int finish(Burst burst, FreeBuffer freeBuffer) {
    requireOwn(burst);
    return burst.finish(freeBuffer);
  }

  /** Forgets the packets of a burst, whose owner is somebody else by now. */
  public void clear(Burst burst) {
    requireOwn(burst);
    burst.clear();
  }

  /** Returns if the calling thread is the owner's and the burst is too. */
  @SuppressWarnings("ReferenceEquality") // An owner is itself only.
  void requireOwn(Burst burst) {
    burst.owner.require();
    if (burst.owner != this) {
      throw new IllegalArgumentException(
          "packets belong to another worker: thread=%s; send, keep and drop them by what their own worker has given"
              .formatted(Thread.currentThread().getName()));
    }
  }
}

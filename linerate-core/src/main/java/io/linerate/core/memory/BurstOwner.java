package io.linerate.core.memory;

import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.PartialChecksum;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who owns bursts: all that one worker hands to its handlers shares one of these. Its thread alone
 * may touch them; the check is a comparison that the compiler takes out of loops.
 *
 * <p>Who has it may take packets out of its bursts and keep them. It is never handed to a handler,
 * and one that a handler makes owns nothing but what is made with it.
 */
public final class BurstOwner {
  private Thread thread = Thread.currentThread();
  private boolean readsFiles;
  private boolean wantsToLeaveChecksums;
  private boolean leavesChecksums;
  private boolean leavesCutting;
  private @Nullable PartialChecksum checksum;

  /** Who is shown dropped packets; null, and not empty, if nobody is: drops cost a comparison. */
  private DropTap @Nullable [] dropTaps;

  /** What completes checksums, made when it is first needed. */
  PartialChecksum checksum() {
    PartialChecksum made = checksum;
    if (made == null) {
      made = new PartialChecksum();
      checksum = made;
    }
    return made;
  }

  /** What shares this belongs to the calling thread from now on. */
  public void bind() {
    bind(Thread.currentThread());
  }

  /** What shares this belongs to a thread from now on, such as one that is to start. */
  public void bind(Thread next) {
    thread = next;
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

  /** Whether packets may lie in a mapped file: see {@link MappedFileFault}. */
  public boolean readsFiles() {
    return readsFiles;
  }

  /** As {@link MappedFileFault#settle()}, where packets may lie in a mapped file. */
  public void settle() {
    if (readsFiles) {
      MappedFileFault.settle();
    }
  }

  /** Says that packets may lie in a mapped file. */
  public void readsFiles(boolean is) {
    readsFiles = is;
  }

  /** Asks to have {@link Packet#leaveChecksum} leave checksums: before the engine starts. */
  public void wantToLeaveChecksums() {
    wantsToLeaveChecksums = true;
  }

  public boolean wantsToLeaveChecksums() {
    return wantsToLeaveChecksums;
  }

  /** Whether who transmits finishes what {@link Packet#leaveChecksum} leaves. */
  boolean leavesChecksums() {
    return leavesChecksums;
  }

  /** Says whether they do; only if all outputs look for packets that are unfinished. */
  public void leavesChecksums(boolean is) {
    leavesChecksums = is;
  }

  /** Whether who transmits cuts what {@link Packet#leaveCutting} leaves. */
  boolean leavesCutting() {
    return leavesCutting;
  }

  /** Says whether they do; only if they finish checksums, too. */
  public void leavesCutting(boolean is) {
    leavesCutting = is;
  }

  /**
   * From now on counts the dropped packets of a burst in {@code target}. Checks nothing: it is done
   * twice for each element that a burst comes to.
   *
   * @return where they were counted before
   */
  public DropCounts drops(Burst burst, DropCounts target) {
    DropCounts before = burst.drops();
    burst.drops(target);
    return before;
  }

  /** Where the dropped packets of a burst are counted. Checks nothing. */
  public DropCounts drops(Burst burst) {
    return burst.drops();
  }

  /** From now on a tap is shown what is dropped. */
  public void addDropTap(DropTap tap) {
    List<DropTap> taps = dropTapList();
    taps.add(tap);
    dropTaps = taps.toArray(new DropTap[0]);
  }

  /** A tap is shown nothing any more. */
  public void removeDropTap(DropTap tap) {
    List<DropTap> taps = dropTapList();
    taps.remove(tap);
    dropTaps = taps.isEmpty() ? null : taps.toArray(new DropTap[0]);
  }

  private List<DropTap> dropTapList() {
    return dropTaps == null ? new ArrayList<>() : new ArrayList<>(List.of(dropTaps));
  }

  /** Whether anybody is shown dropped packets. */
  boolean showsDrops() {
    return dropTaps != null;
  }

  /**
   * Shows a packet that is about to be dropped.
   *
   * @param at where it will be counted
   */
  void showDrop(long mbuf, long receivedNs, DropReason reason, DropCounts at) {
    DropTap[] taps = dropTaps;
    if (taps != null) {
      DropPlace place = at.place();
      for (DropTap tap : taps) {
        tap.dropped(mbuf, receivedNs, reason, place);
      }
    }
  }

  /** What was counted at no place yet was dropped here. */
  public void placeDrops(DropCounts at) {
    DropTap[] taps = dropTaps;
    DropPlace place = taps == null ? null : at.place();
    if (taps != null && place != null) {
      for (DropTap tap : taps) {
        tap.placed(place);
      }
    }
  }

  /**
   * A step of a loop over a burst, for loops that are made and not written: {@link Burst#forEach}
   * is for those. The loop begins at 0, ends before {@link Burst#size} and then says so by {@link
   * #endLoop}.
   *
   * @return the cursor of the burst's loops, moved to packet {@code index}; null if that is gone
   * @throws IndexOutOfBoundsException if there is none
   */
  public @Nullable Packet loop(Burst burst, int index) {
    requireOwn(burst);
    return burst.loop(Objects.checkIndex(index, burst.size()));
  }

  /**
   * Which of up to 64 packets of a burst, from slot {@code from} on, are there and accepted by what
   * judges them by their handles.
   *
   * @return bit i: packet {@code from + i} is
   * @throws IndexOutOfBoundsException if {@code from} is not in 0 to {@link Burst#size}
   */
  public static long test(Burst burst, int from, HandlePredicate test) {
    return burst.test(from, test);
  }

  /** Bytes of a packet; below 0 if it is gone. Checks nothing. */
  public static int length(Packet packet) {
    return packet.lengthOrGone();
  }

  /** The cursor of loops has no packet from now on. Checks nothing. */
  public void endLoop(Burst burst) {
    burst.endLoop();
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
   * Returns on the owner's thread only, and if the burst is its own.
   *
   * @throws WrongThreadException on any other thread
   * @throws IllegalArgumentException if the burst is somebody else's
   */
  @SuppressWarnings("ReferenceEquality") // An owner is itself only.
  public void requireOwn(Burst burst) {
    burst.owner.require();
    if (burst.owner != this) {
      throw new IllegalArgumentException(
          "packets belong to another worker: thread=%s; send, keep and drop them by what their own worker has given"
              .formatted(Thread.currentThread().getName()));
    }
  }
}

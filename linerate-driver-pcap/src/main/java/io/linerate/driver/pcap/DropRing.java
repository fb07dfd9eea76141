package io.linerate.driver.pcap;

import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.memory.DropPlace;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.DropTap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Copies of dropped packets on their way from a worker to a file. The worker never waits: what
 * finds no room is counted.
 */
final class DropRing implements DropTap {
  /** A reader that comes every 5 ms keeps up with 1.6 million packets a second. */
  static final int SLOTS = 1 << 13;

  private static final int MASK = SLOTS - 1;
  private static final long MEMORY_BYTES = 8 << 20;

  private static final VarHandle HEAD;
  private static final VarHandle TAIL;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HEAD = lookup.findVarHandle(DropRing.class, "head", long.class);
      TAIL = lookup.findVarHandle(DropRing.class, "tail", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int worker;
  private final DropFilter filter;
  private final @Nullable DropTest packets;
  private final int snapLengthBytes;
  private final SingleWriterCounters missed = new SingleWriterCounters(1);

  /** The collector frees it: the worker may be at a packet when the capture ends. */
  private final MemorySegment memory = Arena.ofAuto().allocate(MEMORY_BYTES, 64);

  private final long[] starts = new long[SLOTS];
  private final long[] timesNs = new long[SLOTS];
  private final int[] capturedBytes = new int[SLOTS];
  private final int[] lengthsBytes = new int[SLOTS];
  private final int[] linkTypes = new int[SLOTS];
  private final DropReason[] reasons = new DropReason[SLOTS];
  private final DropPlace[] places = new DropPlace[SLOTS];

  /** Packets taken out. Written by the reader, after {@link #freedBytes}. */
  @SuppressWarnings("UnusedVariable") // By its handle.
  private long head;

  /** Where the memory ends that the reader has done with, counted without end. */
  private long freedBytes;

  /** Packets put in, which the reader may take out. Written by the worker. */
  private long tail;

  /** Where the next packet may begin, counted without end. Worker only. */
  private long usedBytes;

  /** Whether the packet behind the tail waits for its place, and where it ends. Worker only. */
  private boolean isUnplaced;

  private long unplacedEnd;
  private boolean isUnplacedMissed;

  DropRing(int worker, DropFilter filter, int snapLengthBytes) {
    this.worker = worker;
    this.filter = filter;
    packets = filter.packets().map(DropTest::new).orElse(null);
    this.snapLengthBytes = snapLengthBytes;
  }

  @Override
  public void dropped(long mbuf, long receivedNs, DropReason reason, @Nullable DropPlace place) {
    if (!filter.takes(reason) || (place != null && !filter.takes(place))) {
      return;
    }
    if (packets != null && !packets.accepts(mbuf)) {
      return;
    }
    int captured = Math.min(Mbuf.packetLength(mbuf), snapLengthBytes);
    long start = start(captured);
    if (start < 0 || !copy(mbuf, start, captured)) {
      isUnplacedMissed = place == null;
      missed.add(0, place == null ? 0 : 1);
      return;
    }
    int slot = (int) tail & MASK;
    starts[slot] = start;
    timesNs[slot] = receivedNs;
    capturedBytes[slot] = captured;
    lengthsBytes[slot] = Mbuf.packetLength(mbuf) + Mbuf.cutBytes(mbuf);
    linkTypes[slot] = Mbuf.linkType(mbuf);
    reasons[slot] = reason;
    isUnplaced = true;
    unplacedEnd = start + captured;
    if (place != null) {
      placed(place);
    }
  }

  /** Where there is room for so many bytes in a row; -1 if there is none. */
  private long start(int captured) {
    long taken = (long) HEAD.getAcquire(this);
    long inPass = usedBytes % MEMORY_BYTES;
    long start = inPass + captured <= MEMORY_BYTES ? usedBytes : usedBytes + MEMORY_BYTES - inPass;
    boolean hasRoom = tail - taken < SLOTS && start + captured - freedBytes <= MEMORY_BYTES;
    return hasRoom ? start : -1;
  }

  /** Whether the packet can be read: the file that it is in may have become shorter. */
  private boolean copy(long mbuf, long start, int captured) {
    try {
      SegmentCopy.read(mbuf, 0, memory, start % MEMORY_BYTES, captured);
      MappedFileFault.settle(mbuf);
      return true;
    } catch (InternalError e) {
      return false;
    }
  }

  @Override
  public void placed(DropPlace place) {
    if (isUnplaced && filter.takes(place)) {
      places[(int) tail & MASK] = place;
      usedBytes = unplacedEnd;
      TAIL.setRelease(this, tail + 1);
    }
    if (isUnplacedMissed && filter.takes(place)) {
      missed.add(0, 1);
    }
    isUnplaced = false;
    isUnplacedMissed = false;
  }

  /** Packets for which there was no room, or which could not be read. Any thread. */
  long missed() {
    return missed.get(0);
  }

  /** Takes out what there is, and says how many. Reader only. */
  int drain(CaptureTap target) {
    long from = (long) HEAD.getOpaque(this);
    long to = (long) TAIL.getAcquire(this);
    for (long i = from; i < to; i++) {
      int slot = (int) i & MASK;
      target.write(
          memory.asSlice(starts[slot] % MEMORY_BYTES, capturedBytes[slot]),
          new RecordHeader(
              linkTypes[slot],
              timesNs[slot],
              lengthsBytes[slot],
              comment(reasons[slot], places[slot])));
      freedBytes = starts[slot] + capturedBytes[slot];
      HEAD.setRelease(this, i + 1);
    }
    return (int) (to - from);
  }

  private String comment(DropReason reason, DropPlace place) {
    StringBuilder comment = new StringBuilder("reason=").append(reason);
    if (!place.element().isEmpty()) {
      comment.append(", element=").append(place.element());
    }
    if (!place.port().isEmpty()) {
      comment.append(", port=").append(place.port());
    }
    return comment.append(", worker=").append(worker).toString();
  }
}

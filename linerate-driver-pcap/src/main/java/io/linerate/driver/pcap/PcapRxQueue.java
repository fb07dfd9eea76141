package io.linerate.driver.pcap;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.PortException;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the packets of a capture file where they lie. A packet's headroom is the header of its
 * own record, which was read before and is needed no more.
 */
final class PcapRxQueue implements RxQueue {
  static final int ERRORS = 2;

  /** Bytes of the file that were read, with those of the passes before. */
  static final int READ_BYTES = 3;

  static final int COUNTERS = 4;

  private static final int ETHERNET = LinkType.ETHERNET.number();

  /** Passes for ever. */
  static final long FOREVER = -1;

  private static final int MAX_SEGMENTS =
      CaptureBytes.MAX_PACKET_BYTES / Mbuf.MAX_SEGMENT_BYTES + 1;

  private final MappedFile file;
  private final ChangedPages changes;
  private final long baseAddress;
  private final CaptureReader reader;
  private final ReadAhead ahead;
  private final BufferPool pool;
  private final @Nullable Pace pace;
  final QueueCounts counts = new QueueCounts(COUNTERS);
  private final MemorySegment segments = Arena.ofAuto().allocate(8L * MAX_SEGMENTS, 8);

  private long passesLeft;
  private long passPackets;
  private long passedBytes;

  /** The reader stands at a packet that was not handed out. */
  private boolean pending;

  /** All packets of the pass were handed out, and there is another pass. */
  private boolean passEnded;

  private boolean exhausted;
  private boolean closed;
  private @Nullable PortException failure;

  PcapRxQueue(
      MappedFile file, CaptureReader reader, BufferPool pool, long passes, @Nullable Pace pace) {
    this.file = file;
    changes = new ChangedPages(file, pool, passes != 1);
    this.reader = reader;
    ahead = new ReadAhead(file.bytes());
    this.pool = pool;
    this.pace = pace;
    baseAddress = file.bytes().address();
    passesLeft = passes;
  }

  @Override
  public int receive(MbufArray packets) {
    if (closed) {
      throw new IllegalStateException("port is closed: pool=" + pool.name());
    }
    if (failure != null) {
      throw takeFailure(failure);
    }
    int room = packets.room();
    if (room == 0 || !changes.discardBefore(reader.dataOffset()) || !firstReady()) {
      if (failure != null) {
        throw takeFailure(failure);
      }
      publish();
      return 0;
    }
    int count =
        reader.lengthBytes() > Mbuf.MAX_SEGMENT_BYTES
            ? receiveLong(packets)
            : receive(packets, room);
    publish();
    return count;
  }

  @Override
  public boolean exhausted() {
    return exhausted;
  }

  @Override
  public boolean bringsSuperPackets() {
    return false;
  }

  @Override
  public boolean isMappedFile() {
    return true;
  }

  private PortException takeFailure(PortException taken) {
    failure = null;
    exhausted = true;
    return taken;
  }

  private int receive(MbufArray packets, int room) {
    long handles = packets.reserve(room);
    int wanted = pool.allocateUpTo(handles, room, 0);
    long bytesBefore = counts.get(BYTES);
    int count = 0;
    try {
      ahead.from(reader.dataOffset());
      do {
        if (count == wanted || reader.lengthBytes() > Mbuf.MAX_SEGMENT_BYTES) {
          break;
        }
        fill(Handles.get(handles, count));
        count++;
        pending = false;
      } while (ready());
      MappedFileFault.settle();
    } catch (InternalError e) {
      failure = file.failure(e);
      count = readable(handles, count);
    }
    if (count < wanted) {
      pool.free(Handles.address(handles, count), wanted - count);
    }
    packets.extend(count, pool, counts.get(BYTES) - bytesBefore);
    return count;
  }

  /**
   * How many of the packets of this call are what the file says, after a fault that may have come
   * late: those before the first whose record cannot be read. The others are not counted any more.
   */
  private int readable(long handles, int count) {
    int good = 0;
    try {
      for (; good < count; good++) {
        long mbuf = Handles.get(handles, good);
        int _ =
            NativeMemory.u8(Mbuf.bufferAddress(mbuf)) + NativeMemory.u8(Mbuf.dataAddress(mbuf) - 1);
        MappedFileFault.settle();
      }
    } catch (InternalError e) {
      for (int i = good; i < count; i++) {
        counts.add(PACKETS, -1);
        counts.add(BYTES, -Mbuf.packetLength(Handles.get(handles, i)));
      }
    }
    return good;
  }

  /** As {@link #ready}, with nothing left to be thrown later. */
  private boolean firstReady() {
    boolean reads = !pending;
    boolean isReady = ready();
    if (reads) {
      try {
        MappedFileFault.settle();
      } catch (InternalError e) {
        failure = file.failure(e);
        return false;
      }
    }
    return isReady;
  }

  /** Whether the reader stands at a packet that is due, after moving it there if it is not. */
  private boolean ready() {
    if (!pending) {
      if (exhausted || failure != null || (passEnded && !startPass()) || !advance()) {
        return false;
      }
      pending = true;
      passPackets++;
      if (pace != null) {
        pace.add(System.nanoTime(), reader.hasTimestamp(), reader.timestampNs());
      }
    }
    return pace == null || pace.isDue(System.nanoTime());
  }

  private boolean advance() {
    try {
      if (reader.next()) {
        return true;
      }
    } catch (PortException e) {
      failure = file.isCut() ? file.cut() : e;
    } catch (InternalError e) {
      failure = file.failure(e);
    }
    if (failure != null) {
      return false;
    }
    if (passPackets == 0 || passesLeft == 1) {
      end();
    } else {
      passEnded = true;
    }
    return false;
  }

  private void end() {
    if (file.isCut()) {
      failure = file.cut();
    } else {
      exhausted = true;
    }
  }

  /** Starts another pass if all packets of the last one are free: nobody sees them change. */
  private boolean startPass() {
    if (!changes.discardAll()) {
      return false;
    }
    reader.rewind();
    ahead.rewind();
    passedBytes += file.bytes().byteSize();
    passEnded = false;
    passPackets = 0;
    if (passesLeft != FOREVER) {
      passesLeft--;
    }
    if (pace != null) {
      pace.nextPass();
    }
    return true;
  }

  private void fill(long mbuf) {
    int length = reader.lengthBytes();
    int headroom = Math.min(reader.headerBytes(), Mbuf.MAX_SEGMENT_BYTES - length);
    segment(mbuf, reader.dataOffset(), length, headroom);
    Mbuf.packetLength(mbuf, length);
    finish(mbuf, length);
  }

  private void segment(long mbuf, long offset, int length, int headroom) {
    Mbuf.buffer(mbuf, baseAddress + offset - headroom, headroom + length);
    Mbuf.dataOffset(mbuf, headroom);
    Mbuf.dataLength(mbuf, length);
    Mbuf.inFile(mbuf);
  }

  private void finish(long mbuf, int length) {
    if (reader.hasTimestamp()) {
      Mbuf.timestampNs(mbuf, reader.timestampNs());
    }
    if (reader.linkType() != ETHERNET) {
      Mbuf.linkType(mbuf, reader.linkType());
    }
    if (reader.cutBytes() > 0) {
      Mbuf.cutBytes(mbuf, reader.cutBytes());
    }
    counts.add(PACKETS, 1);
    counts.add(BYTES, length);
  }

  /** A packet longer than a segment may be: a chain of segments in the same bytes. */
  private int receiveLong(MbufArray packets) {
    int length = reader.lengthBytes();
    int headroom = reader.headerBytes();
    int count = (headroom + length + Mbuf.MAX_SEGMENT_BYTES - 1) / Mbuf.MAX_SEGMENT_BYTES;
    if (!pool.allocate(segments.address(), count)) {
      return 0;
    }
    long first = Handles.get(segments.address(), 0);
    int done = Mbuf.MAX_SEGMENT_BYTES - headroom;
    segment(first, reader.dataOffset(), done, headroom);
    long last = first;
    for (int i = 1; i < count; i++) {
      long next = Handles.get(segments.address(), i);
      int part = Math.min(length - done, Mbuf.MAX_SEGMENT_BYTES);
      segment(next, reader.dataOffset() + done, part, 0);
      Mbuf.next(last, next);
      last = next;
      done += part;
    }
    Mbuf.packetLength(first, length);
    Mbuf.segments(first, count);
    finish(first, length);
    Handles.set(packets.reserve(1), 0, first);
    packets.extend(1, pool);
    pending = false;
    return 1;
  }

  private void publish() {
    counts.set(ERRORS, reader.skippedPackets());
    counts.set(
        READ_BYTES, passedBytes + (exhausted ? file.bytes().byteSize() : reader.dataOffset()));
    counts.publish();
  }

  void close() {
    closed = true;
  }
}

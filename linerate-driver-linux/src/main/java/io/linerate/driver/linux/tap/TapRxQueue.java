package io.linerate.driver.linux.tap;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Errno;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads packet after packet: a tap device has no ring that could be mapped. */
final class TapRxQueue implements RxQueue {
  static final int ERRORS = 2;
  static final int CALLS = 3;
  static final int COUNTERS = 4;

  /** Reads in vain until one is asked why: the device may be gone. */
  private static final int READS_PER_CHECK = 1_000;

  private final TapDevice device;
  private final int descriptor;
  private final BufferPool pool;
  private final SystemCalls calls = new SystemCalls();
  final QueueCounts counts = new QueueCounts(COUNTERS);
  private final MemorySegment spareSlot = Arena.ofAuto().allocate(8, 8);

  /** The buffer that the next packet is read into, so that looking in vain takes no lock. */
  private long spare;

  private int readsInVain;
  private boolean closed;

  TapRxQueue(TapDevice device, int descriptor, BufferPool pool) {
    this.device = device;
    this.descriptor = descriptor;
    this.pool = pool;
  }

  @Override
  public int receive(MbufArray packets) {
    if (closed) {
      throw new IllegalStateException("port is closed: pool=" + pool.name() + "; open another");
    }
    int room = packets.room();
    long handles = packets.reserve(room);
    int count = 0;
    while (count < room && hasSpare() && read()) {
      if (isWhole()) {
        Handles.set(handles, count++, spare);
        spare = 0;
      }
    }
    packets.extend(count, pool);
    counts.add(PACKETS, count);
    counts.publish();
    return count;
  }

  @Override
  public int waitDescriptor() {
    counts.add(CALLS, 1);
    return closed ? -1 : descriptor;
  }

  private boolean hasSpare() {
    if (spare == 0 && pool.allocate(spareSlot.address(), 1)) {
      spare = Handles.get(spareSlot.address(), 0);
    }
    return spare != 0;
  }

  private boolean read() {
    long bytes = calls.tryRead(descriptor, Mbuf.dataAddress(spare), pool.roomBytes());
    counts.add(CALLS, 1);
    if (bytes < 0 && ++readsInVain >= READS_PER_CHECK) {
      bytes = checkedRead();
    }
    if (bytes < 0) {
      return false;
    }
    readsInVain = 0;
    Mbuf.dataLength(spare, (int) bytes);
    Mbuf.packetLength(spare, (int) bytes);
    return true;
  }

  private long checkedRead() {
    readsInVain = 0;
    long bytes = calls.read(descriptor, Mbuf.dataAddress(spare), pool.roomBytes());
    counts.add(CALLS, 1);
    if (bytes < 0 && bytes != -Errno.EAGAIN && bytes != -Errno.EINTR && device.isGone()) {
      throw device.gone();
    }
    return bytes;
  }

  /** A packet that fills its buffer to the end was longer: somebody raised the MTU. */
  private boolean isWhole() {
    int bytes = Mbuf.dataLength(spare);
    boolean whole = bytes < pool.roomBytes();
    counts.add(whole ? BYTES : ERRORS, whole ? bytes : 1);
    return whole;
  }

  void close() {
    closed = true;
    if (spare != 0) {
      Handles.set(spareSlot.address(), 0, spare);
      pool.free(spareSlot.address(), 1);
      spare = 0;
    }
  }
}

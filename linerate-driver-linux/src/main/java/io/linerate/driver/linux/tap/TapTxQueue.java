package io.linerate.driver.linux.tap;

import io.linerate.core.counter.CounterBlock;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Handles;
import io.linerate.core.memory.Mbuf;
import io.linerate.core.memory.PacketPools;
import io.linerate.core.port.PortException;
import io.linerate.core.port.TxQueue;
import io.linerate.driver.linux.SharedMemory;
import io.linerate.driver.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Writes packet after packet; the kernel has received each when the call returns. */
final class TapTxQueue implements TxQueue {
  static final int PACKETS = 0;
  static final int BYTES = 1;
  static final int ERRORS = 2;
  static final int CALLS = 3;
  static final int COUNTERS = 4;

  private final TapDevice device;
  private final int descriptor;
  private final PacketPools pools;
  private final SystemCalls calls = new SystemCalls();
  private final CounterBlock counters = new CounterBlock(COUNTERS);
  private final long[] counts = new long[COUNTERS];

  /** A packet of several segments in one piece. */
  private final MemorySegment joined;

  private @Nullable PortException failure;
  private boolean closed;

  TapTxQueue(TapDevice device, int descriptor, PacketPools pools, int maxFrameBytes) {
    this.device = device;
    this.descriptor = descriptor;
    this.pools = pools;
    joined = Arena.ofAuto().allocate(maxFrameBytes, 64);
  }

  @Override
  public int send(Burst burst, int from) {
    if (closed) {
      throw new IllegalStateException("port is closed; open another");
    }
    if (failure != null) {
      throw failure;
    }
    int count = 0;
    try {
      while (from + count < burst.size() && write(Handles.get(burst.handles(), from + count))) {
        count++;
      }
    } catch (Throwable e) { // A packet cannot be read: the file that it is in became shorter.
      if (count == 0) {
        throw e;
      } // Otherwise the next call says it, with nothing taken.
    }
    pools.free(Handles.address(burst.handles(), from), count);
    counts[PACKETS] += count;
    counters.begin();
    for (int i = 0; i < COUNTERS; i++) {
      counters.set(i, counts[i]);
    }
    counters.publish();
    return count;
  }

  /**
   * Writes one packet.
   *
   * @return whether it is done with, well or not
   */
  private boolean write(long mbuf) {
    int length = Mbuf.packetLength(mbuf);
    long address = Mbuf.segments(mbuf) == 1 ? Mbuf.dataAddress(mbuf) : join(mbuf, length);
    counts[BYTES] += length;
    if (address == 0) {
      counts[ERRORS]++;
      return true;
    }
    long result = calls.write(descriptor, address, length);
    counts[CALLS]++;
    if (result == -SystemCalls.EAGAIN
        || result == -SystemCalls.EINTR
        || result == -SystemCalls.ENOBUFS
        || result == -SystemCalls.ENOMEM) {
      counts[BYTES] -= length;
      return false;
    }
    if (result < 0) {
      // EIO: the interface is down; EINVAL: the frame has no whole header.
      counts[ERRORS]++;
      if (device.isGone()) {
        failure = device.gone();
      }
    }
    return true;
  }

  private long join(long mbuf, int length) {
    if (length > joined.byteSize()) {
      return 0;
    }
    long to = joined.address();
    for (long segment = mbuf; segment != 0; segment = Mbuf.next(segment)) {
      SharedMemory.copy(Mbuf.dataAddress(segment), to, Mbuf.dataLength(segment));
      to += Mbuf.dataLength(segment);
    }
    return joined.address();
  }

  long[] counters() {
    return counters.read();
  }

  void close() {
    closed = true;
  }
}

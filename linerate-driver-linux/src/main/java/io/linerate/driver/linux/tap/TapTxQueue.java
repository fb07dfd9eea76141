package io.linerate.driver.linux.tap;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.PortException;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.TxQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Writes packet after packet; the kernel has received each when the call returns. */
final class TapTxQueue implements TxQueue {
  static final int ERRORS = 2;
  static final int CALLS = 3;
  static final int COUNTERS = 4;

  private final TapDevice device;
  private final int descriptor;
  private final PacketPools pools;
  private final SystemCalls calls = new SystemCalls();
  final QueueCounts counts = new QueueCounts(COUNTERS);
  private final DropCounts refused = new DropCounts();

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
  public int send(MbufArray packets, int from) {
    if (closed) {
      throw new IllegalStateException("port is closed; open another");
    }
    if (failure != null) {
      throw failure;
    }
    int count = 0;
    try {
      while (from + count < packets.size() && write(Handles.get(packets.address(), from + count))) {
        count++;
      }
    } catch (Throwable e) { // A packet cannot be read: the file that it is in became shorter.
      if (count == 0 || e instanceof StackOverflowError) {
        throw e;
      } // Otherwise the next call says it, with nothing taken.
    } finally {
      pools.free(Handles.address(packets.address(), from), count);
    }
    counts.publish();
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
    if (address == 0) {
      return refuse(DropReason.TX_TOO_LONG);
    }
    long result = calls.write(descriptor, address, length);
    counts.add(CALLS, 1);
    if (result == -Errno.EAGAIN
        || result == -Errno.EINTR
        || result == -Errno.ENOBUFS
        || result == -Errno.ENOMEM) {
      return false;
    }
    if (result < 0) {
      return refuse((int) -result);
    }
    counts.add(PACKETS, 1);
    counts.add(BYTES, length);
    return true;
  }

  private boolean refuse(int error) {
    if (device.isGone()) {
      failure = device.gone();
      return refuse(DropReason.TX_ERROR);
    }
    return refuse(
        switch (error) {
          case Errno.EIO -> DropReason.TX_LINK_DOWN;
          case Errno.EINVAL -> DropReason.TX_TOO_SHORT; // It has no whole header.
          default -> DropReason.TX_ERROR;
        });
  }

  private boolean refuse(DropReason reason) {
    counts.add(ERRORS, 1);
    refused.add(reason, 1);
    return true;
  }

  @Override
  public DropCounts refused() {
    return refused;
  }

  private long join(long mbuf, int length) {
    if (length > joined.byteSize()) {
      return 0;
    }
    SegmentCopy.read(mbuf, 0, joined, 0, length);
    return joined.address();
  }

  void close() {
    closed = true;
  }
}

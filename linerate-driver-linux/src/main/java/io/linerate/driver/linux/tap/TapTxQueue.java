package io.linerate.driver.linux.tap;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.PortException;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.TxQueue;
import io.linerate.driver.linux.VirtioHeader;
import io.linerate.driver.linux.VirtioWriter;
import org.jspecify.annotations.Nullable;

/** Writes packet after packet; the kernel has received each when the call returns. */
final class TapTxQueue implements TxQueue {
  static final int ERRORS = 2;
  static final int CALLS = 3;
  static final int COUNTERS = 4;

  private final TapDevice device;
  private final PacketPools pools;
  private final VirtioWriter writer;
  final QueueCounts counts = new QueueCounts(COUNTERS);
  private final DropCounts refused = new DropCounts();

  private @Nullable PortException failure;
  private boolean closed;

  TapTxQueue(TapDevice device, int descriptor, PacketPools pools, int mtuBytes) {
    this.device = device;
    this.pools = pools;
    writer = new VirtioWriter(new SystemCalls(), descriptor, mtuBytes);
  }

  /** The kernel makes them, or leaves them to the device. */
  @Override
  public boolean finishesChecksums() {
    return true;
  }

  @Override
  public boolean cutsDatagrams() {
    return VirtioHeader.TAKES_DATAGRAMS;
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
    if (!writer.prepare(mbuf)) {
      return refuse(DropReason.TX_TOO_LONG, mbuf);
    }
    long result = writer.write();
    counts.add(CALLS, 1);
    if (result == -Errno.EAGAIN
        || result == -Errno.EINTR
        || result == -Errno.ENOBUFS
        || result == -Errno.ENOMEM) {
      return false;
    }
    if (result < 0) {
      return refuse((int) -result, mbuf);
    }
    counts.add(PACKETS, 1);
    counts.add(BYTES, Mbuf.packetLength(mbuf));
    return true;
  }

  private boolean refuse(int error, long mbuf) {
    if (device.isGone()) {
      failure = device.gone();
      return refuse(DropReason.TX_ERROR, mbuf);
    }
    return refuse(
        switch (error) {
          case Errno.EIO -> DropReason.TX_LINK_DOWN;
          case Errno.EINVAL -> DropReason.TX_TOO_SHORT; // It has no whole header.
          default -> DropReason.TX_ERROR;
        },
        mbuf);
  }

  private boolean refuse(DropReason reason, long mbuf) {
    counts.add(ERRORS, 1);
    refused.addPacket(reason, mbuf);
    return true;
  }

  @Override
  public DropCounts refused() {
    return refused;
  }

  void close() {
    closed = true;
  }
}

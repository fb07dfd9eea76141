package io.linerate.driver.pcap.libpcap;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.PortException;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.TxQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Sends packet after packet: libpcap has no call for several, and wants each in one piece. */
final class LibpcapTxQueue implements TxQueue {
  static final int ERRORS = 2;
  static final int CALLS = 3;
  static final int COUNTERS = 4;

  private static final int ETHERNET_HEADER_BYTES = 14;

  private final LibpcapHandle handle;
  private final PacketPools pools;
  private final int mtuBytes;
  final QueueCounts counts = new QueueCounts(COUNTERS);
  private final DropCounts refused = new DropCounts();

  /** Where the segments of a packet come together. */
  private final MemorySegment whole =
      Arena.ofAuto().allocate(LibpcapAddress.MAX_SNAP_LENGTH_BYTES, 64);

  private @Nullable PortException failure;

  LibpcapTxQueue(LibpcapHandle handle, PacketPools pools, int mtuBytes) {
    this.handle = handle;
    this.pools = pools;
    this.mtuBytes = mtuBytes;
  }

  @Override
  public int send(MbufArray packets, int from) {
    synchronized (handle) {
      if (!handle.isOpen()) {
        throw new IllegalStateException("port is closed: " + handle.source() + "; open another");
      }
      if (failure != null) {
        throw failure;
      }
      return sendAll(packets, from);
    }
  }

  private int sendAll(MbufArray packets, int from) {
    int count = 0;
    try {
      while (from + count < packets.size() && send(Handles.get(packets.address(), from + count))) {
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
   * Sends one packet.
   *
   * @return whether it is done with, well or not
   */
  private boolean send(long mbuf) {
    int length = Mbuf.packetLength(mbuf);
    if (length > whole.byteSize()) {
      return refuse(DropReason.TX_TOO_LONG, mbuf);
    }
    long bytes = Mbuf.dataAddress(mbuf);
    if (Mbuf.segments(mbuf) > 1) {
      SegmentCopy.read(mbuf, 0, whole, 0, length);
      MappedFileFault.settle(mbuf);
      bytes = whole.address();
    }
    int result = handle.send(bytes, length);
    counts.add(CALLS, 1);
    if (result < 0) {
      return fail(-result, mbuf);
    }
    counts.add(PACKETS, 1);
    counts.add(BYTES, length);
    return true;
  }

  private boolean fail(int error, long mbuf) {
    return switch (error) {
      // The socket's buffer or the device's queue is full.
      case Errno.EAGAIN, Errno.ENOBUFS, Errno.ENOMEM, Errno.EINTR -> false;
      case Errno.EMSGSIZE -> refuse(DropReason.TX_TOO_LONG, mbuf);
      case Errno.ENETDOWN -> refuse(DropReason.TX_LINK_DOWN, mbuf);
      case Errno.ENXIO, Errno.ENODEV -> {
        failure = handle.gone(-error);
        yield refuse(DropReason.TX_ERROR, mbuf);
      }
      case Errno.EINVAL ->
          refuse(
              Mbuf.packetLength(mbuf) <= ETHERNET_HEADER_BYTES
                  ? DropReason.TX_TOO_SHORT
                  : DropReason.TX_ERROR,
              mbuf);
      default -> refuse(DropReason.TX_ERROR, mbuf);
    };
  }

  private boolean refuse(DropReason reason, long mbuf) {
    counts.add(ERRORS, 1);
    refused.addPacket(reason, mbuf);
    return true;
  }

  /** The kernel cuts nothing that comes through libpcap. */
  @Override
  public int mtuBytes() {
    return mtuBytes;
  }

  @Override
  public DropCounts refused() {
    return refused;
  }

  void close() {
    handle.close();
  }
}

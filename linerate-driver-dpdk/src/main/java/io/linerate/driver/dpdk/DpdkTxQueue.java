package io.linerate.driver.dpdk;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.TxQueue;
import org.jspecify.annotations.Nullable;

/**
 * A transmit queue. Packets of DPDK's pools go to the device as they are, in one call; those of
 * other ports' pools are copied first, and what a device cannot take. A device with {@link
 * FrameLimits} is given no packet that it cannot send: that one is refused, and those behind it are
 * sent.
 */
final class DpdkTxQueue implements TxQueue {
  private final int port;
  private final int queue;
  private final PacketPools pools;
  private final int mtuBytes;
  private final @Nullable FrameLimits limits;
  private final TxPreparation preparation;
  private final PlainPackets plain;
  private final DropCounts refused = new DropCounts();
  private final DeviceSender device;
  private final CopyingSender copying;
  private boolean closed;

  /**
   * @param mtuBytes with which the device was set up
   */
  DpdkTxQueue(
      int port,
      int queue,
      DpdkPool pool,
      int mtuBytes,
      @Nullable FrameLimits limits,
      PlainPackets plain,
      TxPreparation preparation) {
    this.port = port;
    this.queue = queue;
    this.mtuBytes = mtuBytes;
    this.plain = plain;
    this.preparation = preparation;
    this.limits =
        plain.isOneSegment() ? FrameLimits.ofOneSegment(limits, pool.roomBytes()) : limits;
    pools = plain.pools();
    device = new DeviceSender(port, queue, pools, preparation, refused);
    copying = new CopyingSender(device, pool, plain);
  }

  @Override
  public int send(MbufArray packets, int from) {
    if (closed) {
      throw new IllegalStateException("port is closed: DPDK port=" + port + ", tx queue=" + queue);
    }
    int count = packets.size() - from;
    long handles = Handles.address(packets.address(), from);
    return limits == null
        ? transmit(packets, handles, count)
        : transmitSendable(limits, packets, handles, count);
  }

  @Override
  public boolean finishes(long mbuf) {
    return preparation.prepare(mbuf);
  }

  @Override
  public boolean finishesChecksums() {
    return preparation.makesChecksums();
  }

  @Override
  public int mtuBytes() {
    return mtuBytes;
  }

  /** Whether a receive queue may transmit all of these, as they are, by its own call. */
  boolean canExchange(MbufArray packets) {
    return !closed
        && !plain.looksAtEach()
        && packets.origin() instanceof DpdkPool
        && (limits == null || limits.carries(packets));
  }

  /** See {@link DpdkLibrary#queue}. */
  long queues() {
    return DpdkLibrary.queue(port, queue);
  }

  private int transmit(MbufArray packets, long handles, int count) {
    return isDpdks(packets, handles, count)
        ? device.send(handles, count)
        : copying.send(handles, count);
  }

  /** Looks at the packets one by one only when nothing less tells. */
  private boolean isDpdks(MbufArray packets, long handles, int count) {
    return (!plain.looksAtEach() && (packets.origin() instanceof DpdkPool || !pools.hasOwn()))
        || !copying.isNeeded(handles, count);
  }

  private int transmitSendable(FrameLimits limits, MbufArray packets, long handles, int count) {
    int taken = 0;
    try {
      while (taken < count) {
        long rest = Handles.address(handles, taken);
        int sendable = limits.sendable(rest, count - taken);
        int sent = sendable == 0 ? 0 : transmit(packets, rest, sendable);
        taken += sent;
        if (sent < sendable) {
          break; // It is full.
        }
        if (taken < count) {
          refuse(limits, Handles.address(handles, taken++));
        }
      }
    } catch (Throwable e) { // A packet cannot be read: the file that it is in became shorter.
      if (taken == 0 || e instanceof StackOverflowError) {
        throw e;
      } // Otherwise the next call says it, with nothing taken.
    }
    return taken;
  }

  private void refuse(FrameLimits limits, long handle) {
    DropReason reason = limits.refusal(Handles.get(handle, 0));
    MappedFileFault.settle(Handles.get(handle, 0));
    if (reason != null) {
      refused.addPacket(reason, Handles.get(handle, 0));
      pools.free(handle, 1);
    }
  }

  @Override
  public @Nullable DropCounts refused() {
    return limits == null && !preparation.isUseful() ? null : refused;
  }

  /** Packets refused. Any thread. */
  long refusedPackets() {
    return refused.total();
  }

  void close() {
    closed = true;
  }
}

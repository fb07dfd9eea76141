package io.linerate.driver.linux.tap;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.QueueCounts;
import io.linerate.driver.linux.LinuxPort;
import java.util.Map;

/** A tap device: what the kernel sends through it is received here, and the other way round. */
final class TapPort extends LinuxPort<TapRxQueue, TapTxQueue> {
  private static final int HEADROOM_BYTES = 128;

  /** Two buffers for what of a super-packet is more than a frame; both have room for one. */
  private static final int REST_BYTES = 32_768;

  /** Of which each queue keeps two at hand, besides. */
  private static final int REST_BUFFERS = 256;

  private final TapDevice device;
  private final BufferPool pool;
  private long droppedAtClose;
  private boolean closed;

  TapPort(PortRequest request, TapDevice device, int mtuBytes) {
    super(request);
    this.device = device;
    int room = mtuBytes + Segmenter.LINK_BYTES + 1; // One more, to know what is too long.
    pool = request.pools().create(request.name(), request.config().buffers(), HEADROOM_BYTES, room);
    int restHeadroom = HEADROOM_BYTES + room;
    int restBytes = Math.min(REST_BYTES, Mbuf.MAX_SEGMENT_BYTES - restHeadroom);
    int restBuffers = REST_BUFFERS + 2 * device.queues();
    BufferPool rests =
        request.pools().create(request.name() + "-super", restBuffers, restHeadroom, restBytes);
    for (int i = 0; i < device.queues(); i++) {
      rxQueues.add(new TapRxQueue(device, device.descriptor(i), pool, rests));
    }
    for (int i = 0; i < request.txQueues(); i++) {
      int descriptor = device.descriptor(i % device.queues());
      txQueues.add(new TapTxQueue(device, descriptor, request.pools(), mtuBytes));
    }
  }

  @Override
  public PacketPool pool() {
    return pool;
  }

  @Override
  public synchronized PortStatistics statistics() {
    long[] rx = QueueCounts.sum(TapRxQueue.COUNTERS, rxQueues.stream().map(queue -> queue.counts));
    long[] tx = QueueCounts.sum(TapTxQueue.COUNTERS, txQueues.stream().map(queue -> queue.counts));
    return new PortStatistics(
        rx,
        tx,
        closed ? droppedAtClose : device.dropped(),
        rx[TapRxQueue.ERRORS] + tx[TapTxQueue.ERRORS],
        Map.of(
            "rx_system_calls",
            rx[TapRxQueue.CALLS],
            "rx_checksums_completed",
            rx[TapRxQueue.CHECKSUMS],
            "rx_super_packets",
            rx[TapRxQueue.SUPER_PACKETS],
            "tx_system_calls",
            tx[TapTxQueue.CALLS]));
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    droppedAtClose = device.dropped();
    closed = true;
    rxQueues.forEach(TapRxQueue::close);
    txQueues.forEach(TapTxQueue::close);
    device.close();
  }
}

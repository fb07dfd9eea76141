package io.linerate.example;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;

/** One queue in each direction. The queues are one thread's own; statistics are anybody's. */
final class NullPort implements DriverPort {
  static final int MAX_BYTES = 2_048;
  private static final int HEADROOM_BYTES = 128;

  private final PortRequest request;
  private final int frameBytes;
  private final PacketPools pools;
  private final BufferPool pool;
  private final QueueCounts rx = new QueueCounts(2);
  private final QueueCounts tx = new QueueCounts(2);
  private volatile boolean closed;

  NullPort(PortRequest request, int frameBytes) {
    this.request = request;
    this.frameBytes = frameBytes;
    pools = request.pools();
    pool = pools.create(request.name(), request.config().buffers(), HEADROOM_BYTES, MAX_BYTES);
  }

  /** Appends what is there, at most {@code packets.room()} of them, and returns their number. */
  private int receive(MbufArray packets) {
    requireOpen();
    int first = packets.size();
    int count = Math.min(packets.room(), 32);
    if (!pool.allocate(packets, count)) {
      return 0; // The program holds all buffers: nothing is received until some are free.
    }
    for (int i = first; i < first + count; i++) {
      Mbuf.dataLength(packets.handle(i), frameBytes);
      Mbuf.packetLength(packets.handle(i), frameBytes);
    }
    rx.add(PACKETS, count);
    rx.add(BYTES, (long) count * frameBytes);
    rx.publish();
    return count;
  }

  /** Takes slots {@code [from, size)}, or fewer: the rest stays the caller's. */
  private int send(MbufArray packets, int from) {
    requireOpen();
    int count = packets.size() - from;
    for (int i = from; i < packets.size(); i++) {
      tx.add(BYTES, Mbuf.packetLength(packets.handle(i)));
    }
    tx.add(PACKETS, count);
    tx.publish();
    pools.free(Handles.address(packets.address(), from), count);
    return count;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("port is closed: port=" + name() + "; open another");
    }
  }

  @Override
  public PortProperties properties() {
    return new PortProperties(request, 1, 1);
  }

  @Override
  public RxQueue rxQueue(int index) {
    return this::receive;
  }

  @Override
  public TxQueue txQueue(int index) {
    return this::send;
  }

  @Override
  public PortStatistics statistics() {
    long[] in = rx.read();
    long[] out = tx.read();
    return new PortStatistics(in[PACKETS], in[BYTES], out[PACKETS], out[BYTES], 0, 0);
  }

  @Override
  public void close() {
    closed = true;
  }
}

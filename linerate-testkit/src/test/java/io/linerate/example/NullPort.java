package io.linerate.example;

import io.linerate.core.counter.CounterBlock;
import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;

/** One queue in each direction. The queues are one thread's own; statistics are anybody's. */
final class NullPort implements DriverPort {
  static final int MAX_BYTES = 2_048;
  private static final int HEADROOM_BYTES = 128;
  private static final int PACKETS = 0;
  private static final int BYTES = 1;

  private final PortRequest request;
  private final int frameBytes;
  private final PacketPools pools;
  private final BufferPool pool;
  private final CounterBlock rx = new CounterBlock(2);
  private final CounterBlock tx = new CounterBlock(2);
  private long rxPackets;
  private long txPackets;
  private long txBytes;
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
      return 0; // The program holds all buffers: nothing is received until some come home.
    }
    for (int i = first; i < first + count; i++) {
      Mbuf.dataLength(packets.handle(i), frameBytes);
      Mbuf.packetLength(packets.handle(i), frameBytes);
    }
    rxPackets += count;
    publish(rx, rxPackets, rxPackets * frameBytes);
    return count;
  }

  /** Takes slots {@code [from, size)}, or fewer: the rest stays the caller's. */
  private int send(MbufArray packets, int from) {
    requireOpen();
    int count = packets.size() - from;
    for (int i = from; i < packets.size(); i++) {
      txBytes += Mbuf.packetLength(packets.handle(i));
    }
    txPackets += count;
    pools.free(Handles.address(packets.address(), from), count);
    publish(tx, txPackets, txBytes);
    return count;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("port is closed: port=" + name() + "; open another");
    }
  }

  private static void publish(CounterBlock counters, long packets, long bytes) {
    counters.begin();
    counters.set(PACKETS, packets);
    counters.set(BYTES, bytes);
    counters.publish();
  }

  @Override
  public String name() {
    return request.name();
  }

  @Override
  public PortAddress address() {
    return request.address();
  }

  @Override
  public int rxQueues() {
    return 1;
  }

  @Override
  public int txQueues() {
    return 1;
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

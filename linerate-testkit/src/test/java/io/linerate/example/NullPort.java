package io.linerate.example;

import io.linerate.core.counter.CounterBlock;
import io.linerate.core.memory.BufferPool;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Handles;
import io.linerate.core.memory.PacketPools;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;

/** One queue in each direction. The queues are one thread's own; statistics are anybody's. */
final class NullPort implements Port {
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

  /** Appends what is there, at most {@code burst.room()} packets, and returns their number. */
  private int receive(Burst burst) {
    requireOpen();
    int first = burst.size();
    int count = Math.min(burst.room(), 32);
    if (!pool.allocate(burst, count)) {
      return 0; // The program holds all buffers: nothing is received until some come home.
    }
    for (int i = first; i < first + count; i++) {
      burst.packet(i).growTail(frameBytes);
    }
    rxPackets += count;
    publish(rx, rxPackets, rxPackets * frameBytes);
    return count;
  }

  /** Takes slots {@code [from, size)}, or fewer: the rest stays the caller's. */
  private int send(Burst burst, int from) {
    requireOpen();
    int count = burst.size() - from;
    for (int i = from; i < burst.size(); i++) {
      txBytes += burst.packet(i).length();
    }
    txPackets += count;
    pools.free(Handles.address(burst.handles(), from), count);
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

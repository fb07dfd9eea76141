package io.linerate.driver.linux.packet;

import io.linerate.core.counter.CounterBlock;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Handles;
import io.linerate.core.memory.Mbuf;
import io.linerate.core.memory.PacketPools;
import io.linerate.core.port.PortException;
import io.linerate.core.port.TxQueue;
import io.linerate.driver.linux.AdaptiveSender;
import io.linerate.driver.linux.CallPolicy;
import io.linerate.driver.linux.SystemCalls;
import org.jspecify.annotations.Nullable;

/**
 * Sends packets from where they are, many with one call of sendmmsg(2). {@link AdaptiveSender}
 * decides when.
 */
final class PacketTxQueue implements TxQueue, AdaptiveSender.Ring {
  static final int PACKETS = 0;
  static final int BYTES = 1;
  static final int ERRORS = 2;
  static final int CALLS = 3;
  static final int TOO_LONG = 4;
  static final int TOO_MANY_SEGMENTS = 5;
  static final int COUNTERS = 6;

  /** A call's own price is small beside that of this many packets. */
  private static final int BATCH_SLOTS = 64;

  /** How often packets that the kernel cannot take now are offered again at the end. */
  private static final int LAST_TRIES = 1_000;

  private final PacketSocket socket;
  private final SystemCalls calls;
  private final PacketPools pools;
  private final String portName;
  private final MessageBatch batch;
  private final AdaptiveSender sender;
  private final CounterBlock counters = new CounterBlock(COUNTERS);
  private final long[] counts = new long[COUNTERS];
  private @Nullable PortException failure;
  private boolean closed;

  PacketTxQueue(
      String portName,
      PacketSocket socket,
      SystemCalls calls,
      PacketPools pools,
      int slots,
      CallPolicy policy,
      long drainNs) {
    this.portName = portName;
    this.socket = socket;
    this.calls = calls;
    this.pools = pools;
    batch = new MessageBatch(slots);
    sender = new AdaptiveSender(this, policy, Math.min(slots, BATCH_SLOTS), drainNs);
  }

  @Override
  public int send(Burst burst, int from) {
    requireOpen();
    int count = fill(burst, from);
    while (from + count < burst.size() && makeRoom(Handles.get(burst.handles(), from + count))) {
      count += fill(burst, from + count);
    }
    publish();
    return count;
  }

  /** Puts packets into the batch, and ends those that no batch can hold; returns their number. */
  private int fill(Burst burst, int from) {
    long handles = Handles.address(burst.handles(), from);
    int wanted = sender.reserve(burst.size() - from);
    int count = 0;
    int lost = 0;
    while (count < wanted) {
      long mbuf = Handles.get(handles, count);
      if (batch.add(mbuf)) {
        counts[BYTES] += Mbuf.packetLength(mbuf);
      } else if (batch.canNeverHold(mbuf)) {
        pools.free(Handles.address(handles, count), 1);
        lost++;
      } else {
        break;
      }
      count++;
    }
    counts[PACKETS] += count;
    counts[ERRORS] += lost;
    counts[TOO_MANY_SEGMENTS] += lost;
    sender.commit(count - lost, System.nanoTime());
    return count;
  }

  /** Whether a packet has room, if need be when what is before it was sent. */
  private boolean makeRoom(long mbuf) {
    if (batch.lacksSegmentsFor(mbuf)) {
      sender.drain();
    }
    return batch.hasRoomFor(mbuf);
  }

  @Override
  public void flush() {
    requireOpen();
    if (sender.pending() > 0) {
      sender.flush();
      publish();
    }
  }

  @Override
  public int waiting() {
    return batch.size();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("port is closed: port=" + portName + "; open another");
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void publish() {
    counters.begin();
    for (int i = 0; i < COUNTERS; i++) {
      counters.set(i, counts[i]);
    }
    counters.publish();
  }

  // --- the ring of algorithm 1 ---

  @Override
  public int free() {
    return batch.free();
  }

  @Override
  public int announce(int filled) {
    int before = batch.size();
    while (batch.size() > 0 && send()) {
      // Sends what is left.
    }
    return before - batch.size();
  }

  /**
   * One call.
   *
   * @return whether it is of use to call again
   */
  private boolean send() {
    int result =
        calls.sendmmsg(
            socket.descriptor(), batch.messages(), batch.size(), SystemCalls.MSG_DONTWAIT);
    counts[CALLS]++;
    if (result > 0) {
      leave(result);
      return true;
    }
    return switch (-result) {
      case SystemCalls.EINTR -> true;
      // The socket's buffer or the device's queue is full.
      case SystemCalls.EAGAIN, SystemCalls.ENOBUFS, SystemCalls.ENOMEM -> false;
      case SystemCalls.ENETDOWN -> lose(batch.size());
      case SystemCalls.ENXIO, SystemCalls.ENODEV -> fail();
      case SystemCalls.EMSGSIZE -> {
        counts[TOO_LONG]++;
        yield lose(1);
      }
      default -> lose(1);
    };
  }

  private boolean lose(int count) {
    counts[ERRORS] += count;
    leave(count);
    return true;
  }

  private boolean fail() {
    failure = socket.gone();
    return lose(batch.size());
  }

  private void leave(int count) {
    pools.free(batch.handles(), count);
    batch.removeFirst(count);
  }

  long[] counters() {
    return counters.read();
  }

  /** Sends what is left, as far as the kernel takes it, and the rest goes home. */
  void close() {
    closed = true;
    for (int tries = 0; batch.size() > 0 && tries < LAST_TRIES; tries++) {
      sender.drain();
      Thread.onSpinWait();
    }
    if (batch.size() > 0) {
      boolean _ = lose(batch.size());
    }
    publish();
    socket.close();
  }
}

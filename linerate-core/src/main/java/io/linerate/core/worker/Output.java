package io.linerate.core.worker;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Handles;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketPool;
import io.linerate.core.memory.PacketPools;
import io.linerate.core.port.PortException;
import io.linerate.core.port.TxQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A worker's way out to a port: stores packets until there are {@code txBurst}, then transmits them
 * with one call.
 *
 * <p>A queue that takes only some is tried again within a bound; what it refuses to the end is
 * dropped as {@code tx_full}. After that it is tried only once a time, until it takes something
 * again. A {@link #patient} one lets packets wait instead, while there is room.
 */
public final class Output {
  private final TxQueue queue;
  private final PacketPools pools;
  private final Burst stored;
  private final DropCounts drops;
  private final long retryNs;
  private final Consumer<PortException> onFailure;

  /**
   * Handles are written to the burst's array here; the burst itself learns of them when it is
   * transmitted.
   */
  private final long handles;

  private final int capacity;
  private int size;
  private @Nullable PacketPool origin;
  private long sent;
  private boolean stuck;
  private boolean dead;
  private boolean patient;

  Output(
      TxQueue queue,
      PacketPools pools,
      Burst stored,
      long retryNs,
      Consumer<PortException> onFailure) {
    this.queue = queue;
    this.pools = pools;
    this.stored = stored;
    drops = stored.drops();
    handles = stored.handles();
    capacity = stored.capacity();
    this.retryNs = retryNs;
    this.onFailure = onFailure;
  }

  /** Sends a packet: takes it out of its burst; it cannot be read afterwards. */
  @SuppressWarnings("ReferenceEquality")
  public void send(Packet packet) {
    long mbuf = packet.take();
    PacketPool from = packet.burstOrigin();
    if (from != origin) {
      origin = size == 0 ? from : null;
    }
    Handles.set(handles, size++, mbuf);
    if (size == capacity) {
      flush();
    }
  }

  /** Sends every packet that is left in the burst. */
  @SuppressWarnings("ReferenceEquality")
  public void sendAll(Burst burst) {
    int count = burst.size();
    PacketPool from = burst.origin();
    if (count <= capacity - size
        && (size == 0 || from == origin)
        && burst.takeAll(Handles.address(handles, size))) {
      origin = from;
      size += count;
      if (size == capacity) {
        flush();
      }
      return;
    }
    for (Packet packet : burst) {
      send(packet);
    }
  }

  /**
   * Lets packets that the queue refuses wait here instead of being dropped: for a sender that looks
   * at {@link #pending} and holds back. When {@code txBurst} are stored, and when the worker ends,
   * they are dropped all the same.
   */
  public Output patient() {
    patient = true;
    return this;
  }

  /** Packets that wait to be transmitted. */
  public int pending() {
    return size;
  }

  /** Packets that the queue has taken. */
  long sent() {
    return sent;
  }

  /** Whether the first {@code packets} that the queue has taken are gone, as far as it knows. */
  boolean hasLeft(long packets) {
    return dead || sent - queue.waiting() >= packets;
  }

  /** Transmits what is stored. Nothing is stored afterwards, unless this is {@link #patient}. */
  public void flush() {
    flush(retryNs);
  }

  /** Transmits or drops what is stored, for good. */
  void end(long boundNs) {
    patient = false;
    flush(boundNs);
    flushPort();
  }

  void flush(long boundNs) {
    if (size == 0) {
      return;
    }
    boolean mayWait = patient && size < capacity;
    if (origin != null) {
      stored.extend(size, origin);
    } else {
      stored.extend(size);
    }
    int taken = dead ? 0 : transmit(mayWait ? 0 : boundNs);
    sent += taken;
    if (mayWait && !dead) {
      keepFrom(taken);
      return;
    }
    if (taken < size) {
      pools.free(Handles.address(handles, taken), size - taken);
      drops.add(dead ? DropReason.TX_ERROR : DropReason.TX_FULL, size - taken);
    }
    stored.clear();
    size = 0;
  }

  private void keepFrom(int taken) {
    stored.clear();
    size -= taken;
    if (taken > 0 && size > 0) {
      Handles.copy(Handles.address(handles, taken), handles, size);
    }
  }

  private int transmit(long boundNs) {
    int taken = 0;
    try {
      taken = queue.send(stored, 0);
      if (taken < size && boundNs > 0 && !(stuck && taken == 0)) {
        long start = System.nanoTime();
        while (taken < size && System.nanoTime() - start < boundNs) {
          Thread.onSpinWait();
          taken += queue.send(stored, taken);
        }
      }
      stuck = taken < size;
    } catch (Throwable e) { // Whatever a driver does, what is stored ends, and the worker goes on.
      die(e);
    }
    return taken;
  }

  private void die(Throwable e) {
    dead = true;
    onFailure.accept(failure(e));
  }

  private static PortException failure(Throwable e) {
    return switch (e) {
      case PortException failure -> failure;
      // The virtual machine's answer to SIGBUS: see Worker.
      case InternalError gone ->
          new PortException(
              "packets cannot be read any more: error="
                  + gone.getMessage()
                  + "; see that nobody changes the file that they are in",
              gone);
      default ->
          new PortException(
              "transmit queue failed: error=" + e + "; this is a bug of its driver", e);
    };
  }

  /** Lets the port pass on what it has buffered. */
  void flushPort() {
    if (!dead) {
      try {
        queue.flush();
      } catch (Throwable e) {
        die(e);
      }
    }
  }
}

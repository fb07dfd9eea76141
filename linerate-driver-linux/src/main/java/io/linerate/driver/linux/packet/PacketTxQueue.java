package io.linerate.driver.linux.packet;

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
import io.linerate.driver.linux.AdaptiveSender;
import io.linerate.driver.linux.CallPolicy;
import io.linerate.driver.linux.VirtioHeader;
import org.jspecify.annotations.Nullable;

/**
 * Sends packets from where they are, many with one call of sendmmsg(2). {@link AdaptiveSender}
 * decides when.
 */
final class PacketTxQueue implements TxQueue, AdaptiveSender.Ring {
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
  private final boolean cutsInSoftware;
  final QueueCounts counts = new QueueCounts(COUNTERS);
  private final DropCounts refused = new DropCounts();
  private @Nullable PortException failure;
  private boolean closed;

  /** Whether what the kernel does not take now is lost. */
  private boolean isDeciding;

  PacketTxQueue(
      String portName,
      PacketSocket socket,
      SystemCalls calls,
      PacketPools pools,
      int slots,
      CallPolicy policy,
      boolean bypassesQdisc,
      long drainNs) {
    this.portName = portName;
    this.socket = socket;
    cutsInSoftware = !bypassesQdisc; // __dev_direct_xmit of the kernel drops what it has to cut.
    this.calls = calls;
    this.pools = pools;
    batch = new MessageBatch(slots, socket.netInterface().mtuBytes());
    sender = new AdaptiveSender(this, policy, Math.min(slots, BATCH_SLOTS), drainNs);
  }

  /** The kernel makes them, or leaves them to the device. */
  @Override
  public boolean finishesChecksums() {
    return true;
  }

  @Override
  public boolean finishes(long mbuf) {
    return TxQueue.super.finishes(mbuf) && (cutsInSoftware || !Mbuf.isSuperPacket(mbuf));
  }

  @Override
  public boolean cutsDatagrams() {
    return VirtioHeader.TAKES_DATAGRAMS && cutsInSoftware;
  }

  @Override
  public int send(MbufArray packets, int from) {
    requireOpen();
    int count = 0;
    try {
      do {
        count += fill(packets, from + count);
      } while (from + count < packets.size()
          && makeRoom(Handles.get(packets.address(), from + count)));
    } catch (Throwable e) { // A packet cannot be read: the file that it is in became shorter.
      if (count == 0 || e instanceof StackOverflowError) {
        throw e;
      } // Otherwise the next call says it, with nothing taken.
    }
    counts.publish();
    return count;
  }

  /**
   * Puts packets into the batch, and ends those that no batch can hold; returns their number. One
   * that cannot be read ends it, or is thrown if it is the first.
   */
  private int fill(MbufArray packets, int from) {
    long handles = Handles.address(packets.address(), from);
    int wanted = sender.reserve(packets.size() - from);
    int count = 0;
    int lost = 0;
    try {
      while (count < wanted) {
        long mbuf = Handles.get(handles, count);
        if (!batch.add(mbuf)) {
          if (!batch.canNeverHold(mbuf)) {
            break;
          }
          refused.addPacket(DropReason.TX_TOO_LONG, mbuf);
          pools.free(Handles.address(handles, count), 1);
          lost++;
        }
        count++;
      }
    } catch (Throwable e) {
      if (count == 0 || e instanceof StackOverflowError) {
        throw e;
      }
    }
    if (lost > 0) {
      counts.add(ERRORS, lost);
      counts.add(TOO_MANY_SEGMENTS, lost);
    }
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
      counts.publish();
    }
  }

  @Override
  public int waiting() {
    return batch.size();
  }

  @Override
  public int undecided() {
    return batch.size();
  }

  @Override
  public DropCounts refused() {
    return refused;
  }

  @Override
  public void decide() {
    isDeciding = true;
    sender.drain();
    isDeciding = false;
    counts.publish();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("port is closed: port=" + portName + "; open another");
    }
    if (failure != null) {
      throw failure;
    }
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
    counts.add(CALLS, 1);
    if (result > 0) {
      sent(result);
      return true;
    }
    return switch (-result) {
      case Errno.EINTR -> true;
      // The socket's buffer or the device's queue is full.
      case Errno.EAGAIN, Errno.ENOBUFS, Errno.ENOMEM ->
          isDeciding && lose(batch.size(), DropReason.TX_FULL);
      case Errno.ENETDOWN -> lose(batch.size(), DropReason.TX_LINK_DOWN);
      case Errno.ENXIO, Errno.ENODEV -> fail();
      case Errno.EMSGSIZE -> {
        counts.add(TOO_LONG, 1);
        yield lose(1, DropReason.TX_TOO_LONG);
      }
      default -> lose(1, DropReason.TX_ERROR);
    };
  }

  private void sent(int count) {
    for (int i = 0; i < count; i++) {
      counts.add(BYTES, Mbuf.packetLength(Handles.get(batch.handles(), i)));
    }
    counts.add(PACKETS, count);
    freeFirst(count);
  }

  private boolean lose(int count, DropReason reason) {
    counts.add(ERRORS, count);
    refused.addPackets(reason, batch.handles(), count);
    freeFirst(count);
    return true;
  }

  private boolean fail() {
    failure = socket.gone();
    return lose(batch.size(), DropReason.TX_ERROR);
  }

  private void freeFirst(int count) {
    pools.free(batch.handles(), count);
    batch.removeFirst(count);
  }

  /** Sends what is left, as far as the kernel takes it, and frees the rest. */
  void close() {
    closed = true;
    for (int tries = 0; batch.size() > 0 && tries < LAST_TRIES; tries++) {
      sender.drain();
      Thread.onSpinWait();
    }
    decide();
    socket.close();
  }
}

package io.linerate.driver.linux.xdp;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.PartialChecksum;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.PortException;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.driver.linux.AdaptiveReceiver;

/**
 * Receives: takes frames out of the receive ring, and keeps the fill ring full of empty chunks.
 *
 * <p>A frame of several chunks is a packet of several segments. One whose rest has not come yet
 * waits in {@link #first} for the next call.
 */
final class XdpRxQueue implements RxQueue, AdaptiveReceiver.Ring {
  /** Empty calls after which the kernel is asked whether the interface is still there. */
  private static final int CALLS_PER_CHECK = 1_024;

  /** And how often one that sleeps between its calls asks. */
  private static final long CHECK_INTERVAL_NS = 200_000_000;

  /** In place of a number of bytes: a part of a packet is still to come. */
  private static final long UNKNOWN = -1;

  static final int CALLS = 2;
  static final int FINISHED_CHECKSUMS = 3;
  static final int COUNTERS = 4;

  private final SystemCalls calls = new SystemCalls();
  final QueueCounts counts = new QueueCounts(COUNTERS);
  private final String port;
  private final XdpSocket socket;
  private final Umem umem;
  private final FillRing fill;
  private final ConsumerRing rx;
  private final AdaptiveReceiver receiver;
  private final boolean isBusyPolled;
  private final boolean finishesChecksums;
  private final PartialChecksum checksum = new PartialChecksum();
  private final boolean bringsLongPackets;
  private final int threshold;

  private long first;
  private long last;
  private int emptyCalls;
  private long lastCheckNs;
  private boolean closed;

  XdpRxQueue(XdpPlan plan, String port, XdpSocket socket, Umem umem, FillRing fill) {
    this.port = port;
    this.socket = socket;
    this.umem = umem;
    isBusyPolled = plan.address().busyPollUs() > 0;
    finishesChecksums = plan.finishesChecksums();
    bringsLongPackets = socket.hasSegments();
    this.fill = fill;
    rx = socket.rxRing();
    threshold = Math.min(plan.address().threshold(), socket.entries() / 2);
    receiver = new AdaptiveReceiver(this, threshold);
  }

  /** Gives the kernel all the chunks that the fill ring has room for, if there are so many. */
  void prepare() {
    fill.refill(1);
  }

  @Override
  public int receive(MbufArray packets) {
    if (closed) {
      throw new IllegalStateException("port is closed: port=" + port + "; open another");
    }
    int room = packets.room();
    long handles = packets.reserve(room);
    long bytesBefore = first == 0 ? counts.get(BYTES) : UNKNOWN;
    int count = take(handles, room);
    while (first != 0 && count < room) {
      int more = take(Handles.address(handles, count), room - count);
      if (more == 0 && rx.available() == 0) {
        break;
      }
      count += more;
    }
    if (count == 0) {
      wakeKernel();
      return 0;
    }
    emptyCalls = 0;
    if (first == 0 && bytesBefore != UNKNOWN) {
      packets.extend(count, umem.pool(), counts.get(BYTES) - bytesBefore);
    } else { // Of a packet only a part has come.
      packets.extend(count, umem.pool());
    }
    counts.add(PACKETS, count);
    counts.publish();
    return count;
  }

  @Override
  public boolean bringsLongPackets() {
    return bringsLongPackets;
  }

  @Override
  public boolean bringsSuperPackets() {
    return false;
  }

  /** Reads slots, at most {@code wanted}; writes the handles of the packets they complete. */
  private int take(long handles, int wanted) {
    int slots = receiver.take(wanted);
    int count = 0;
    for (int i = 0; i < slots; i++) {
      long slot = rx.next();
      long address = NativeMemory.u64(slot);
      int lengthBytes = NativeMemory.u32(slot + 8);
      boolean isContinued = (NativeMemory.u32(slot + 12) & XdpSocket.CONTINUED) != 0;
      long mbuf = umem.mbuf(address);
      counts.add(BYTES, lengthBytes);
      arm(mbuf, address, lengthBytes);
      if (isContinued || first != 0) {
        append(mbuf, lengthBytes);
        if (isContinued) {
          continue;
        }
        mbuf = first;
        first = 0;
      }
      if (finishesChecksums && checksum.finish(mbuf)) {
        counts.add(FINISHED_CHECKSUMS, 1);
      }
      Handles.set(handles, count++, mbuf);
    }
    fill.taken(slots);
    return count;
  }

  /** Makes the chunk's header say what the kernel says of the frame. */
  private void arm(long mbuf, long address, int lengthBytes) {
    Umem.owner(mbuf, 0);
    Mbuf.dataOffset(mbuf, (int) (umem.base() + address - mbuf) - Mbuf.HEADER_BYTES);
    Mbuf.dataLength(mbuf, lengthBytes);
    Mbuf.packetLength(mbuf, lengthBytes);
  }

  private void append(long mbuf, int lengthBytes) {
    if (first == 0) {
      first = mbuf;
    } else {
      Mbuf.next(last, mbuf);
      Mbuf.segments(first, Mbuf.segments(first) + 1);
      Mbuf.packetLength(first, Mbuf.packetLength(first) + lengthBytes);
    }
    last = mbuf;
  }

  /** Nothing is there: sees to it that something can come. */
  private void wakeKernel() {
    boolean mustCheck = ++emptyCalls % CALLS_PER_CHECK == 0;
    if (!isBusyPolled && !mustCheck && !fill.needsWakeup()) {
      return;
    }
    counts.add(CALLS, 1);
    long result = calls.wakeReceiver(socket.descriptor());
    counts.publish();
    if (result == -Errno.ENXIO) {
      throw new PortException(
          "interface is gone: port=%s, queue=%d; open the port again when it is back, or set reopen=on"
              .formatted(port, socket.queue()));
    }
  }

  /** The kernel gets all slots back first: it may need them all until this queue wakes up. */
  @Override
  public int waitFor(Runnable wake) {
    if (closed || isBusyPolled || first != 0) {
      return CANNOT_TELL;
    }
    if (rx.available() > 0) {
      return HAS_PACKETS;
    }
    long now = System.nanoTime();
    if (now - lastCheckNs > CHECK_INTERVAL_NS) {
      lastCheckNs = now;
      emptyCalls = CALLS_PER_CHECK - 1;
      return HAS_PACKETS; // Or the next call in vain says that the interface is gone.
    }
    receiver.giveBack();
    fill.refill(1);
    return socket.descriptor();
  }

  @Override
  public boolean canWait() {
    return !isBusyPolled;
  }

  // --- AdaptiveReceiver.Ring ---

  @Override
  public int available() {
    int available = rx.available();
    if (available == 0 && fill.isLow()) {
      fill.refill(1); // There were no free buffers, and perhaps are by now.
    }
    return available;
  }

  @Override
  public void giveBack(int taken) {
    rx.release(taken);
    fill.refill(threshold);
  }

  /** The queue touches no ring any more. */
  void close() {
    closed = true;
    if (first != 0) {
      MbufArray incomplete = new MbufArray(1);
      incomplete.append(first);
      umem.pool().free(incomplete.address(), 1);
      incomplete.clear();
      first = 0;
    }
  }
}

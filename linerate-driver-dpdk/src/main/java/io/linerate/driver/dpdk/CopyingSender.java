package io.linerate.driver.dpdk;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SegmentCopy;

/**
 * Transmits bursts with packets that the device cannot be given, such as those that DPDK cannot
 * free: it sends copies of them, and frees the originals of those copies that the device took.
 */
final class CopyingSender {
  private static final int CHUNK_PACKETS = 256;
  private static final int CHUNK_SEGMENTS = 4 * CHUNK_PACKETS;

  private final DeviceSender device;
  private final DpdkPool pool;
  private final PacketPools pools;
  private final PlainPackets plain;

  private final MbufArray arrays = new MbufArray(CHUNK_SEGMENTS + 2 * CHUNK_PACKETS);
  private final long fresh = arrays.address();
  private final long outgoing = Handles.address(fresh, CHUNK_SEGMENTS);
  private final long leaving = Handles.address(outgoing, CHUNK_PACKETS);

  CopyingSender(DeviceSender device, DpdkPool pool, PlainPackets plain) {
    this.device = device;
    this.pool = pool;
    this.plain = plain;
    pools = plain.pools();
  }

  /** Whether one of the packets has to be copied. */
  boolean isNeeded(long handles, int count) {
    return segmentsFor(handles, count) > 0;
  }

  /** Transmits the packets; returns how many were taken, from the first. */
  int send(long handles, int count) {
    int sent = 0;
    while (sent < count) {
      int chunk = Math.min(CHUNK_PACKETS, count - sent);
      int taken;
      try {
        taken = sendChunk(Handles.address(handles, sent), chunk);
      } catch (Throwable e) { // A packet cannot be read: the file that it is in became shorter.
        if (sent == 0 || e instanceof StackOverflowError) {
          throw e;
        }
        return sent; // The next call says it, with nothing taken.
      }
      sent += taken;
      if (taken < chunk) {
        break;
      }
    }
    return sent;
  }

  private int sendChunk(long handles, int count) {
    int ready = allocate(handles, count);
    copy(handles, ready);
    int taken = ready == 0 ? 0 : device.send(outgoing, ready);
    freeOriginals(handles, taken);
    freeCopies(handles, taken, ready);
    return taken;
  }

  /** Gets buffers for the copies of the first packets: of as many as there are buffers for. */
  private int allocate(long handles, int count) {
    for (int ready = count; ready > 0; ready >>>= 1) {
      int segments = segmentsFor(handles, ready);
      if (segments == 0 || (segments <= CHUNK_SEGMENTS && pool.allocate(fresh, segments))) {
        return ready;
      }
    }
    return 0;
  }

  private int segmentsFor(long handles, int count) {
    int segments = 0;
    for (int i = 0; i < count; i++) {
      long mbuf = Handles.get(handles, i);
      if (plain.mustCopy(mbuf)) {
        segments += SegmentCopy.buffers(Mbuf.packetLength(mbuf), pool.roomBytes());
      }
    }
    return segments;
  }

  /** What is thrown leaves nothing behind. */
  private void copy(long handles, int count) {
    link(handles, count);
    try {
      for (int i = 0; i < count; i++) {
        long mbuf = Handles.get(handles, i);
        if (plain.mustCopy(mbuf)) {
          SegmentCopy.between(mbuf, 0, Handles.get(outgoing, i), 0, Mbuf.packetLength(mbuf));
          TxPreparation.copy(mbuf, Handles.get(outgoing, i));
        }
      }
      MappedFileFault.settle();
    } catch (Throwable e) {
      freeCopies(handles, 0, count);
      throw e;
    }
  }

  /** Makes the packets that the copies will be. */
  private void link(long handles, int count) {
    long next = fresh;
    for (int i = 0; i < count; i++) {
      long mbuf = Handles.get(handles, i);
      if (plain.mustCopy(mbuf)) {
        Handles.set(outgoing, i, SegmentCopy.link(next, Mbuf.packetLength(mbuf), pool.roomBytes()));
        next = Handles.address(next, Mbuf.segments(Handles.get(outgoing, i)));
      } else {
        Handles.set(outgoing, i, mbuf);
      }
    }
  }

  private void freeOriginals(long handles, int taken) {
    int count = 0;
    for (int i = 0; i < taken; i++) {
      long mbuf = Handles.get(handles, i);
      if (plain.mustCopy(mbuf)) {
        Handles.set(leaving, count++, mbuf);
      }
    }
    pools.free(leaving, count);
  }

  private void freeCopies(long handles, int taken, int ready) {
    int count = 0;
    for (int i = taken; i < ready; i++) {
      if (plain.mustCopy(Handles.get(handles, i))) {
        Handles.set(leaving, count++, Handles.get(outgoing, i));
      }
    }
    if (count > 0) {
      pool.free(leaving, count);
    }
  }
}

package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.NativeMemory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The fill ring of a queue of the device, kept full of empty chunks. With {@code spread}, several
 * receive queues use it: who finds another filling leaves it to that one.
 */
final class FillRing {
  /** Chunks that are put there together, at most. */
  static final int BATCH = 64;

  private final Umem umem;
  private final int mark;
  private final ProducerRing ring;
  private final boolean isShared;
  private final AtomicBoolean isFilling = new AtomicBoolean();

  /** Chunks that the kernel has for receiving. */
  private final AtomicInteger posted = new AtomicInteger();

  private final MbufArray freshChunks = new MbufArray(BATCH);
  private final long fresh = freshChunks.address();

  /**
   * @param mark of the socket whose ring it is
   */
  FillRing(XdpSocket socket, Umem umem, int mark, boolean isShared) {
    this.umem = umem;
    this.mark = mark;
    this.isShared = isShared;
    ring = socket.fillRing();
  }

  /** Chunks have come back with what they received. */
  void taken(int chunks) {
    if (isShared) {
      posted.addAndGet(-chunks);
    } else {
      posted.setPlain(posted.getPlain() - chunks);
    }
  }

  /** Whether less than half of the chunks are there that there should be. */
  boolean isLow() {
    return posted.getPlain() < ring.size() / 2;
  }

  boolean needsWakeup() {
    return ring.needsWakeup();
  }

  /**
   * Puts empty chunks there, at least {@code least} at a time. The kernel has no more than the ring
   * has slots, so there is always room.
   */
  void refill(int least) {
    if (!isShared) {
      fill(least);
    } else if (isFilling.compareAndSet(false, true)) {
      try {
        fill(least);
      } finally {
        isFilling.set(false);
      }
    }
  }

  private void fill(int least) {
    for (int missing = missing(); missing >= least; missing = missing()) {
      int count = allocate(Math.min(BATCH, missing));
      if (count == 0) {
        return;
      }
      for (int i = 0; i < count; i++) {
        long mbuf = Handles.get(fresh, i);
        Umem.owner(mbuf, mark);
        NativeMemory.u64(ring.next(), mbuf - umem.base());
      }
      if (isShared) {
        posted.addAndGet(count);
      } else {
        posted.setPlain(posted.getPlain() + count);
      }
      ring.publish();
    }
  }

  private int missing() {
    return ring.size() - posted.getPlain();
  }

  /** As many buffers as there are, at most {@code wanted}. */
  private int allocate(int wanted) {
    if (umem.pool().allocate(fresh, wanted)) {
      return wanted;
    }
    umem.collect();
    return umem.pool().allocateUpTo(fresh, wanted, 0);
  }
}

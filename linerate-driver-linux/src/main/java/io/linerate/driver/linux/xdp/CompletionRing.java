package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.NativeMemory;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The completion ring of a queue of the device: what the kernel has sent is freed, and told to the
 * transmit queue that sent it. With {@code spread}, several use the ring. Any thread.
 */
final class CompletionRing {
  private static final int BATCH = 64;

  private final Umem umem;
  private final ConsumerRing ring;

  /** Who holds it may read the ring: a transmit queue, or a receive queue without buffers. */
  private final AtomicBoolean isCollecting = new AtomicBoolean();

  private final MbufArray chunks = new MbufArray(BATCH);
  private final long completed = chunks.address();

  /** By their marks. They do not change once something is sent. */
  private XdpTxQueue[] senders = new XdpTxQueue[0];

  private boolean closed;

  CompletionRing(XdpSocket socket, Umem umem) {
    this.umem = umem;
    ring = socket.completionRing();
  }

  /** A queue sends, and marks its chunks so. */
  void add(XdpTxQueue sender, int mark) {
    senders = Arrays.copyOf(senders, Math.max(senders.length, mark + 1));
    senders[mark] = sender;
  }

  /** Frees what the kernel has sent, unless somebody else is at it. */
  void collect() {
    if (!isCollecting.compareAndSet(false, true)) {
      return;
    }
    try {
      for (int count = ring.available(); count > 0; count = ring.available()) {
        collect(Math.min(count, BATCH));
      }
    } finally {
      isCollecting.set(false);
    }
  }

  private void collect(int batch) {
    int packets = 0;
    long bytes = 0;
    int mark = 0;
    for (int i = 0; i < batch; i++) {
      long mbuf = umem.mbuf(NativeMemory.u64(ring.next()));
      int owner = Umem.owner(mbuf);
      if (owner != mark && mark != 0) {
        senders[mark].completed(packets, bytes);
        packets = 0;
        bytes = 0;
      }
      mark = owner;
      packets += Umem.isContinued(mbuf) ? 0 : 1;
      bytes += Mbuf.dataLength(mbuf);
      Umem.owner(mbuf, 0);
      Handles.set(completed, i, mbuf);
    }
    ring.release(batch);
    umem.pool().free(completed, batch);
    senders[mark].completed(packets, bytes);
  }

  /** Nobody collects any more. The first of several calls waits for who is at it. */
  @SuppressWarnings("ThreadPriorityCheck") // The other is done soon, and has to run for that.
  void close() {
    while (!closed && !isCollecting.compareAndSet(false, true)) {
      Thread.yield();
    }
    closed = true; // It stays taken.
  }
}

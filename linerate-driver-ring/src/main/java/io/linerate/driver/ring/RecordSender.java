package io.linerate.driver.ring;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.PacketView;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.TxQueue;
import io.linerate.core.port.TxQueueDecorator;
import io.linerate.driver.pcap.CaptureTap;

/**
 * Records what a transmit queue takes. A packet that was taken cannot be read any more, and one
 * that was not taken must not be recorded: so copies are made before, a part of the burst at a
 * time, and written after.
 */
final class RecordSender implements TxQueueDecorator {
  private static final int PART = 32;

  /** Enough for a part of jumbo frames. */
  private static final int BUFFERS = 256;

  private final TxQueue inner;
  private final CaptureTap recording;
  private final PacketPools pools;
  private final PacketChains copies;
  private final PacketView view;
  private final MbufArray part = new MbufArray(PART);
  private final MbufArray copied = new MbufArray(PART);

  RecordSender(TxQueue inner, CaptureTap recording, PortRequest request, int queue) {
    this.inner = inner;
    this.recording = recording;
    pools = request.pools();
    copies = new PacketChains(pools, request.name() + "-record-" + queue, BUFFERS);
    view = new PacketView(request.clock());
  }

  @Override
  public TxQueue inner() {
    return inner;
  }

  @Override
  public int send(MbufArray packets, int from) {
    int taken = 0;
    int offered;
    int n;
    do {
      offered = Math.min(PART, packets.size() - from - taken);
      try {
        n = sendPart(packets, from + taken, offered);
      } catch (Throwable e) { // A dead device; or the file that a packet is in became shorter.
        if (taken == 0 || e instanceof StackOverflowError) {
          throw e;
        }
        return taken; // The next call says it, with nothing taken.
      }
      taken += n;
    } while (n == offered && from + taken < packets.size());
    return taken;
  }

  private int sendPart(MbufArray packets, int from, int count) {
    try {
      for (int i = 0; i < count; i++) {
        long mbuf = packets.handle(from + i);
        part.append(mbuf);
        copied.append(copies.copy(mbuf));
      }
      int taken = inner.send(part, 0);
      for (int i = 0; i < taken; i++) {
        record(i);
      }
      return taken;
    } finally {
      view.end();
      part.clear();
      freeCopies();
    }
  }

  private void record(int index) {
    if (copied.handle(index) == 0) {
      recording.miss();
    } else {
      recording.write(view.of(copied, index));
    }
  }

  /** They leave the array first: something thrown between could free them twice. */
  private void freeCopies() {
    int count = copied.size();
    copied.clear();
    for (int i = 0; i < count; i++) {
      if (copied.handle(i) != 0) {
        pools.free(Handles.address(copied.address(), i), 1);
      }
    }
  }
}

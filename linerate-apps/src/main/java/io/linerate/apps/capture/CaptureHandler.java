package io.linerate.apps.capture;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import java.util.function.Consumer;

/** The capture on one worker: counts every packet. */
final class CaptureHandler implements BurstHandler, Consumer<Packet> {
  private final FrameSizes sizes = new FrameSizes();
  private final ProtocolCounts protocols = new ProtocolCounts();
  private final boolean isEthernet;
  private final BurstHandler out;

  /** Packets that wait for their headers to be scanned: see {@link #accept}. */
  private int[] others = new int[0];

  private int otherCount;

  /**
   * @param isEthernet whether all packets begin with an Ethernet header
   * @param out what bursts are given to when they are counted
   */
  CaptureHandler(boolean isEthernet, BurstHandler out) {
    this.isEthernet = isEthernet;
    this.out = out;
  }

  @Override
  public void onBurst(Burst burst) throws Exception {
    if (burst.size() > others.length) {
      others = new int[burst.size()];
    }
    otherCount = 0;
    if (isEthernet) {
      burst.forEach(this);
    } else {
      burst.forEach(this::leaveAny);
    }
    for (int i = 0; i < otherCount; i++) {
      protocols.add(burst.packet(others[i]));
    }
    out.onBurst(burst);
  }

  /**
   * Counts a packet, or leaves its protocol for later: a loop in which something is called for some
   * packets is slower for all.
   */
  @Override
  public void accept(Packet packet) {
    sizes.add(packet.length());
    if (!protocols.addPlain(packet)) {
      leave(packet);
    }
  }

  private void leaveAny(Packet packet) {
    sizes.add(packet.length());
    leave(packet);
  }

  /** Apart: the loop's own is to be shorter than 35 bytes, or it is a call in some JVMs. */
  private void leave(Packet packet) {
    others[otherCount++] = packet.index();
  }

  FrameSizes sizes() {
    return sizes;
  }

  ProtocolCounts protocols() {
    return protocols;
  }
}

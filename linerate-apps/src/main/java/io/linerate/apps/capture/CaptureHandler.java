package io.linerate.apps.capture;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import java.util.function.Consumer;

/** The capture on one worker: counts every packet. */
final class CaptureHandler implements BurstHandler, Consumer<Packet> {
  private final FrameSizes sizes = new FrameSizes();
  private final ProtocolCounts protocols = new ProtocolCounts();
  private final BurstHandler out;

  /**
   * @param out what bursts are given to when they are counted
   */
  CaptureHandler(BurstHandler out) {
    this.out = out;
  }

  @Override
  public void onBurst(Burst burst) throws Exception {
    burst.forEach(this);
    out.onBurst(burst);
  }

  /** Counts a packet. */
  @Override
  public void accept(Packet packet) {
    sizes.add(packet.length());
    protocols.add(packet);
  }

  FrameSizes sizes() {
    return sizes;
  }

  ProtocolCounts protocols() {
    return protocols;
  }
}

package io.linerate.apps.capture;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.wire.PlainIpv4;

/** The capture on one worker: counts every packet. */
final class CaptureHandler implements BurstHandler {
  private final FrameSizes sizes = new FrameSizes();
  private final ProtocolCounts protocols = new ProtocolCounts();
  private final BurstHandler out;
  private int[] lengthsBytes = new int[0];
  private long[] types = new long[0];
  private long[] protocolWords = new long[0];

  /**
   * @param out what bursts are given to when they are counted
   */
  CaptureHandler(BurstHandler out) {
    this.out = out;
  }

  @Override
  public void onBurst(Burst burst) throws Exception {
    if (burst.size() > types.length) {
      lengthsBytes = new int[burst.size()];
      types = new long[burst.size()];
      protocolWords = new long[burst.size()];
    }
    if (burst.u64s(
        lengthsBytes, PlainIpv4.OFFSET, types, ProtocolCounts.PROTOCOL_OFFSET, protocolWords)) {
      countTogether(burst);
    } else {
      countOneByOne(burst);
    }
    out.onBurst(burst);
  }

  /** Both counts in one loop: the processor waits for neither while it does the other. */
  private void countTogether(Burst burst) {
    for (int i = 0; i < burst.size(); i++) {
      sizes.add(lengthsBytes[i]);
      if (PlainIpv4.is(lengthsBytes[i], types[i])) {
        protocols.addPlain(protocolWords[i]);
      } else if (!protocols.addWithoutIp(types[i])) {
        protocols.add(burst.packet(i));
      }
    }
  }

  private void countOneByOne(Burst burst) {
    for (Packet packet : burst) {
      sizes.add(packet.length());
      protocols.add(packet);
    }
  }

  FrameSizes sizes() {
    return sizes;
  }

  ProtocolCounts protocols() {
    return protocols;
  }
}

package io.linerate.dashboard.talkers;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstProbe;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;

/**
 * Notes the sources of the packets of one burst in {@code stride}, on one worker. The stride is
 * such that the ring is seldom full: 1 while packets are few, so that all are counted.
 */
final class SourceProbe implements BurstProbe {
  private static final int MAX_STRIDE = 1 << 20;

  private final SampleRing ring = new SampleRing();
  private final HeaderScanner scanner = new HeaderScanner();
  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();

  /** Written by the reader; a worker that sees an old one samples a little more, or less. */
  private volatile int stride = 1;

  private int skipped;

  @Override
  public void onBurst(Burst burst) {
    int every = stride;
    if (++skipped < every || ring.room() < burst.size()) {
      return;
    }
    skipped = 0;
    for (int i = 0; i < burst.size(); i++) {
      note(burst.packet(i), every);
    }
  }

  private void note(Packet packet, int weight) {
    if (!scanner.scan(packet)) {
      return;
    }
    if (scanner.ipVersion() == 4) {
      ipv4.wrap(packet, scanner.l3Offset());
      ring.add(0, ipv4.source() & 0xFFFF_FFFFL, packet.length(), weight);
    } else if (scanner.ipVersion() == 6) {
      ipv6.wrap(packet, scanner.l3Offset());
      ring.add(ipv6.sourceHigh(), ipv6.sourceLow(), packet.length(), weight);
    }
  }

  /** Takes the samples out, and sets the stride for the time until the next call. */
  void drain(SampleRing.Reader reader) {
    int count = ring.drain(reader);
    int now = stride;
    if (count > SampleRing.CAPACITY / 2) {
      stride = Math.min(MAX_STRIDE, now * 4);
    } else if (count < SampleRing.CAPACITY / 16) {
      stride = Math.max(1, now / 2);
    }
  }
}

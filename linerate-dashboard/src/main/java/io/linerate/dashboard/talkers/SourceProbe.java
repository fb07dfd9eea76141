package io.linerate.dashboard.talkers;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstProbe;
import io.linerate.core.worker.Worker;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;

/** Notes the sources of the packets of some bursts, on one worker. */
final class SourceProbe implements BurstProbe {
  /** Bursts to sample between two calls of {@link #drain}. */
  private static final int BURSTS = 256;

  private final Worker worker;
  private final SampleRing ring = new SampleRing();
  private final HeaderScanner scanner = new HeaderScanner();
  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();

  /** Packets that the worker had received when it was asked last. Reader only. */
  private long received;

  SourceProbe(Worker worker) {
    this.worker = worker;
    received = worker.counts().received();
  }

  @Override
  public void onBurst(Burst burst) {
    if (ring.room() >= burst.size()) {
      for (int i = 0; i < burst.size(); i++) {
        note(burst.packet(i));
      }
    }
  }

  /** Whatever it is: samples stand for all packets. */
  private void note(Packet packet) {
    int version = scanner.scanAny(packet) ? scanner.ipVersion() : 0;
    if (version == 4) {
      ipv4.wrap(packet, scanner.l3Offset());
      ring.add(4, 0, ipv4.source() & 0xFFFF_FFFFL, packet.length());
    } else if (version == 6) {
      ipv6.wrap(packet, scanner.l3Offset());
      ring.add(6, ipv6.sourceHigh(), ipv6.sourceLow(), packet.length());
    } else {
      ring.add(0, 0, 0, packet.length());
    }
  }

  /**
   * Takes the samples out, and lets the worker sample as many bursts again, spread over the time
   * until the next call if packets come as they did.
   *
   * @return packets that each sample stands for
   */
  double drain(SampleRing.Reader reader) {
    long now = worker.counts().received();
    long came = now - received;
    received = now;
    int samples = ring.drain(reader);
    worker.probe(this, Math.clamp(came / SampleRing.CAPACITY, 1, 1 << 20), BURSTS);
    return samples == 0 ? 1 : Math.max(1, (double) came / samples);
  }
}

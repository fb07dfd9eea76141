package io.linerate.apps.generate;

import io.linerate.apps.generate.TrafficPlan.Phase;
import java.util.List;

/** What the substreams of a phase did, together. */
final class PhaseResults {
  private PhaseResults() {}

  static PhaseResult of(TrafficStream stream, Phase phase, List<Substream> substreams) {
    long packets = substreams.stream().mapToLong(Substream::packets).sum();
    long bytes = substreams.stream().mapToLong(Substream::frameBytes).sum();
    return new PhaseResult(
        stream.name(),
        phase.speed() > 0 ? phase.speed() + "x" : phase.rate().toString(),
        asked(stream, phase, packets == 0 ? 0 : (double) bytes / packets),
        substreams.stream().mapToDouble(Substream::packetsPerSecond).sum(),
        packets,
        bytes,
        substreams.stream().mapToLong(substream -> substream.pacer().latePackets()).sum(),
        substreams.stream().mapToLong(substream -> substream.pacer().worstLateNs()).max().orElse(0)
            / 1e3);
  }

  private static double asked(TrafficStream stream, Phase phase, double meanBytes) {
    Replay replay = stream.replay();
    if (replay != null && phase.speed() > 0) {
      long passNs = replay.dueNs(replay.size());
      return passNs == 0 ? 0 : replay.size() * Rate.NS_PER_S / passNs * phase.speed();
    }
    return phase.rate().isMax() || meanBytes == 0
        ? 0
        : Rate.NS_PER_S / phase.rate().costNs(meanBytes);
  }
}

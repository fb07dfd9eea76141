package io.linerate.apps.generate;

import io.linerate.apps.generate.TrafficPlan.Phase;
import java.util.List;

/**
 * What became of one phase of a plan.
 *
 * @param stream its name
 * @param rate as the plan says it
 * @param askedPps packets in a second that the plan asks for; 0: as many as go
 * @param sentPps packets in a second that left, from the first burst to the last
 * @param packets that were made
 * @param frameBytes their bytes, frame check sequences included
 * @param latePackets that left more than 1 ms after their time
 * @param worstLateUs how much later the latest of them left
 */
public record PhaseResult(
    String stream,
    String rate,
    double askedPps,
    double sentPps,
    long packets,
    long frameBytes,
    long latePackets,
    double worstLateUs) {
  /** What the substreams of a phase did, together. */
  static PhaseResult of(TrafficStream stream, Phase phase, List<Substream> substreams) {
    long packets = substreams.stream().mapToLong(Substream::packets).sum();
    long bytes = substreams.stream().mapToLong(Substream::frameBytes).sum();
    return new PhaseResult(
        stream.name(),
        phase.speed() > 0 ? phase.speed() + "x" : phase.rate().toString(),
        askedPps(stream, phase, packets == 0 ? 0 : (double) bytes / packets),
        substreams.stream().mapToDouble(Substream::packetsPerSecond).sum(),
        packets,
        bytes,
        substreams.stream().mapToLong(substream -> substream.pacer().latePackets()).sum(),
        substreams.stream().mapToLong(substream -> substream.pacer().worstLateNs()).max().orElse(0)
            / 1e3);
  }

  /** Packets in a second that a phase asks for, of frames of so many bytes; 0: as many as go. */
  static double askedPps(TrafficStream stream, Phase phase, double meanBytes) {
    Replay replay = stream.replay();
    if (replay != null && phase.speed() > 0) {
      long passNs = replay.dueNs(replay.size());
      return passNs == 0 ? 0 : replay.size() * Rate.NS_PER_S / passNs * phase.speed();
    }
    return phase.rate().isMax() || meanBytes == 0
        ? 0
        : Rate.NS_PER_S / phase.rate().costNs(meanBytes);
  }

  /** By how much the rate differs from the one asked for; 0 when none was. */
  public double errorPercent() {
    return askedPps == 0 || sentPps == 0 ? 0 : 100 * (sentPps / askedPps - 1);
  }

  /** Mean bytes of a frame. */
  public double meanFrameBytes() {
    return packets == 0 ? 0 : (double) frameBytes / packets;
  }

  /** Bits in a second, of frames with their check sequence. */
  public double layer2Bps() {
    return sentPps * meanFrameBytes() * 8;
  }

  /** Bits in a second with preambles and gaps. */
  public double layer1Bps() {
    return packets == 0 ? 0 : sentPps * (meanFrameBytes() + Rate.LAYER_1_BYTES) * 8;
  }
}

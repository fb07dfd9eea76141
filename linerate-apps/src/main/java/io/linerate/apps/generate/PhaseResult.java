package io.linerate.apps.generate;

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

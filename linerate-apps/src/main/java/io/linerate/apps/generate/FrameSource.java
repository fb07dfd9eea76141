package io.linerate.apps.generate;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;

/** Fills packets, one after the other: what one worker sends of a stream. */
interface FrameSource {
  /**
   * Writes the next frame into an empty packet.
   *
   * @param nowNs time of the burst
   * @return its bytes, frame check sequence included
   */
  int write(Packet packet, long nowNs);

  /**
   * Writes the next frames into the empty packets of a burst, from slot {@code from} on.
   *
   * @param nowNs time of the burst
   * @return their bytes, frame check sequences included
   */
  default long write(Burst burst, int from, long nowNs) {
    long bytes = 0;
    for (int i = from; i < burst.size(); i++) {
      bytes += write(burst.packet(i), nowNs);
    }
    return bytes;
  }

  /** Mean bytes of a frame. */
  double meanBytes();

  /** Bytes in memory of the largest frame. */
  int largestBytes();

  /** Recorded time in ns from the frame that was written last to the next one. */
  default long gapNs() {
    return 0;
  }

  /** Recorded time in ns from the start to this worker's first frame. */
  default long firstNs() {
    return 0;
  }

  /** The number that the next stamp has; 0 without stamps. */
  long nextSequence();
}

package io.linerate.stream.net;

/**
 * Spreads packets over time: as many bytes as have become due, and a burst at most where nothing
 * was sent for a while (RFC 9002, section 7.7).
 */
final class Pacer {
  private static final double NS_PER_S = 1e9;

  /** What may be sent at once: of a worker that was away for so long. */
  private static final double BURST_S = 0.001;

  private static final int BURST_PACKETS = 16;

  private double bytes;
  private double most;
  private double bytesPerS = 1;
  private long lastNs;
  private boolean hasBegun;

  /** How fast from now on. */
  void rate(double nextBytesPerS, int packetBytes, long nowNs) {
    pass(nowNs);
    bytesPerS = Math.max(nextBytesPerS, 1);
    most = Math.max(BURST_PACKETS * (double) packetBytes, bytesPerS * BURST_S);
    if (!hasBegun) {
      hasBegun = true;
      bytes = most;
    }
    bytes = Math.min(bytes, most);
  }

  private void pass(long nowNs) {
    if (hasBegun) {
      bytes = Math.min(most, bytes + bytesPerS * (nowNs - lastNs) / NS_PER_S);
    }
    lastNs = nowNs;
  }

  /** Whether a packet may be sent. */
  boolean isDue(long nowNs) {
    if (nowNs != lastNs) {
      pass(nowNs);
    }
    return bytes > 0;
  }

  /** A packet is sent. */
  void sent(int packetBytes) {
    bytes -= packetBytes;
  }

  /** When the next packet may be sent. */
  long nextNs() {
    return bytes > 0 ? lastNs : lastNs + (long) Math.ceil(-bytes / bytesPerS * NS_PER_S) + 1;
  }
}

package io.linerate.stream.net;

/**
 * How long datagrams may be on a path: from what every path takes, by probes, up to what the port
 * takes (DPLPMTUD, RFC 8899). The longest first, which is right where the whole path is of one
 * kind; then half of what is left each time. A probe that is lost says nothing of congestion.
 */
final class MtuSearch {
  /** Losses of one length before it counts as too long: RFC 8899, section 5.1.2. */
  private static final int MAX_PROBES = 3;

  /** Not worth a probe. */
  private static final int STEP_BYTES = 32;

  /** When what is too long is tried again: RFC 8899, section 5.1.1. */
  private static final long RAISE_NS = 600_000_000_000L;

  private final int longest;
  private int bytes;

  /** Too long, as far as is known. */
  private int ceiling;

  private int probe;
  private int losses;
  private boolean isOnItsWay;
  private long raiseNs;

  /**
   * @param longest payload of UDP that the port takes
   */
  MtuSearch(int longest) {
    this.longest = longest;
    bytes = Math.min(Wire.LEAST_BYTES, longest);
    ceiling = longest + 1;
    probe = longest;
  }

  /** What a datagram may have. */
  int bytes() {
    return bytes;
  }

  /** Bytes of a probe that is to be sent; 0: none. */
  int due(long nowNs) {
    if (isOnItsWay) {
      return 0;
    }
    if (probe <= bytes) {
      if (bytes >= longest || nowNs - raiseNs < 0) {
        return 0;
      }
      ceiling = longest + 1;
      probe = longest;
      losses = 0;
    }
    return probe;
  }

  void sent() {
    isOnItsWay = true;
  }

  /** A probe was not sent after all. */
  void notSent() {
    isOnItsWay = false;
  }

  /** A probe has come: datagrams are so long from now on. */
  void acked(int probeBytes, long nowNs) {
    isOnItsWay = false;
    if (probeBytes > bytes) {
      bytes = probeBytes;
    }
    next(nowNs);
  }

  /** A probe has not come. */
  void lost(int probeBytes, long nowNs) {
    isOnItsWay = false;
    losses++;
    if (losses >= MAX_PROBES) {
      ceiling = Math.min(ceiling, probeBytes);
      next(nowNs);
    }
  }

  private void next(long nowNs) {
    losses = 0;
    raiseNs = nowNs + RAISE_NS;
    probe = ceiling - bytes <= STEP_BYTES ? bytes : (bytes + ceiling) / 2;
  }

  /** The path may take less than it did: long datagrams do not come, or nothing does. */
  void blackHole(long nowNs) {
    bytes = Math.min(Wire.LEAST_BYTES, longest);
    ceiling = longest + 1;
    isOnItsWay = false;
    losses = 0;
    probe = bytes;
    raiseNs = nowNs + 30_000_000_000L;
  }
}

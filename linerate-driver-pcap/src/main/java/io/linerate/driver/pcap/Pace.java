package io.linerate.driver.pcap;

/**
 * When packets are due that are to come at the distances at which they were recorded. A packet that
 * was recorded before the one in front of it, or at no known time, is due at once; the first of a
 * further pass comes after the mean distance of the pass before.
 *
 * <p>All times are of {@link System#nanoTime}.
 */
final class Pace {
  private boolean started;
  private boolean newPass;
  private long dueNs;
  private long lastRecordedNs;
  private long passStartNs;
  private long passPackets;

  /** Takes the next packet up. */
  void add(long nowNs, boolean recorded, long recordedNs) {
    if (!started) {
      started = true;
      dueNs = nowNs;
      passStartNs = nowNs;
      lastRecordedNs = recordedNs;
    } else if (newPass) {
      newPass = false;
      dueNs += passPackets > 1 ? (dueNs - passStartNs) / (passPackets - 1) : 0;
      passStartNs = dueNs;
      passPackets = 0;
      lastRecordedNs = recordedNs;
    } else if (recorded) {
      dueNs += Math.max(0, recordedNs - lastRecordedNs);
      lastRecordedNs = recordedNs;
    }
    passPackets++;
  }

  /** Whether the packet taken up last is due. */
  boolean isDue(long nowNs) {
    return nowNs - dueNs >= 0;
  }

  /** Says that the file begins again. */
  void nextPass() {
    newPass = true;
  }
}

package io.linerate.dashboard.http;

/** Until when a client must have sent its request, or read what it is sent: else it is cut off. */
final class Deadline {
  private static final long NONE = Long.MAX_VALUE;

  private final Thread thread;
  private final RequestCounts counts;
  private final ServerLimits limits;
  private volatile long atNs;
  private boolean hasArrived;
  private boolean isCutOff;

  Deadline(Thread thread, RequestCounts counts, ServerLimits limits) {
    this.thread = thread;
    this.counts = counts;
    this.limits = limits;
    in(limits.requestNs());
  }

  private void in(long ns) {
    atNs = System.nanoTime() + ns;
  }

  /** From now on for the next slice of an answer. */
  void slice() {
    in(limits.sliceNs());
  }

  /** The client has all the time in the world: it is not his turn. */
  void none() {
    atNs = NONE;
  }

  /** The head of a request is there. */
  void arrived() {
    hasArrived = true;
  }

  /** The round with this client is over. */
  void over() {
    none();
    if (!hasArrived) {
      counts.addUnreadable();
    }
  }

  /**
   * Cuts the client off if it is too late: an interrupt closes the socket that it waits for. One
   * thread.
   */
  void enforce(long nowNs) {
    long at = atNs;
    if (at != NONE && nowNs - at > 0) {
      if (!isCutOff) {
        isCutOff = true;
        counts.addCutOff();
      }
      thread.interrupt();
    }
  }
}

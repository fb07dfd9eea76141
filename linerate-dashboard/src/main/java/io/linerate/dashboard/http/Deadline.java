package io.linerate.dashboard.http;

/** Until when a client must have sent its request, or read its answer: it is cut off otherwise. */
public final class Deadline {
  static final long REQUEST_NS = 10_000_000_000L;
  static final long REPLY_NS = 30_000_000_000L;

  private static final long NONE = Long.MAX_VALUE;

  private final Thread thread;
  private final RequestCounts counts;
  private volatile long atNs;
  private boolean hasArrived;

  Deadline(Thread thread, RequestCounts counts) {
    this.thread = thread;
    this.counts = counts;
    in(REQUEST_NS);
  }

  /** From now on. */
  void in(long ns) {
    atNs = System.nanoTime() + ns;
  }

  /** The client has all the time in the world. */
  void none() {
    atNs = NONE;
  }

  /** A whole request is there. */
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

  /** Cuts the client off if it is too late: an interrupt closes the socket that it waits for. */
  void enforce(long nowNs) {
    long at = atNs;
    if (at != NONE && nowNs - at > 0) {
      thread.interrupt();
    }
  }
}

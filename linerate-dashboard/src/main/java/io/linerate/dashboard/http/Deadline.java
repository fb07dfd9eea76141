package io.linerate.dashboard.http;

import java.util.concurrent.atomic.AtomicBoolean;

/** Until when a client must have sent its request, or read what it is sent: else it is cut off. */
final class Deadline {
  private static final long NONE = Long.MAX_VALUE;

  /**
   * So long the connection of a client that gave way stays open at least. Who wants to take all
   * places by connecting again and again cannot do so more often, and the owner of the token is
   * served if its request was only slow to arrive.
   */
  private static final long LINGER_NS = 1_000_000_000;

  private final Thread thread;
  private final RequestCounts counts;
  private final ServerLimits limits;
  private final AtomicBoolean isCutOff = new AtomicBoolean();
  private volatile boolean hasGivenWay;
  private volatile long atNs;
  private volatile boolean isOwner;
  private volatile boolean isOther;
  private boolean hasArrived;

  Deadline(Thread thread, RequestCounts counts, ServerLimits limits) {
    this.thread = thread;
    this.counts = counts;
    this.limits = limits;
    in(limits.requestNs());
  }

  private void in(long ns) {
    if (!hasGivenWay) {
      atNs = System.nanoTime() + ns;
    }
  }

  /** From now on for the next slice of an answer. */
  void slice() {
    in(limits.sliceNs());
  }

  /** The client may take its time: the server works, or waits for nothing. */
  void none() {
    atNs = NONE;
  }

  /** The head of a request is there. */
  void arrived() {
    hasArrived = true;
  }

  /** The request is let in. */
  void admit(boolean fromOwner) {
    isOwner = fromOwner;
    isOther = !fromOwner;
    if (fromOwner) {
      hasGivenWay = false;
    }
  }

  /** Whether its request was let in, without the token. */
  boolean isOther() {
    return isOther;
  }

  /** Whether the client keeps the server waiting, and is not known to be the owner of the token. */
  boolean mayGiveWay() {
    return !isOwner && !hasGivenWay && atNs != NONE;
  }

  /** Time that the client has left, if it {@link #mayGiveWay}. */
  long leftNs(long nowNs) {
    return atNs - nowNs;
  }

  /** Leaves its place to another client, and is cut off soon. Any thread. */
  void giveWay() {
    in(LINGER_NS);
    hasGivenWay = true;
  }

  boolean hasGivenWay() {
    return hasGivenWay;
  }

  boolean isCutOff() {
    return isCutOff.get();
  }

  /** The round with this client is over. */
  void over() {
    none();
    if (!hasArrived) {
      counts.addUnreadable();
    }
  }

  /** Cuts the client off if it is too late. */
  void enforce(long nowNs) {
    long at = atNs;
    if (at != NONE && nowNs - at > 0) {
      cutOff();
    }
  }

  /** Cuts the client off: an interrupt closes the socket that it waits for. Any thread. */
  void cutOff() {
    if (!isCutOff.getAndSet(true)) {
      counts.addCutOff();
    }
    thread.interrupt();
  }
}

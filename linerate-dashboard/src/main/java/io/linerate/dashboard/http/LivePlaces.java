package io.linerate.dashboard.http;

import java.util.concurrent.Semaphore;

/** Places for clients that are sent events: one bound for all the feeds of a server. Any thread. */
public final class LivePlaces {
  private static final int MOST = 256;

  /** Of them, for who has not shown the token: nobody keeps its owner out. */
  private static final int MOST_OF_OTHERS = 192;

  private final Semaphore all = new Semaphore(MOST);
  private final Semaphore others = new Semaphore(MOST_OF_OTHERS);

  /**
   * Takes one, to be given back.
   *
   * @throws Refusal if there is none
   */
  void take(boolean isOwner) {
    if (!isOwner && !others.tryAcquire()) {
      throw full(MOST_OF_OTHERS);
    }
    if (!all.tryAcquire()) {
      if (!isOwner) {
        others.release();
      }
      throw full(MOST);
    }
  }

  private static Refusal full(int most) {
    return new Refusal(503, "too many clients follow the page: most=" + most + "; close one");
  }

  void giveBack(boolean isOwner) {
    all.release();
    if (!isOwner) {
      others.release();
    }
  }

  /** Clients that have one now. */
  public int taken() {
    return MOST - all.availablePermits();
  }
}

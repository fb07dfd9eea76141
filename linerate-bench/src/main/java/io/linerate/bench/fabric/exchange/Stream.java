package io.linerate.bench.fabric.exchange;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Messages in one direction, a window of them under way, or in both; with a credit for each part of
 * the window that was taken.
 */
final class Stream {
  private static final int PARTS = 4;
  private static final int BATCH = 64;

  private final Traffic traffic;
  private final int part;
  private final AtomicLong done;
  private final int window;
  private long sent;
  private long taken;
  private long credited;

  Stream(Traffic traffic, int window, AtomicLong done) {
    this.traffic = traffic;
    this.done = done;
    this.window = window;
    part = Math.max(1, window / PARTS);
  }

  /** Messages and credits that may come before they are taken. */
  static int receives(int window) {
    return window + 2 * PARTS + 2;
  }

  /** Until the program ends. */
  void run(boolean isSending) {
    while (true) {
      long maySend = isSending ? window + traffic.credits() * part : 0;
      for (int i = 0; i < BATCH && sent < maySend && traffic.send(false); i++) {
        sent++;
      }
      take(sent >= maySend);
      done.setRelease(traffic.credits() * part + taken);
    }
  }

  private void take(boolean isWaiting) {
    taken += traffic.take(isWaiting);
    while (taken - credited >= part) {
      if (traffic.send(true)) {
        credited += part;
      } else {
        taken += traffic.take(false);
      }
    }
  }
}

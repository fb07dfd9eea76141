package io.linerate.bench.fabric.exchange;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

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
  private final @Nullable Volume volume;
  private long sent;
  private long taken;
  private long credited;

  /**
   * @param volume what is sent and taken before more is sent; null for messages without an end
   */
  Stream(Traffic traffic, int window, AtomicLong done, @Nullable Volume volume) {
    this.traffic = traffic;
    this.done = done;
    this.window = window;
    this.volume = volume;
    part = part(window);
  }

  /** Messages for which there is a credit. */
  static int part(int window) {
    return Math.max(1, window / PARTS);
  }

  /** Messages and credits that may come before they are taken. */
  static int receives(int window) {
    return window + 2 * PARTS + 2;
  }

  /** Until the program ends. */
  void run(boolean isSending) {
    Volume ordered = volume;
    if (isSending && ordered != null) {
      runOrders(ordered);
    }
    while (true) {
      send(isSending ? window + traffic.credits() * part : 0);
      done.setRelease(traffic.credits() * part + taken);
    }
  }

  private void runOrders(Volume ordered) {
    while (true) {
      long last = ordered.maySend();
      if (traffic.credits() * part < last) {
        send(Math.min(last, window + traffic.credits() * part));
        done.setRelease(traffic.credits() * part);
        ordered.taken(traffic.credits() * part);
      }
    }
  }

  private void send(long maySend) {
    for (int i = 0; i < BATCH && sent < maySend && traffic.send(false); i++) {
      sent++;
    }
    take(sent >= maySend);
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

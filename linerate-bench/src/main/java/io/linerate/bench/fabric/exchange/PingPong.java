package io.linerate.bench.fabric.exchange;

import java.util.concurrent.atomic.AtomicLong;

/** One message at a time, there and back. */
final class PingPong {
  private final Traffic traffic;
  private final AtomicLong done;

  PingPong(Traffic traffic, AtomicLong done) {
    this.traffic = traffic;
    this.done = done;
  }

  /** Until the program ends. */
  void ping() {
    for (long messages = 2; ; messages += 2) {
      send();
      take();
      done.setRelease(messages);
    }
  }

  /** Until the program ends. */
  void pong() {
    while (true) {
      take();
      send();
    }
  }

  private void send() {
    while (!traffic.send(false)) {
      int _ = traffic.take(false); // Nothing has come yet, but what was sent is out.
    }
  }

  private void take() {
    while (!traffic.takeOne()) {
      // What was sent is out.
    }
  }
}

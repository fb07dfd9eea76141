package io.linerate.core.log;

import java.lang.System.Logger.Level;
import java.util.function.Supplier;

/**
 * Logs failures that cost packets, one a second at most, each message with the number of packets
 * since the last one. One thread's own.
 */
public final class FailureLog {
  private static final long INTERVAL_NS = 1_000_000_000;

  private final System.Logger log;
  private long lastNs = System.nanoTime() - INTERVAL_NS;
  private long unlogged;

  public FailureLog(System.Logger log) {
    this.log = log;
  }

  /**
   * A failure cost a packet.
   *
   * @param message what failed, and where: asked for when it is logged
   */
  public void add(Supplier<String> message, Throwable failure) {
    unlogged++;
    long now = System.nanoTime();
    if (now - lastNs >= INTERVAL_NS) {
      log.log(
          Level.ERROR,
          message.get() + ", packets dropped since the last message=" + unlogged,
          failure);
      lastNs = now;
      unlogged = 0;
    }
  }
}

package io.linerate.core.flight;

import jdk.jfr.FlightRecorder;

/**
 * Tells Flight Recorder what happens, if it records. Nothing here is for each packet.
 *
 * <p>The classes of events are loaded only then: the first of them costs a quarter of a second in a
 * program that is not recorded.
 */
public final class Flight {
  private Flight() {}

  /** Whether somebody has begun to record this process. */
  public static boolean isRecorded() {
    return FlightRecorder.isInitialized();
  }

  /** Loads the events, so that no worker has to wait for that. Any thread that has time. */
  public static void prepare() {
    if (isRecorded()) {
      boolean _ = new SlowBurstEvent().isEnabled();
    }
  }

  /** Rounds of a worker took longer than they should. On its thread. */
  public static void slowBurst(int worker, long tookNs, long packets) {
    if (isRecorded()) {
      SlowBurstEvent event = new SlowBurstEvent();
      event.worker = worker;
      event.took = tookNs;
      event.packets = packets;
      event.commit();
    }
  }

  /** Packets were dropped for a reason. */
  public static void drops(String reason, long packets, long intervalNs) {
    if (isRecorded()) {
      DropsEvent event = new DropsEvent();
      event.reason = reason;
      event.packets = packets;
      event.interval = intervalNs;
      event.commit();
    }
  }

  /**
   * Something was changed while packets flow.
   *
   * @param what such as {@code graph}
   * @param text what it is now, in words
   * @param sinceNs when that began, by {@link System#nanoTime}
   */
  public static void change(String what, String text, long sinceNs) {
    if (isRecorded()) {
      ChangeEvent event = new ChangeEvent();
      event.what = what;
      event.text = text;
      event.took = System.nanoTime() - sinceNs;
      event.commit();
    }
  }
}

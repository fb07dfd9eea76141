package io.linerate.core.flight;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

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

  /**
   * Has the events loaded by the thread that begins to record this process, or by this one if
   * somebody records it already, so that no worker has to wait for that.
   *
   * @return to be closed by whoever has no workers any more
   */
  public static AutoCloseable prepare() {
    FlightRecorderListener loader =
        new FlightRecorderListener() {
          @Override
          public void recorderInitialized(FlightRecorder recorder) {
            boolean _ = new SlowBurstEvent().isEnabled();
          }
        };
    FlightRecorder.addListener(loader);
    return () -> FlightRecorder.removeListener(loader);
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

package io.linerate.core.counter;

import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often compiled code had to be left for interpreted code. HotSpot tells that by Flight
 * Recorder alone, whose start costs a third of a second and a folder of files: so it is counted
 * only in a program that is recorded anyway, from the first look after the recording began.
 */
final class Deoptimisations implements AutoCloseable {
  private final AtomicLong count = new AtomicLong();
  private @Nullable RecordingStream stream;

  /** Begins to count if the program is recorded. */
  synchronized void look() {
    if (stream == null && FlightRecorder.isInitialized()) {
      RecordingStream events = new RecordingStream();
      events.enable("jdk.Deoptimization").withoutStackTrace();
      events.onEvent("jdk.Deoptimization", event -> count.incrementAndGet());
      events.startAsync();
      stream = events;
    }
  }

  synchronized boolean isCounting() {
    return stream != null;
  }

  long count() {
    return count.get();
  }

  @Override
  public synchronized void close() {
    if (stream != null) {
      stream.close();
    }
  }
}

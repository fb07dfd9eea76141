package io.linerate.core.counter;

import java.lang.System.Logger.Level;
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
  private static final System.Logger LOG = System.getLogger(Deoptimisations.class.getName());

  private final AtomicLong count = new AtomicLong();
  private @Nullable RecordingStream stream;
  private boolean hasFailed;

  /** Begins to count if the program is recorded. */
  synchronized void look() {
    if (stream == null && !hasFailed && FlightRecorder.isInitialized()) {
      try {
        RecordingStream events = new RecordingStream();
        events.enable("jdk.Deoptimization").withoutStackTrace();
        events.onEvent("jdk.Deoptimization", event -> count.incrementAndGet());
        events.startAsync();
        stream = events;
      } catch (RuntimeException e) { // Its folder is full, for instance.
        hasFailed = true;
        LOG.log(Level.WARNING, "deoptimisations are not counted: error={0}", String.valueOf(e));
      }
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

package io.linerate.core.counter;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.FlightRecorder;
import jdk.jfr.RecordingState;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often compiled code had to be left for interpreted code. HotSpot tells that by Flight
 * Recorder alone, whose start costs a third of a second and a folder of files: so it is counted
 * only while somebody else records the program.
 */
final class Deoptimisations implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Deoptimisations.class.getName());
  private static final String EVENT = "jdk.Deoptimization";

  /** A setting by which a recording is known as one of ours. */
  private static final String OURS = "linerate";

  private final AtomicLong count = new AtomicLong();
  private @Nullable RecordingStream stream;
  private boolean hasCounted;
  private boolean hasFailed;

  /** Begins or ends to count, as the program is recorded or not any more. */
  synchronized void update() {
    if (!isRecorded()) {
      close();
    } else if (stream == null && !hasFailed) {
      start();
    }
  }

  private static boolean isRecorded() {
    return FlightRecorder.isInitialized()
        && FlightRecorder.getFlightRecorder().getRecordings().stream()
            .filter(recording -> recording.getState() == RecordingState.RUNNING)
            .anyMatch(recording -> !recording.getSettings().containsKey(EVENT + "#" + OURS));
  }

  private void start() {
    try {
      RecordingStream events = new RecordingStream();
      events.enable(EVENT).withoutStackTrace().with(OURS, "true");
      events.onEvent(EVENT, event -> count.incrementAndGet());
      events.startAsync();
      stream = events;
      hasCounted = true;
    } catch (RuntimeException e) { // Its folder is full, for instance.
      hasFailed = true;
      LOG.log(Level.WARNING, "deoptimisations are not counted: error={0}", String.valueOf(e));
    }
  }

  synchronized boolean hasCounted() {
    return hasCounted;
  }

  long count() {
    return count.get();
  }

  @Override
  public synchronized void close() {
    if (stream != null) {
      stream.close();
      stream = null;
    }
  }
}

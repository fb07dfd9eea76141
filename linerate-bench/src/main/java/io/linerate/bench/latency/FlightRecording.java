package io.linerate.bench.latency;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * What a JVM did beside the program, and when.
 *
 * @param times in the order in which they were recorded
 */
record FlightRecording(List<Time> times) {
  /**
   * A time in which threads may have stood still.
   *
   * @param startNs since 1970
   */
  record Time(Cause cause, long startNs, long endNs) {}

  /** By how much the clocks of a recording and of the meter may differ. */
  private static final long CLOCKS_NS = 200_000;

  FlightRecording {
    times = List.copyOf(times);
  }

  /** What a program without a JVM has. */
  static FlightRecording none() {
    return new FlightRecording(List.of());
  }

  /** The options that have it written when the JVM ends. */
  static List<String> options(Path file) {
    return List.of(
        "-Xlog:jfr+startup=error",
        "-XX:StartFlightRecording:settings=none,filename="
            + file
            + ",jdk.GCPhasePause#enabled=true,jdk.GCPhasePause#threshold=0ns"
            + ",jdk.ExecuteVMOperation#enabled=true,jdk.ExecuteVMOperation#threshold=0ns"
            + ",jdk.SafepointBegin#enabled=true,jdk.SafepointBegin#threshold=0ns"
            + ",jdk.Deoptimization#enabled=true");
  }

  static FlightRecording read(Path file) throws IOException {
    List<Time> times = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      cause(event)
          .ifPresent(cause ->
              times.add(new Time(cause, ns(event.getStartTime()), ns(event.getEndTime()))));
    }
    return new FlightRecording(times);
  }

  private static Optional<Cause> cause(RecordedEvent event) {
    return switch (event.getEventType().getName()) {
      case "jdk.GCPhasePause" -> Optional.of(Cause.COLLECTOR);
      case "jdk.Deoptimization" -> Optional.of(Cause.COMPILER);
      case "jdk.SafepointBegin" -> Optional.of(Cause.SAFEPOINT);
      case "jdk.ExecuteVMOperation" ->
          event.getBoolean("safepoint") ? Optional.of(Cause.SAFEPOINT) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static long ns(Instant time) {
    return time.getEpochSecond() * 1_000_000_000 + time.getNano();
  }

  /** Why this stall was. */
  Cause causeOf(Stall stall) {
    Optional<Cause> inTheJvm =
        times.stream()
            .filter(time ->
                time.startNs <= stall.endNs() + CLOCKS_NS
                    && time.endNs >= stall.startNs() - CLOCKS_NS)
            .map(Time::cause)
            .min(Cause::compareTo);
    return inTheJvm.orElse(2 * stall.waitedNs() >= stall.lengthNs() ? Cause.KERNEL : Cause.NONE);
  }

  /** How often the JVM did this. */
  long count(Cause cause) {
    return times.stream().filter(time -> time.cause == cause).count();
  }
}

package io.linerate.apps.generate;

import io.linerate.core.config.ConfigException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Streams, and when each has which rate.
 *
 * <pre>{@code
 * var plan = new TrafficPlan();
 * plan.at(Duration.ZERO, dns, "10kpps");
 * plan.at(Duration.ofSeconds(5), dns, "100kpps");
 * plan.end(Duration.ofSeconds(10));
 * }</pre>
 */
public final class TrafficPlan {
  /**
   * A stream at one rate.
   *
   * @param stream its number
   * @param speed of a replay in multiples of the recorded speed; 0: as the rate says
   * @param endNs when it ends; {@link Long#MAX_VALUE}: never
   * @param packets how many it sends at most
   */
  record Phase(int stream, Rate rate, double speed, long startNs, long endNs, long packets) {
    boolean isEndless() {
      return endNs == Long.MAX_VALUE && packets == Long.MAX_VALUE;
    }

    /** The same, if it has not ended before. */
    Phase endingBy(long timeNs) {
      return new Phase(stream, rate, speed, startNs, Math.min(endNs, timeNs), packets);
    }
  }

  private final List<TrafficStream> streams = new ArrayList<>();
  private final List<Phase> phases = new ArrayList<>();
  private long lastNs;
  private boolean ended;

  /** A plan of one stream, at the stream's own rate from the start on. */
  public static TrafficPlan of(
      TrafficStream stream, Optional<Duration> duration, long packetsAtMost) {
    TrafficPlan plan = new TrafficPlan();
    plan.add(stream);
    Replay replay = stream.replay();
    boolean isBounded = duration.isPresent() || packetsAtMost < Long.MAX_VALUE;
    long packets = replay == null || isBounded ? packetsAtMost : replay.size();
    long endNs = duration.map(Duration::toNanos).orElse(Long.MAX_VALUE);
    plan.phases.add(new Phase(0, stream.rate(), stream.speed(), 0, endNs, packets));
    return plan;
  }

  /**
   * From then on the stream has this rate, such as {@code 1Mpps}, or {@code off}. A replay may also
   * have a speed, such as {@code 2x} or {@code recorded}.
   */
  public TrafficPlan at(Duration time, TrafficStream stream, String rate) {
    step(time);
    int number = streams.indexOf(stream) < 0 ? add(stream) : streams.indexOf(stream);
    close(number, time.toNanos());
    if (!rate.equals("off")) {
      boolean isSpeed = stream.replay() != null && !rate.endsWith("ps");
      double speed = isSpeed ? StreamText.speed(rate) : 0;
      Rate pace = isSpeed ? Rate.UNLIMITED : Rate.parse(rate);
      long start = time.toNanos();
      phases.add(new Phase(number, pace, speed, start, Long.MAX_VALUE, Long.MAX_VALUE));
    }
    return this;
  }

  /** Then all streams end. */
  public TrafficPlan end(Duration time) {
    step(time);
    for (int stream = 0; stream < streams.size(); stream++) {
      close(stream, time.toNanos());
    }
    ended = true;
    return this;
  }

  /** Ends all streams then, if they have not ended before. */
  void cut(Duration time) {
    phases.replaceAll(phase -> phase.endingBy(time.toNanos()));
    phases.removeIf(phase -> phase.endNs() <= phase.startNs());
  }

  private void step(Duration time) {
    if (ended || time.toNanos() < lastNs) {
      throw new ConfigException(
          "step of a plan is in the past: at="
              + time
              + "; write steps in the order of their times, the end last");
    }
    lastNs = time.toNanos();
  }

  private int add(TrafficStream stream) {
    if (streams.size() == Stamp.MAX_STREAMS) {
      throw new ConfigException(
          "too many streams: streams=" + streams.size() + ", max=" + Stamp.MAX_STREAMS);
    }
    streams.add(stream);
    return streams.size() - 1;
  }

  private void close(int stream, long timeNs) {
    phases.replaceAll(phase -> phase.stream() == stream ? phase.endingBy(timeNs) : phase);
    phases.removeIf(phase -> phase.endNs() <= phase.startNs());
  }

  List<TrafficStream> streams() {
    return streams;
  }

  List<Phase> phases() {
    return phases;
  }

  /** Whether it ends by itself. */
  boolean ends() {
    return phases.stream().noneMatch(Phase::isEndless);
  }

  /** When the last phase ends; {@link Long#MAX_VALUE}: never, or after its packets. */
  long endNs() {
    return phases.stream().mapToLong(Phase::endNs).max().orElse(Long.MAX_VALUE);
  }

  /** What all phases send; {@link Long#MAX_VALUE}: without an end, or until their time is over. */
  long packets() {
    return phases.stream().anyMatch(phase -> phase.packets() == Long.MAX_VALUE)
        ? Long.MAX_VALUE
        : phases.stream().mapToLong(Phase::packets).sum();
  }

  /** Whether all packets can be recognized when they come back. */
  boolean isSequenced() {
    return streams.stream().allMatch(TrafficStream::isSequenced);
  }

  boolean hasManyFlows() {
    return streams.stream().anyMatch(TrafficStream::hasManyFlows);
  }

  @Nullable TrafficStream stream(String name) {
    return streams.stream().filter(it -> it.name().equals(name)).findFirst().orElse(null);
  }
}

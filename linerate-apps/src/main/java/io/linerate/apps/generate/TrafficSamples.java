package io.linerate.apps.generate;

import io.linerate.apps.generate.TrafficPlan.Phase;
import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleSource;
import io.linerate.core.counter.SampleUnit;
import java.util.List;

/**
 * What senders are asked for now, and how much of it is left, as samples. Nothing is asked for when
 * they are done. Any thread.
 */
final class TrafficSamples implements SampleSource {
  /**
   * A phase of a stream.
   *
   * @param askedPps packets in a second; 0: as many as go
   */
  record Part(Phase phase, double askedPps) {
    static Part of(TrafficStream stream, Phase phase, FrameSource source) {
      return new Part(phase, PhaseResult.askedPps(stream, phase, source.meanBytes()));
    }

    boolean isAt(long timeNs) {
      return phase.startNs() <= timeNs && timeNs < phase.endNs();
    }
  }

  private final List<TrafficQueue> queues;
  private volatile List<Part> parts = List.of();

  /**
   * @param queues of all workers, of which the first has the clock; complete before they run
   */
  TrafficSamples(List<TrafficQueue> queues) {
    this.queues = queues;
  }

  /** What the queues send from now on. */
  void sends(List<Part> newParts) {
    parts = List.copyOf(newParts);
  }

  @Override
  public void collect(SampleSink sink) {
    List<Part> all = parts;
    boolean isSending = queues.stream().anyMatch(queue -> !queue.isFinished());
    long timeNs = queues.getFirst().sinceStartNs();
    List<Part> now =
        isSending ? all.stream().filter(part -> part.isAt(timeNs)).toList() : List.of();
    sink.gauge("linerate_traffic_streams", SampleUnit.NONE, now.size());
    if (now.stream().allMatch(part -> part.askedPps > 0)) {
      sink.gauge(
          "linerate_traffic_asked_packets_per_second",
          SampleUnit.NONE,
          Math.round(now.stream().mapToDouble(Part::askedPps).sum()));
    }
    long endNs = all.stream().mapToLong(part -> part.phase.endNs()).max().orElse(0);
    if (endNs < Long.MAX_VALUE) {
      sink.gauge(
          "linerate_traffic_remaining_seconds",
          SampleUnit.NANOSECONDS,
          isSending ? Math.max(0, endNs - timeNs) : 0);
    }
    if (all.stream().allMatch(part -> part.phase.packets() < Long.MAX_VALUE)) {
      sink.gauge(
          "linerate_traffic_planned_packets",
          SampleUnit.PACKETS,
          all.stream().mapToLong(part -> part.phase.packets()).sum());
    }
  }
}

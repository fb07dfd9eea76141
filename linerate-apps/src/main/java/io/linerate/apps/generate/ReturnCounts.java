package io.linerate.apps.generate;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;

/**
 * What came back, in packets.
 *
 * @param received different ones
 * @param duplicates that came again
 * @param reordered that came after one of their flow with a higher number
 * @param foreign without a stamp of ours
 */
record ReturnCounts(long received, long duplicates, long reordered, long foreign) {
  static final ReturnCounts NONE = new ReturnCounts(0, 0, 0, 0);

  ReturnCounts plus(ReturnCounts other) {
    return new ReturnCounts(
        received + other.received,
        duplicates + other.duplicates,
        reordered + other.reordered,
        foreign + other.foreign);
  }

  void collect(SampleSink sink) {
    counter(sink, "received", received);
    counter(sink, "duplicate", duplicates);
    counter(sink, "reordered", reordered);
    counter(sink, "foreign", foreign);
  }

  private static void counter(SampleSink sink, String what, long packets) {
    sink.counter("linerate_return_" + what + "_packets_total", SampleUnit.PACKETS, packets);
  }
}

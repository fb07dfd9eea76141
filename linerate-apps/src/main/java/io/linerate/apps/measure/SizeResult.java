package io.linerate.apps.measure;

import io.linerate.apps.generate.Rate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What was found for one frame size.
 *
 * @param frameBytes with the frame check sequence
 * @param mostPps what the sender reached without a pause, where each search began
 * @param searches the answer of each search
 * @param trials that were run
 * @param repeatedTrials those that were run again because they lost
 * @param senderLimited rates that were not reached though nothing was lost
 * @param latencyUs delays at the throughput by name; empty when not asked for
 */
record SizeResult(
    int frameBytes,
    double mostPps,
    List<ThroughputSearch.Answer> searches,
    int trials,
    int repeatedTrials,
    int senderLimited,
    Map<String, Double> latencyUs) {

  SizeResult {
    searches = List.copyOf(searches);
  }

  List<Double> searchesPps() {
    return searches.stream().map(ThroughputSearch.Answer::pps).toList();
  }

  /** What kept it from a higher rate: where searches differ, what says the least of the device. */
  Limit limit() {
    return searches.stream()
        .map(ThroughputSearch.Answer::limit)
        .max(Comparator.naturalOrder())
        .orElse(Limit.INTERRUPTED);
  }

  /** The median of the searches. */
  double throughputPps() {
    List<Double> sorted = searchesPps().stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** Distance of the highest answer from the lowest, in per cent of the median. */
  double spreadPercent() {
    double median = throughputPps();
    double highest = searchesPps().stream().mapToDouble(it -> it).max().orElse(0);
    double lowest = searchesPps().stream().mapToDouble(it -> it).min().orElse(0);
    return median == 0 ? 0 : 100 * (highest - lowest) / median;
  }

  /** Bits in a second of frames with their check sequence. */
  double layer2Bps() {
    return throughputPps() * frameBytes * 8;
  }

  /** Bits in a second with preambles and gaps. */
  double layer1Bps() {
    return throughputPps() * (frameBytes + Rate.LAYER_1_BYTES) * 8;
  }
}

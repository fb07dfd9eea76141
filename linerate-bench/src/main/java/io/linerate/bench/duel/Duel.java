package io.linerate.bench.duel;

import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Contestants in turn: A B, B A, A B, so that all meet the same noise, none always follows another,
 * and each pair gives a ratio.
 *
 * @param samples of each contestant, round by round
 */
public record Duel(Map<String, List<Sample>> samples) {
  private static final int WARM_UP_SLICE_MS = 100;
  private static final int STEADY_SLICES = 4;
  private static final double STEADY = 0.05;
  private static final int MAX_REPEATS = 5;

  /**
   * Warms each up until its rate is steady, then runs rounds of one slice each, every other one
   * backwards.
   *
   * @param warmUpMs the longest warm-up of each
   */
  public static Duel fight(
      SequencedMap<String, Contestant> contestants, int rounds, int sliceMs, int warmUpMs) {
    contestants.values().forEach(contestant -> warmUp(contestant, warmUpMs));
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    for (int i = 0; i < rounds; i++) {
      (i % 2 == 0 ? contestants : contestants.reversed())
          .forEach((name, contestant) ->
              samples
                  .computeIfAbsent(name, _ -> new ArrayList<>())
                  .add(measure(contestant, sliceMs)));
    }
    return new Duel(samples);
  }

  /** A slice in which it came to nothing, as on a busy machine, gives no ratio: it is run again. */
  private static Sample measure(Contestant contestant, int sliceMs) {
    Sample sample = contestant.measure(sliceMs);
    for (int again = 0; again < MAX_REPEATS && sample.received() == 0; again++) {
      sample = contestant.measure(sliceMs);
    }
    return sample;
  }

  /** The rounds of several duels of the same contestants, one duel's after the other's. */
  public static Duel together(List<Duel> duels) {
    Map<String, List<Sample>> all = new LinkedHashMap<>();
    for (Duel duel : duels) {
      duel.samples.forEach(
          (name, samples) -> all.computeIfAbsent(name, _ -> new ArrayList<>()).addAll(samples));
    }
    return new Duel(all);
  }

  /** Compilation is over when nothing is allocated any more and the rate stays. */
  private static void warmUp(Contestant contestant, int longestMs) {
    int steady = 0;
    double last = 0;
    for (int ms = 0; ms < longestMs && steady < STEADY_SLICES; ms += WARM_UP_SLICE_MS) {
      Sample sample = contestant.measure(WARM_UP_SLICE_MS);
      boolean isSteady =
          sample.heapBytes() == 0 && Math.abs(sample.mpps() - last) <= STEADY * sample.mpps();
      steady = isSteady ? steady + 1 : 0;
      last = sample.mpps();
    }
  }

  /** The rates of a contestant, round by round. */
  public Spread rates(String contestant) {
    return new Spread(of(contestant).stream().mapToDouble(Sample::mpps).toArray());
  }

  public List<Sample> of(String contestant) {
    return samples.getOrDefault(contestant, List.of());
  }

  /** Heap bytes that a contestant allocated for a packet, over all slices. */
  public double heapBytesPerPacket(String contestant) {
    long bytes = of(contestant).stream().mapToLong(Sample::heapBytes).sum();
    long packets = of(contestant).stream().mapToLong(Sample::received).sum();
    return packets == 0 ? 0 : (double) bytes / packets;
  }

  /** Which part of what it received a contestant transmitted. */
  public double sentShare(String contestant) {
    long sent = of(contestant).stream().mapToLong(Sample::sent).sum();
    long packets = of(contestant).stream().mapToLong(Sample::received).sum();
    return packets == 0 ? 0 : (double) sent / packets;
  }
}

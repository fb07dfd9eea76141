package io.linerate.apps.generate;

import io.linerate.core.config.RateText;
import io.linerate.core.statistics.RunSummary;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a generator did.
 *
 * @param summary of its engine: made packets count as received there
 * @param phases in the order of the plan
 * @param reception what came back; null when nothing was to
 */
public record GeneratorResult(
    RunSummary summary, List<PhaseResult> phases, @Nullable ReceptionResult reception) {
  /** Of the rate that is kept: to see by how much it is not. */
  private static final int DIGITS = 6;

  /** Packets that the port took. */
  public long sent() {
    return summary.packets().sent();
  }

  /** A few lines for people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %,d packets sent in %.3f s%n",
            summary.programName(),
            sent(),
            summary.durationNs() / Rate.NS_PER_S));
    phases.forEach(phase -> text.append(line(phase)));
    summary
        .packets()
        .dropped()
        .forEach((reason, packets) -> {
          if (reception == null || !reason.equals("consumed")) {
            text.append(String.format(Locale.ROOT, "  dropped as %s: %,d%n", reason, packets));
          }
        });
    if (reception != null) {
      text.append(lines(reception));
    }
    return text.toString();
  }

  private static String line(PhaseResult phase) {
    String rate =
        phase.askedPps() == 0
            ? "as fast as it goes"
            : String.format(
                Locale.ROOT,
                "asked %s, error %+.4f %%",
                RateText.of(phase.askedPps(), "pps", DIGITS),
                phase.errorPercent());
    return String.format(
        Locale.ROOT,
        "  stream %s at %s: %,d packets, %s (%s), layer 2 %s, layer 1 %s, %,d late (worst %,.0f us)%n",
        phase.stream(),
        phase.rate(),
        phase.packets(),
        RateText.of(phase.sentPps(), "pps", DIGITS),
        rate,
        RateText.bits(phase.layer2Bps()),
        RateText.bits(phase.layer1Bps()),
        phase.latePackets(),
        phase.worstLateUs());
  }

  private static String lines(ReceptionResult reception) {
    Map<String, Double> delays = reception.delaysUs();
    String delayLine =
        delays.isEmpty()
            ? ""
            : delays.entrySet().stream()
                .map(it -> String.format(Locale.ROOT, "%s %,.1f", it.getKey(), it.getValue()))
                .collect(Collectors.joining(", ", "  delay in us: ", System.lineSeparator()));
    return String.format(
            Locale.ROOT,
            "  came back: %,d, lost %,d (%.6f %%), duplicates %,d, reordered %,d (extent %,d),"
                + " others %,d%n",
            reception.received(),
            reception.lost(),
            reception.lostPercent(),
            reception.duplicates(),
            reception.reordered(),
            reception.reorderingExtent(),
            reception.foreign())
        + delayLine;
  }
}

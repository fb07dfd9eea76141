package io.linerate.apps.transfer;

import io.linerate.core.config.RateText;
import io.linerate.program.run.Progress;
import java.util.Locale;

/** How far a sender is. For one thread that asks for {@link #bar}, and one for {@link #line}. */
final class SendProgress {
  private static final double NS_PER_S = 1e9;

  /** By then the buffers of streams are full, whose bytes have not left. */
  private static final long BEGIN_NS = 1_000_000_000L;

  /** Before, nothing is said of how long the rest takes. */
  private static final long ESTIMATE_NS = 3_000_000_000L;

  private final SendPlan plan;
  private long beginNs;
  private long beginBytes;
  private long lineBytes;

  SendProgress(SendPlan plan) {
    this.plan = plan;
  }

  /** Of a terminal; empty if it is not known how much there is: what comes by a pipe. */
  String bar(long elapsedNs) {
    long total = plan.totalBytes();
    if (total == 0) {
      return "";
    }
    long moved = plan.movedBytes();
    if (beginNs == 0 && elapsedNs >= BEGIN_NS) {
      beginNs = elapsedNs;
      beginBytes = moved;
    }
    long left = plan.leftBytes();
    double perSecond = (moved - beginBytes) * NS_PER_S / (elapsedNs - beginNs);
    boolean isKnown = elapsedNs >= ESTIMATE_NS && elapsedNs > beginNs && perSecond > 0;
    String bar = Progress.bar(1 - (double) left / total, isKnown ? left / perSecond : Double.NaN);
    return "%s, %s%s".formatted(bar, bytes(), isKnown ? ", " + RateText.of(perSecond, "B/s") : "");
  }

  /** How it stands, with the rate since the last time. */
  String line(long intervalNs) {
    long moved = plan.movedBytes();
    double perSecond = Math.max(0, moved - lineBytes) * NS_PER_S / intervalNs;
    lineBytes = moved;
    return String.format(
        Locale.ROOT,
        "%,d of %,d files, %s, %s",
        plan.done() + plan.there(),
        plan.files(),
        bytes(),
        RateText.of(perSecond, "B/s"));
  }

  private String bytes() {
    String moved = RateText.of((double) plan.movedBytes() + plan.bytesThere(), "B");
    return plan.totalBytes() == 0
        ? moved
        : moved + " of " + RateText.of((double) plan.totalBytes(), "B");
  }
}

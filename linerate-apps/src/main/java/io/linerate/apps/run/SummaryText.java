package io.linerate.apps.run;

import io.linerate.core.statistics.RunSummary;
import java.util.List;

/** A summary for people. */
public final class SummaryText {
  private SummaryText() {}

  /** A few lines, without what failed: that is said on standard error. */
  public static String of(RunSummary summary) {
    return new RunSummary(
            summary.programName(),
            summary.durationNs(),
            summary.ports(),
            summary.packets(),
            summary.exceptions(),
            List.of())
        .toString();
  }
}

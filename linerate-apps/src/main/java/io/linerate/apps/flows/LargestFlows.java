package io.linerate.apps.flows;

import io.linerate.track.flow.FlowRecord;
import io.linerate.track.flow.FlowSink;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Keeps the flows with the most bytes, both directions together; the first of those with the same.
 */
final class LargestFlows implements FlowSink {
  /**
   * One of them.
   *
   * @param number in the order in which they ended
   */
  private record Kept(long octets, long number, String line) {}

  private static final Comparator<Kept> SMALLEST_FIRST =
      Comparator.comparingLong(Kept::octets).thenComparing(Kept::number, Comparator.reverseOrder());

  private final int most;
  private final FlowForm form;
  private final PriorityQueue<Kept> kept = new PriorityQueue<>(SMALLEST_FIRST);
  private long flows;

  LargestFlows(int most, FlowForm form) {
    this.most = most;
    this.form = form;
  }

  @Override
  public void onFlow(FlowRecord flow) {
    long octets = flow.octets(0) + flow.octets(1);
    flows++;
    if (kept.size() == most) {
      if (kept.element().octets >= octets) {
        return;
      }
      kept.remove();
    }
    StringBuilder line = new StringBuilder();
    form.append(flow, line);
    kept.add(new Kept(octets, flows, line.toString()));
  }

  /** The lines of the largest of all, largest first. */
  static List<String> lines(List<LargestFlows> all, int most) {
    return all.stream()
        .flatMap(one -> one.kept.stream())
        .sorted(SMALLEST_FIRST.reversed())
        .limit(most)
        .map(Kept::line)
        .toList();
  }
}

package io.linerate.apps.generate;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What came back.
 *
 * @param sent packets that left with a sequence number
 * @param received different ones that came back
 * @param duplicates that came again
 * @param reordered that came after one of their flow with a higher number: RFC 4737
 * @param reorderingExtent the largest distance of such numbers
 * @param foreign packets that came and have no stamp of ours
 * @param delaysNs how long each was under way
 */
public record ReceptionResult(
    long sent,
    long received,
    long duplicates,
    long reordered,
    long reorderingExtent,
    long foreign,
    Histogram delaysNs) {
  private static final double NS_PER_US = 1e3;

  /** Packets that did not come back. */
  public long lost() {
    return Math.max(0, sent - received);
  }

  public double lostPercent() {
    return sent == 0 ? 0 : 100.0 * lost() / sent;
  }

  /** Delays in µs by name; empty when no packet had a time. */
  public Map<String, Double> delaysUs() {
    Map<String, Double> delays = new LinkedHashMap<>();
    if (delaysNs.getTotalCount() > 0) {
      delays.put("min", delaysNs.getMinValue() / NS_PER_US);
      delays.put("mean", delaysNs.getMean() / NS_PER_US);
      delays.put("median", percentile(50));
      delays.put("p99", percentile(99));
      delays.put("p99.9", percentile(99.9));
      delays.put("p99.99", percentile(99.99));
      delays.put("max", delaysNs.getMaxValue() / NS_PER_US);
    }
    return delays;
  }

  private double percentile(double percentile) {
    return delaysNs.getValueAtPercentile(percentile) / NS_PER_US;
  }
}

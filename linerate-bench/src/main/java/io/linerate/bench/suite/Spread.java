package io.linerate.bench.suite;

import java.util.Arrays;

/** Samples of one quantity, in the order in which they were taken. */
public final class Spread {
  private final double[] samples;

  /**
   * @param samples at least one
   */
  public Spread(double... samples) {
    if (samples.length == 0) {
      throw new IllegalArgumentException("no samples");
    }
    this.samples = samples.clone();
  }

  public double[] samples() {
    return samples.clone();
  }

  public double min() {
    return quantile(0);
  }

  public double max() {
    return quantile(1);
  }

  public double median() {
    return quantile(0.5);
  }

  /** The middle half of the samples in terms of the median: 0.1 when it is 10 % wide. */
  public double relativeSpread() {
    return median() == 0 ? 0 : (quantile(0.75) - quantile(0.25)) / median();
  }

  /** All samples in terms of the median: 0.1 when the highest is 10 % above the lowest. */
  public double relativeRange() {
    return (max() - min()) / median();
  }

  /** Interpolated between neighbours, as R's type 7 does. */
  private double quantile(double share) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    double at = share * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }

  /**
   * These divided by those, pair by pair.
   *
   * @throws IllegalArgumentException if they are not as many
   */
  public Spread dividedBy(Spread those) {
    if (samples.length != those.samples.length) {
      throw new IllegalArgumentException(
          "not pairs: samples=" + samples.length + ", others=" + those.samples.length);
    }
    double[] ratios = new double[samples.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = samples[i] / those.samples[i];
    }
    return new Spread(ratios);
  }

  /**
   * The median of each of several groups, which stand one after the other.
   *
   * @throws IllegalArgumentException if they are not as large
   */
  public Spread medians(int groups) {
    if (groups < 1 || samples.length % groups != 0) {
      throw new IllegalArgumentException(
          "not groups of one size: samples=" + samples.length + ", groups=" + groups);
    }
    int each = samples.length / groups;
    double[] medians = new double[groups];
    for (int i = 0; i < groups; i++) {
      medians[i] = new Spread(Arrays.copyOfRange(samples, i * each, (i + 1) * each)).median();
    }
    return new Spread(medians);
  }
}

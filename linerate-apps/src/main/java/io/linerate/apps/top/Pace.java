package io.linerate.apps.top;

/**
 * A total, and how fast it grows.
 *
 * @param perSecond NaN: not known yet
 */
record Pace(long total, double perSecond) {
  static final Pace NONE = new Pace(0, 0);

  Pace plus(Pace other) {
    return new Pace(total + other.total, perSecond + other.perSecond);
  }

  /** Whether it grows now. */
  boolean isGrowing() {
    return perSecond > 0;
  }
}

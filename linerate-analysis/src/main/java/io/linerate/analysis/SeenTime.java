package io.linerate.analysis;

/** That time has gone on, which a {@link TimeMark} says: no window counts it. */
record SeenTime(long timeNs) implements Seen {
  @Override
  public Object key() {
    return this;
  }

  @Override
  public void addTo(Tally tally) {}
}

package io.linerate.analysis;

/** A question for a name. */
record SeenName(String name, long timeNs) implements Seen {
  @Override
  public Object key() {
    return name;
  }

  @Override
  public void addTo(Tally tally) {
    tally.add();
  }
}

package io.linerate.analysis;

import io.linerate.wire.name.DomainName;

/** A question for a name: the same object for all that a worker receives. */
final class SeenName implements Seen {
  private final NameId name = new NameId();
  private long timeNs;

  /** Becomes the next one. */
  void set(DomainName newName, long newTimeNs) {
    name.set(newName);
    timeNs = newTimeNs;
  }

  @Override
  public Object key() {
    return name;
  }

  @Override
  public long timeNs() {
    return timeNs;
  }

  @Override
  public void addTo(Tally tally) {
    tally.add();
  }
}

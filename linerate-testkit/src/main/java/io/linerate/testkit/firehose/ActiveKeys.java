package io.linerate.testkit.firehose;

/** Values of keys of a ring. */
final class ActiveKeys implements FireHose.Generator {
  private final KeyRing ring;
  private final ReentrantRandom valueRandom;

  ActiveKeys(int keySeed, int valueSeed, int mask) {
    valueRandom = new ReentrantRandom(valueSeed);
    ring =
        new KeyRing(
            new KeyRing.Kind(-1.5, KeyRing.queues() / 2.0, false),
            keySeed,
            (key, _) -> key.isBiased = JenkinsHash.isBiased(key.id, mask));
  }

  @Override
  public Datum next() {
    KeyRing.Key key = ring.next();
    int random = valueRandom.next();
    int value = key.isBiased ? ((random & 0xF) == 3 ? 1 : 0) : random & 1;
    Datum datum = new Datum(key.id, value, key.isBiased ? 1 : 0);
    ring.putBack(key);
    return datum;
  }
}

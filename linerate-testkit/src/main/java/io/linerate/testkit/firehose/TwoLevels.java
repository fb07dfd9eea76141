package io.linerate.testkit.firehose;

/**
 * Keys of a ring that come five times at most: with the four parts of a key of another ring, and
 * with its value. Those that come less often have random parts.
 */
final class TwoLevels implements FireHose.Generator {
  private static final int INNER_MASK = 0x12_3456;
  private static final int PARTS = 4;

  private final KeyRing inner;
  private final KeyRing outer;

  TwoLevels(int seed) {
    double farthest = KeyRing.queues() - 1;
    inner =
        new KeyRing(
            new KeyRing.Kind(-0.9, farthest, true),
            seed,
            (key, _) -> key.isBiased = JenkinsHash.isBiased(key.id, INNER_MASK));
    outer = new KeyRing(new KeyRing.Kind(-1.1, farthest, true), seed, this::renew);
  }

  private void renew(KeyRing.Key key, ReentrantRandom keyRandom) {
    if (key.total <= PARTS) {
      long high = keyRandom.next();
      key.innerKey = (high << Integer.SIZE) + keyRandom.next();
      return;
    }
    key.total = PARTS + 1;
    KeyRing.Key of = inner.next();
    int random = inner.random().next();
    int value = of.isBiased ? ((random & 0xF) == 0 ? 1 : 0) : random & 1;
    key.innerKey = of.id;
    key.innerValue = (of.isBiased ? 10 : 0) + value;
    inner.putBack(of);
  }

  @Override
  public Datum next() {
    KeyRing.Key key = outer.next();
    int value =
        key.count <= PARTS
            ? (int) (key.innerKey >>> (Short.SIZE * (key.count - 1))) & 0xFFFF
            : key.innerValue;
    Datum datum = new Datum(key.id, value, key.count);
    outer.putBack(key);
    return datum;
  }
}

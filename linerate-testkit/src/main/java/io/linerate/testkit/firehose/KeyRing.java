package io.linerate.testkit.firehose;

import org.jspecify.annotations.Nullable;

/**
 * A set of active keys in a ring of queues, which is gone around: a key whose turn it was is put
 * into a queue ahead, near when it is frequent, and replaced when it has been there often enough.
 */
final class KeyRing {
  private static final int QUEUES = 16_384;
  private static final int ACTIVE_KEYS = 131_072;
  private static final int LENGTHS = 65_536;
  private static final int TREND_POINTS = 1_024;

  /** A key that is active. */
  static final class Key {
    long id;

    /** How often its turn has come, and comes. */
    int count;

    int total;

    /** Of values: whether they are biased, and their sum. */
    boolean isBiased;

    int sum;

    /** On two levels: what it stands for. */
    long innerKey;

    int innerValue;

    private @Nullable Key next;
  }

  /** What becomes of a key when it is new. */
  @FunctionalInterface
  interface Renewal {
    void renew(Key key, ReentrantRandom random);
  }

  /**
   * How the two generators with rings differ.
   *
   * @param exponent of the power law of how often keys come
   * @param farthest queue ahead that a key is put into
   * @param isFirstInFirstOut whether a queue is one, or a stack
   */
  record Kind(double exponent, double farthest, boolean isFirstInFirstOut) {}

  private final Kind kind;
  private final Renewal renewal;
  private final ReentrantRandom random;
  private final int idSeed;
  private final int[] lengths = new int[LENGTHS];
  private final int[] ahead = new int[TREND_POINTS];
  private final @Nullable Key[] first = new Key[QUEUES];
  private final @Nullable Key[] last = new Key[QUEUES];
  private long nextId;
  private int current;
  private @Nullable Key turn;

  KeyRing(Kind kind, int seed, Renewal renewal) {
    this.kind = kind;
    this.renewal = renewal;
    random = new ReentrantRandom(seed);
    idSeed = random.next();
    fillLengths();
    fillTrend();
    for (int i = 0; i < ACTIVE_KEYS; i++) {
      renew(new Key());
    }
  }

  static int queues() {
    return QUEUES;
  }

  ReentrantRandom random() {
    return random;
  }

  /**
   * A power law. The first length is 0, as in the generators by which the answers were published; a
   * later version of them has all one place earlier.
   */
  private void fillLengths() {
    double least = Math.pow(LENGTHS, kind.exponent);
    double scale = 1 / (1 - least);
    for (int i = 1; i < LENGTHS; i++) {
      lengths[i] = (int) Math.floor(LENGTHS * (Math.pow(i, kind.exponent) - least) * scale) + 1;
    }
  }

  /** Seldom, then often, then seldom again: the difference of two logistic curves. */
  private void fillTrend() {
    double[] often = new double[TREND_POINTS];
    double most = 0;
    for (int i = 0; i < TREND_POINTS; i++) {
      double x = i * (12.0 / TREND_POINTS);
      often[i] = 1 / (1 + Math.exp(2 - x)) - 1 / (1 + Math.exp(5 - x));
      most = Math.max(most, often[i]);
    }
    for (int i = 0; i < TREND_POINTS; i++) {
      ahead[i] = Math.max(1, (int) (kind.farthest * (most - often[i]) / most));
    }
  }

  /** The key whose turn it is. */
  Key next() {
    while (turn == null) {
      current = (current + 1) % QUEUES;
      turn = first[current];
      first[current] = null;
      last[current] = null;
    }
    Key key = turn;
    turn = key.next;
    key.count++;
    return key;
  }

  /** Puts it back, or another one in its place. */
  void putBack(Key key) {
    if (key.count >= key.total) {
      renew(key);
    } else {
      int point = (int) ((long) key.count * TREND_POINTS / key.total);
      put(key, (current + ahead[point]) % QUEUES);
    }
  }

  private void renew(Key key) {
    key.id =
        ((long) JenkinsHash.of(nextId, idSeed) << Integer.SIZE)
            | Integer.toUnsignedLong(JenkinsHash.of(nextId, idSeed + 1));
    nextId++;
    key.count = 0;
    key.sum = 0;
    key.total = lengths[random.next() % LENGTHS];
    renewal.renew(key, random);
    put(key, random.next() % QUEUES);
  }

  private void put(Key key, int queue) {
    Key end = last[queue];
    if (!kind.isFirstInFirstOut) {
      key.next = first[queue];
      first[queue] = key;
    } else {
      key.next = null;
      last[queue] = key;
      if (end == null) {
        first[queue] = key;
      } else {
        end.next = key;
      }
    }
  }
}

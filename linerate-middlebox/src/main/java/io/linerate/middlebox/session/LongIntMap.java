package io.linerate.middlebox.session;

/**
 * Numbers by keys that are not 0, as many as it was made for: linear probing (Knuth, The Art of
 * Computer Programming 3, algorithms 6.4 L and R). It allocates nothing once it is made. One
 * thread's own.
 */
public final class LongIntMap {
  /** What a key leads to that is not there. */
  public static final int NONE = -1;

  private static final int SLOTS_PER_KEY = 4;
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private final long[] keys;
  private final int[] values;
  private final int mask;
  private final long seed;
  private final int capacity;
  private int size;

  /**
   * @param capacity keys at most, 1 to 2^26
   * @param seed of the hash: nobody is to guess it who could choose keys by it
   */
  public LongIntMap(int capacity, long seed) {
    this.capacity = capacity;
    this.seed = seed;
    int slots = Integer.highestOneBit(Math.max(capacity, 2) - 1) << 1;
    keys = new long[slots * SLOTS_PER_KEY];
    values = new int[keys.length];
    mask = keys.length - 1;
  }

  public int size() {
    return size;
  }

  public boolean isFull() {
    return size == capacity;
  }

  private int home(long key) {
    long mixed = (key ^ seed) * MULTIPLIER;
    mixed = (mixed ^ (mixed >>> Integer.SIZE)) * MULTIPLIER;
    return (int) (mixed >>> Integer.SIZE) & mask;
  }

  private int at(long key) {
    int at = home(key);
    while (keys[at] != 0 && keys[at] != key) {
      at = (at + 1) & mask;
    }
    return at;
  }

  public int get(long key) {
    int at = at(key);
    return keys[at] == 0 ? NONE : values[at];
  }

  /** Adds a key, or changes what it leads to. There is room: see {@link #isFull}. */
  public void put(long key, int value) {
    int at = at(key);
    if (keys[at] == 0) {
      if (isFull()) {
        throw new IllegalStateException("map is full: capacity=" + capacity);
      }
      keys[at] = key;
      size++;
    }
    values[at] = value;
  }

  /** Removes a key; nothing if it is not there. */
  public void remove(long key) {
    int hole = at(key);
    if (keys[hole] == 0) {
      return;
    }
    size--;
    int next = hole;
    while (true) {
      next = (next + 1) & mask;
      if (keys[next] == 0) {
        keys[hole] = 0;
        return;
      }
      if (((next - home(keys[next])) & mask) >= ((next - hole) & mask)) {
        keys[hole] = keys[next];
        values[hole] = values[next];
        hole = next;
      }
    }
  }
}

package io.linerate.stream;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * Numbers of keys, from 0 on, those of keys that were removed again. One thread's own.
 *
 * @param <T> class of the tokens that have the keys
 */
abstract class Keys<T> {
  /** No key. */
  static final int NONE = -1;

  private int[] free = new int[0];
  private int freeCount;
  private int used;

  /**
   * Keys that are {@code long}: no object is made for them.
   *
   * @param most keys at a time
   * @param seed of the hash: nobody is to guess it who could choose keys by it
   */
  static <T> Keys<T> ofLongs(ToLongFunction<? super T> key, int most, long seed) {
    return new OfLongs<>(key, most, seed);
  }

  /**
   * Keys that are objects.
   *
   * @param kept makes what is kept of a key that is new
   */
  static <T> Keys<T> ofObjects(
      Function<? super T, ?> key, UnaryOperator<Object> kept, WindowKeys limits) {
    return new OfObjects<>(key, kept, limits);
  }

  /** The number of a token's key; {@link #NONE} if it is new and there are too many. */
  abstract int number(T token);

  /** The key of a number. */
  abstract Object key(int number);

  /** Forgets a key. Its number may be that of another from now on. */
  abstract void remove(int number);

  /** Forgets all keys. */
  void clear() {
    used = 0;
    freeCount = 0;
  }

  /** Keys that are known. */
  final int size() {
    return used - freeCount;
  }

  /** All numbers are below. */
  final int end() {
    return used;
  }

  private int next() {
    return freeCount > 0 ? free[--freeCount] : used++;
  }

  private void release(int number) {
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, Math.max(16, 2 * freeCount));
    }
    free[freeCount++] = number;
  }

  private static final class OfObjects<T> extends Keys<T> {
    /** How many keys there are. */
    private static final class Room {
      private final int most;
      private int taken;

      Room(int most) {
        this.most = most;
      }
    }

    /**
     * The keys of a class. A map that has many keys of one hash is still quick where they can be
     * compared, which only those of one class can: who chooses keys does no harm then.
     */
    private record OfClass(Map<Object, Integer> numbers, Room room) {}

    private final Function<? super T, ?> keyOf;
    private final UnaryOperator<Object> kept;
    private final Map<Class<?>, Integer> mostOf;
    private final Map<Class<?>, OfClass> classes = new HashMap<>();

    /** Of classes that have none of their own. */
    private final Room common;

    private Object[] keys = new Object[16];

    /** The class of the last key, and those of it. */
    private Class<?> lastType = Void.class;

    private OfClass last;

    OfObjects(Function<? super T, ?> keyOf, UnaryOperator<Object> kept, WindowKeys limits) {
      this.keyOf = keyOf;
      this.kept = kept;
      mostOf = limits.mostOf();
      common = new Room(limits.most());
      last = new OfClass(Map.of(), common);
    }

    private OfClass ofClass(Object key) {
      Class<?> type = key.getClass();
      if (type != lastType) {
        OfClass known = classes.get(type);
        last = known == null ? create(type) : known;
        lastType = type;
      }
      return last;
    }

    private OfClass create(Class<?> type) {
      Integer most = mostOf.get(type);
      OfClass made = new OfClass(new HashMap<>(), most == null ? common : new Room(most));
      classes.put(type, made);
      return made;
    }

    @Override
    int number(T token) {
      Object key = keyOf.apply(token);
      OfClass same = ofClass(key);
      Integer known = same.numbers.get(key);
      if (known != null) {
        return known;
      }
      if (same.room.taken == same.room.most) {
        return NONE;
      }
      Object own = kept.apply(key);
      int number = super.next();
      if (number == keys.length) {
        keys = Arrays.copyOf(keys, 2 * number);
      }
      keys[number] = own;
      same.numbers.put(own, number);
      same.room.taken++;
      return number;
    }

    @Override
    Object key(int number) {
      return keys[number];
    }

    @Override
    @SuppressWarnings("NullAway") // A number that is free has none.
    void remove(int number) {
      OfClass same = ofClass(keys[number]);
      same.numbers.remove(keys[number]);
      same.room.taken--;
      keys[number] = null;
      super.release(number);
    }

    @Override
    void clear() {
      Arrays.fill(keys, 0, super.end(), null);
      for (OfClass each : classes.values()) {
        each.numbers.clear();
        each.room.taken = 0;
      }
      super.clear();
    }
  }

  /** Linear probing (Knuth, The Art of Computer Programming 3, algorithms 6.4 L and R). */
  private static final class OfLongs<T> extends Keys<T> {
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final ToLongFunction<? super T> keyOf;
    private final int most;
    private final long seed;
    private long[] keys = new long[16];

    /** The number of a key, and one more; at most half of them are used. */
    private int[] slots = new int[32];

    OfLongs(ToLongFunction<? super T> keyOf, int most, long seed) {
      this.keyOf = keyOf;
      this.most = most;
      this.seed = seed;
    }

    private int home(long key) {
      long mixed = (key ^ seed) * MULTIPLIER;
      mixed = (mixed ^ (mixed >>> Integer.SIZE)) * MULTIPLIER;
      return (int) (mixed >>> Integer.SIZE) & (slots.length - 1);
    }

    private int slot(long key) {
      int at = home(key);
      while (slots[at] != 0 && keys[slots[at] - 1] != key) {
        at = (at + 1) & (slots.length - 1);
      }
      return at;
    }

    @Override
    int number(T token) {
      long key = keyOf.applyAsLong(token);
      int at = slot(key);
      return slots[at] != 0 ? slots[at] - 1 : add(key, at);
    }

    private int add(long key, int at) {
      if (super.size() == most) {
        return NONE;
      }
      int number = super.next();
      if (number == keys.length) {
        keys = Arrays.copyOf(keys, 2 * number);
      }
      keys[number] = key;
      slots[at] = number + 1;
      if (2 * super.size() > slots.length) {
        grow();
      }
      return number;
    }

    private void grow() {
      int[] old = slots;
      slots = new int[2 * old.length];
      for (int entry : old) {
        if (entry != 0) {
          slots[slot(keys[entry - 1])] = entry;
        }
      }
    }

    @Override
    Object key(int number) {
      return keys[number];
    }

    @Override
    void remove(int number) {
      int mask = slots.length - 1;
      int hole = slot(keys[number]);
      slots[hole] = 0;
      for (int at = (hole + 1) & mask; slots[at] != 0; at = (at + 1) & mask) {
        int home = home(keys[slots[at] - 1]);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
          slots[hole] = slots[at];
          slots[at] = 0;
          hole = at;
        }
      }
      super.release(number);
    }

    @Override
    void clear() {
      super.clear();
      Arrays.fill(slots, 0);
    }
  }
}

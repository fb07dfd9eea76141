package io.linerate.middlebox.rule;

import io.linerate.wire.name.DomainName;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Finds the most special of some patterns that a name has: {@code example.org} is that name alone,
 * {@code *.example.org} all below it. One pass from the name's end to its begin, with a look-up for
 * each label. Immutable.
 */
final class NameTable {
  static final int NONE = -1;

  /** FNV-1a, 32 bits: the patterns are ours, so that nobody else makes them collide. */
  private static final int SEED = 0x811C_9DC5;

  private static final int PRIME = 0x0100_0193;

  /** Of pattern {@code i} from {@code starts[i]} on; those with an asterisk without it. */
  private final byte[] texts;

  private final int[] starts;
  private final int[] values;

  /** Patterns by hash, one higher; 0: none. */
  private final int[] slots;

  /**
   * @param patterns canonical, each with its value
   */
  NameTable(Map<String, Integer> patterns) {
    starts = new int[patterns.size() + 1];
    values = new int[patterns.size()];
    slots = new int[Integer.highestOneBit(2 * patterns.size() + 1) << 1];
    StringBuilder all = new StringBuilder();
    int count = 0;
    for (Map.Entry<String, Integer> pattern : patterns.entrySet()) {
      String text =
          pattern.getKey().startsWith("*") ? pattern.getKey().substring(1) : pattern.getKey();
      all.append(text);
      values[count] = pattern.getValue();
      starts[++count] = all.length();
    }
    texts = all.toString().getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < count; i++) {
      enter(i);
    }
  }

  private void enter(int pattern) {
    int hash = SEED;
    for (int i = starts[pattern + 1] - 1; i >= starts[pattern]; i--) {
      hash = (hash ^ (texts[i] & 0xFF)) * PRIME;
    }
    int at = slot(hash);
    while (slots[at] != 0) {
      at = (at + 1) & (slots.length - 1);
    }
    slots[at] = pattern + 1;
  }

  private int slot(int hash) {
    return (hash ^ (hash >>> 15)) & (slots.length - 1);
  }

  /** The value of the longest pattern that the name has, or {@link #NONE}. */
  int find(DomainName name) {
    int found = NONE;
    int hash = SEED;
    for (int i = name.length() - 1; i >= 0; i--) {
      hash = (hash ^ name.symbol(i)) * PRIME;
      if (i == 0 || name.symbol(i) == '.') {
        int pattern = find(name, i, hash);
        found = pattern == NONE ? found : values[pattern];
      }
    }
    return found;
  }

  private int find(DomainName name, int from, int hash) {
    int at = slot(hash);
    while (slots[at] != 0) {
      if (isEnd(name, from, slots[at] - 1)) {
        return slots[at] - 1;
      }
      at = (at + 1) & (slots.length - 1);
    }
    return NONE;
  }

  private boolean isEnd(DomainName name, int from, int pattern) {
    int start = starts[pattern];
    if (starts[pattern + 1] - start != name.length() - from) {
      return false;
    }
    for (int i = from; i < name.length(); i++) {
      if ((texts[start + i - from] & 0xFF) != name.symbol(i)) {
        return false;
      }
    }
    return true;
  }

  long bytes() {
    return texts.length + Integer.BYTES * ((long) starts.length + values.length + slots.length);
  }
}

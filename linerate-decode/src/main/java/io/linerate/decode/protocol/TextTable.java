package io.linerate.decode.protocol;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Dissection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What names in a text stand for, whatever the case of their letters, such as headers. A search
 * makes no object.
 */
final class TextTable<V> {
  private final List<List<Entry<V>>> slots = new ArrayList<>();

  private record Entry<V>(String name, V value) {}

  /**
   * @param names in lower case, of ASCII
   */
  TextTable(Map<String, V> names) {
    int size = Math.max(Integer.highestOneBit(names.size()) << 2, 4);
    for (int i = 0; i < size; i++) {
      slots.add(new ArrayList<>(1));
    }
    names.forEach((name, value) -> {
      int hash = 0;
      for (int i = 0; i < name.length(); i++) {
        hash = 31 * hash + name.charAt(i);
      }
      slot(hash).add(new Entry<>(name, value));
    });
  }

  private List<Entry<V>> slot(int hash) {
    return slots.get((hash ^ (hash >>> Short.SIZE)) & (slots.size() - 1));
  }

  private static int lower(int letter) {
    return letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter;
  }

  /** What the text stands for that is so far behind the cursor; null if for nothing. */
  @Nullable V find(Dissection dissection, int ahead, int count) {
    int from = dissection.layer().offset() + dissection.offset() + ahead;
    return find(dissection.layer().bytes(), from, count);
  }

  private @Nullable V find(ByteView bytes, int from, int count) {
    int hash = 0;
    for (int i = 0; i < count; i++) {
      hash = 31 * hash + lower(bytes.u8(from + i));
    }
    List<Entry<V>> entries = slot(hash);
    for (int i = 0; i < entries.size(); i++) {
      Entry<V> entry = entries.get(i);
      if (matches(bytes, from, count, entry.name())) {
        return entry.value();
      }
    }
    return null;
  }

  private static boolean matches(ByteView bytes, int from, int count, String name) {
    if (count != name.length()) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (lower(bytes.u8(from + i)) != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}

package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Field;
import io.linerate.decode.FieldSink;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;
import io.linerate.decode.Layer;
import java.util.List;

/** Values of the fields that a protocol wants summaries to say, in its order. */
final class SaidFields implements FieldSink {
  /** Values of one field that are said at most. */
  private static final int MAX_VALUES = 4;

  private static final int MAX_TEXT_BYTES = 64;

  /** Of QUIC's connection identifiers: RFC 9000, section 17.2. */
  private static final int MAX_BYTES = 20;

  private static final int MOST_FIELDS = 16;

  private final TextBuffer[] values = new TextBuffer[MOST_FIELDS];
  private final int[] counts = new int[MOST_FIELDS];
  private final int[] lastStarts = new int[MOST_FIELDS];
  private List<Fields.Said> wanted = List.of();
  private int left;

  SaidFields() {
    for (int i = 0; i < MOST_FIELDS; i++) {
      values[i] = new TextBuffer();
    }
  }

  void begin(List<Fields.Said> fields) {
    wanted = fields.size() <= MOST_FIELDS ? fields : fields.subList(0, MOST_FIELDS);
    left = wanted.size();
    for (int i = 0; i < wanted.size(); i++) {
      values[i].clear();
      counts[i] = 0;
    }
  }

  /** Whether all fields were told as often as they are said. */
  boolean isFull() {
    return left == 0;
  }

  /** Adds what was told. */
  void addTo(TextBuffer out) {
    for (int i = 0; i < wanted.size(); i++) {
      if (values[i].length() > 0) {
        out.add(' ').add(values[i]);
      }
    }
  }

  private int find(Field field) {
    for (int i = 0; i < wanted.size(); i++) {
      if (wanted.get(i).field().equals(field.name())) {
        return counts[i] < MAX_VALUES ? i : -1;
      }
    }
    return -1;
  }

  @Override
  public boolean wants(Layer layer) {
    return !wanted.isEmpty();
  }

  @Override
  public boolean wants(Layer layer, Field field) {
    return find(field) >= 0;
  }

  /** Where the next value of a field goes, behind its label. */
  private TextBuffer next(int index) {
    return counts[index] == 0
        ? values[index].add(wanted.get(index).label())
        : values[index].add(',');
  }

  /** Ends a value, which is not said if it is empty, or that of before. */
  private void end(int index, int from) {
    TextBuffer text = values[index];
    boolean isFirst = counts[index] == 0;
    if (text.length() == from || (!isFirst && text.isRepeated(lastStarts[index], from - 1, from))) {
      text.length(isFirst ? 0 : from - 1);
      return;
    }
    lastStarts[index] = from;
    count(index, counts[index] + 1);
  }

  private void count(int index, int count) {
    counts[index] = count;
    if (count == MAX_VALUES) {
      left--;
    }
  }

  @Override
  public void number(Layer layer, Field field, long value, int offset, int bytes) {
    int index = find(field);
    if (index < 0) {
      return;
    }
    if (field.kind() == Kind.FLAG) {
      flag(index, value);
      return;
    }
    TextBuffer out = next(index);
    int from = out.length();
    String name = field.values() == null ? null : field.values().of(value);
    if (name == null || name.isEmpty()) {
      FieldText.add(out, field, value);
    } else {
      out.add(name);
    }
    end(index, from);
  }

  private void flag(int index, long value) {
    if (value != 0) {
      values[index].add(wanted.get(index).label());
      count(index, MAX_VALUES);
    }
  }

  @Override
  public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
    int index = find(field);
    if (index < 0) {
      return;
    }
    TextBuffer out = next(index);
    int from = out.length();
    if (field.kind() != Kind.BYTES) {
      FieldText.add(out, field, source, offset, Math.min(bytes, MAX_TEXT_BYTES + 1));
    } else if (bytes > 0) {
      FieldText.add(out, field, source, offset, Math.min(bytes, MAX_BYTES));
      out.add(bytes > MAX_BYTES ? "..." : "");
    }
    shorten(out, from);
    end(index, from);
  }

  private static void shorten(TextBuffer out, int from) {
    out.cut(from, MAX_TEXT_BYTES);
    TerminalText.escape(out, from);
  }

  @Override
  public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
    int index = find(field);
    if (index >= 0) {
      TextBuffer out = next(index);
      int from = out.length();
      shorten(out.add(value), from);
      end(index, from);
    }
  }
}

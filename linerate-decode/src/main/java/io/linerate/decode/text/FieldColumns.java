package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Decoder;
import io.linerate.decode.Field;
import io.linerate.decode.FieldSink;
import io.linerate.decode.Layer;
import io.linerate.decode.Protocols;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line a packet with a column for each field that is wanted, as {@code tshark -T fields} prints
 * it: tabs between, empty where a field is absent, several values joined by commas.
 */
public final class FieldColumns implements PacketPrinter, FieldSink {
  private final TextBuffer[] columns;

  /** Whether a column has a value, which may be empty. */
  private final boolean[] isFilled;

  /** By protocol and field the columns that it is in; null: none. */
  private final int[] @Nullable [][] places;

  /**
   * @param names of the fields, one for each column
   * @throws IllegalArgumentException if there is none of that name
   */
  public FieldColumns(Protocols protocols, List<String> names) {
    columns = new TextBuffer[names.size()];
    Arrays.setAll(columns, _ -> new TextBuffer());
    isFilled = new boolean[columns.length];
    places = new int[protocols.all().size()][][];
    for (int i = 0; i < columns.length; i++) {
      List<Field> fields = protocols.fields(names.get(i));
      if (fields.isEmpty()) {
        throw new IllegalArgumentException("no such field: name=%s".formatted(names.get(i)));
      }
      for (Field field : fields) {
        addPlace(protocols.number(field.owner()), field, i);
      }
    }
  }

  private void addPlace(int protocol, Field field, int column) {
    int[][] ofProtocol = places[protocol];
    if (ofProtocol == null) {
      ofProtocol = new int[field.owner().all().size()][0];
      places[protocol] = ofProtocol;
    }
    int[] before = ofProtocol[field.number()];
    int[] after = Arrays.copyOf(before, before.length + 1);
    after[before.length] = column;
    ofProtocol[field.number()] = after;
  }

  @Override
  public void print(Decoder decoder, TextBuffer out) {
    decoder.dissect(this);
    for (int i = 0; i < columns.length; i++) {
      if (i > 0) {
        out.add('\t');
      }
      out.addEscaped(columns[i]);
      columns[i].clear();
      isFilled[i] = false;
    }
    out.add('\n');
  }

  @Override
  public boolean wants(Layer layer) {
    return places[layer.protocolNumber()] != null;
  }

  @Override
  public boolean wants(Layer layer, Field field) {
    return places(layer, field).length > 0;
  }

  private int[] places(Layer layer, Field field) {
    int[][] ofProtocol = places[layer.protocolNumber()];
    return ofProtocol == null ? new int[0] : ofProtocol[field.number()];
  }

  private TextBuffer next(int column) {
    TextBuffer text = columns[column];
    boolean isFurther = isFilled[column];
    isFilled[column] = true;
    return isFurther ? text.add(',') : text;
  }

  @Override
  public void number(Layer layer, Field field, long value, int offset, int bytes) {
    for (int column : places(layer, field)) {
      FieldText.add(next(column), field, value);
    }
  }

  @Override
  public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
    for (int column : places(layer, field)) {
      FieldText.add(next(column), field, source, offset, bytes);
    }
  }

  @Override
  public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
    for (int column : places(layer, field)) {
      next(column).add(value);
    }
  }

  @Override
  public void open(Layer layer, Field part, int offset, int bytes) {
    if (wants(layer, part)) {
      bytes(layer, part, layer.bytes(), offset, bytes);
    }
  }
}

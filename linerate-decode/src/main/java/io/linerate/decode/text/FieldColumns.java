package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Decoder;
import io.linerate.decode.Field;
import io.linerate.decode.FieldSelection;
import io.linerate.decode.FieldSink;
import io.linerate.decode.Layer;
import io.linerate.decode.Protocols;
import java.util.Arrays;
import java.util.List;

/**
 * A line a packet with a column for each field that is wanted, as {@code tshark -T fields} prints
 * it: tabs between, empty where a field is absent, several values joined by commas; of a protocol
 * the title, for each layer of it.
 */
public final class FieldColumns implements PacketPrinter, FieldSink {
  private final FieldSelection selection;
  private final TextBuffer[] columns;

  /** Whether a column has a value, which may be empty. */
  private final boolean[] isFilled;

  /**
   * @param names of fields or protocols, one for each column
   * @throws IllegalArgumentException if there is none of that name
   */
  public FieldColumns(Protocols protocols, List<String> names) {
    selection = new FieldSelection(protocols, names);
    columns = new TextBuffer[names.size()];
    Arrays.setAll(columns, _ -> new TextBuffer());
    isFilled = new boolean[columns.length];
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
  public FieldSelection selection() {
    return selection;
  }

  @Override
  public boolean wants(Layer layer) {
    return selection.wants(layer);
  }

  @Override
  public boolean wants(Layer layer, Field field) {
    return selection.columns(layer, field) > 0;
  }

  private TextBuffer next(int column) {
    TextBuffer text = columns[column];
    boolean isFurther = isFilled[column];
    isFilled[column] = true;
    return isFurther ? text.add(',') : text;
  }

  @Override
  public void begin(Layer layer) {
    for (int i = 0; i < selection.columns(layer); i++) {
      next(selection.column(layer, i)).add(layer.protocol().fields().title());
    }
  }

  @Override
  public void number(Layer layer, Field field, long value, int offset, int bytes) {
    for (int i = 0; i < selection.columns(layer, field); i++) {
      int column = selection.column(layer, field, i);
      FieldText.add(next(column), field, value);
    }
  }

  @Override
  public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
    for (int i = 0; i < selection.columns(layer, field); i++) {
      int column = selection.column(layer, field, i);
      FieldText.add(next(column), field, source, offset, bytes);
    }
  }

  @Override
  public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
    for (int i = 0; i < selection.columns(layer, field); i++) {
      int column = selection.column(layer, field, i);
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

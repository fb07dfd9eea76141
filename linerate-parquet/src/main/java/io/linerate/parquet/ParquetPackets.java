package io.linerate.parquet;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Decoder;
import io.linerate.decode.Field;
import io.linerate.decode.FieldSelection;
import io.linerate.decode.FieldSink;
import io.linerate.decode.Layer;
import io.linerate.decode.PacketFile;
import io.linerate.decode.Protocols;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes fields of packets into a Parquet file. */
final class ParquetPackets implements PacketFile, FieldSink {
  private final FieldSelection selection;
  private final List<PacketColumn> columns;
  private final FileRows<List<PacketColumn>> rows;

  private ParquetPackets(
      FieldSelection selection, List<PacketColumn> columns, FileRows<List<PacketColumn>> rows) {
    this.selection = selection;
    this.columns = columns;
    this.rows = rows;
  }

  static ParquetPackets create(Path file, Protocols protocols, List<String> names)
      throws IOException {
    FieldSelection selection = new FieldSelection(protocols, names);
    List<PacketColumn> columns = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < selection.size(); i++) {
      if (!taken.add(names.get(i))) {
        throw new IllegalArgumentException(
            "two columns have one name: name=%s; name each field once".formatted(names.get(i)));
      }
      columns.add(new PacketColumn(names.get(i), i, selection.fields(i)));
    }
    return new ParquetPackets(
        selection, columns, new FileRows<>(file, () -> new PacketWriteSupport(columns)));
  }

  @Override
  public void add(Decoder decoder) {
    columns.forEach(PacketColumn::clear);
    decoder.dissect(this);
    rows.write(columns);
  }

  @Override
  public @Nullable IOException failure() {
    return rows.failure();
  }

  @Override
  public void close() throws IOException {
    rows.close();
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

  @Override
  public void begin(Layer layer) {
    for (int i = 0; i < selection.columns(layer); i++) {
      columns.get(selection.column(layer, i)).text(layer.protocol().fields().title());
    }
  }

  @Override
  public void number(Layer layer, Field field, long value, int offset, int bytes) {
    for (int i = 0; i < selection.columns(layer, field); i++) {
      int column = selection.column(layer, field, i);
      columns.get(column).number(field, value);
    }
  }

  @Override
  public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
    for (int i = 0; i < selection.columns(layer, field); i++) {
      int column = selection.column(layer, field, i);
      columns.get(column).bytes(field, source, offset, bytes);
    }
  }

  @Override
  public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
    for (int i = 0; i < selection.columns(layer, field); i++) {
      int column = selection.column(layer, field, i);
      columns.get(column).text(value);
    }
  }

  @Override
  public void open(Layer layer, Field part, int offset, int bytes) {
    if (wants(layer, part)) {
      bytes(layer, part, layer.bytes(), offset, bytes);
    }
  }
}

package io.linerate.parquet;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/** Tells Parquet's writer what a packet has, column by column. */
final class PacketWriteSupport extends WriteSupport<List<PacketColumn>> {
  private final MessageType schema;
  private @Nullable RecordConsumer row;

  PacketWriteSupport(List<PacketColumn> columns) {
    schema = new MessageType("packets", columns.stream().map(PacketColumn::schema).toList());
  }

  @Override
  @SuppressWarnings("deprecation") // It has to be there.
  public WriteContext init(Configuration configuration) {
    return new WriteContext(schema, Map.of());
  }

  @Override
  public WriteContext init(ParquetConfiguration configuration) {
    return new WriteContext(schema, Map.of());
  }

  @Override
  public void prepareForWrite(RecordConsumer consumer) {
    row = consumer;
  }

  @Override
  public void write(List<PacketColumn> packet) {
    RecordConsumer to = Objects.requireNonNull(row, "consumer");
    to.startMessage();
    for (PacketColumn column : packet) {
      column.write(to);
    }
    to.endMessage();
  }
}

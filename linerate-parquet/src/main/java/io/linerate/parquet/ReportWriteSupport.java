package io.linerate.parquet;

import io.linerate.analysis.ReportColumn;
import io.linerate.analysis.ReportRow;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** Tells Parquet's writer what a row of a report has, column by column. */
final class ReportWriteSupport extends WriteSupport<ReportRow> {
  private final Map<ReportColumn, Integer> places = new EnumMap<>(ReportColumn.class);
  private @Nullable RecordConsumer row;

  ReportWriteSupport() {
    for (ReportColumn column : ReportColumn.values()) {
      places.put(column, places.size());
    }
  }

  private static MessageType schema() {
    Types.MessageTypeBuilder schema = Types.buildMessage();
    for (ReportColumn column : ReportColumn.values()) {
      schema.addField(type(column));
    }
    return schema.named("windows");
  }

  private static PrimitiveType type(ReportColumn column) {
    return switch (column.type()) {
      case TIME ->
          optional(
              PrimitiveTypeName.INT64,
              LogicalTypeAnnotation.timestampType(true, LogicalTypeAnnotation.TimeUnit.NANOS),
              column);
      case NUMBER -> optional(PrimitiveTypeName.INT64, null, column);
      case DECIMAL -> optional(PrimitiveTypeName.DOUBLE, null, column);
      case TEXT -> optional(PrimitiveTypeName.BINARY, LogicalTypeAnnotation.stringType(), column);
    };
  }

  private static PrimitiveType optional(
      PrimitiveTypeName type, @Nullable LogicalTypeAnnotation meaning, ReportColumn column) {
    return Types.optional(type).as(meaning).named(column.columnName());
  }

  @Override
  @SuppressWarnings("deprecation") // It has to be there.
  public WriteContext init(Configuration configuration) {
    return new WriteContext(schema(), Map.of());
  }

  @Override
  public WriteContext init(ParquetConfiguration configuration) {
    return new WriteContext(schema(), Map.of());
  }

  @Override
  public void prepareForWrite(RecordConsumer consumer) {
    row = consumer;
  }

  @Override
  public void write(ReportRow report) {
    RecordConsumer to = Objects.requireNonNull(row, "consumer");
    to.startMessage();
    report
        .values()
        .forEach((column, value) -> {
          int place = Objects.requireNonNull(places.get(column));
          to.startField(column.columnName(), place);
          write(column, value, to);
          to.endField(column.columnName(), place);
        });
    to.endMessage();
  }

  private static void write(ReportColumn column, Object value, RecordConsumer to) {
    switch (column.type()) {
      case TIME, NUMBER -> to.addLong((Long) value);
      case DECIMAL -> to.addDouble((Double) value);
      case TEXT -> to.addBinary(Binary.fromString((String) value));
    }
  }
}

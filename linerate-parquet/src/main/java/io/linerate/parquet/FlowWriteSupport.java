package io.linerate.parquet;

import io.linerate.track.flow.FlowElement;
import io.linerate.track.flow.FlowJson;
import io.linerate.track.flow.FlowRecord;
import io.linerate.wire.Ipv4;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.jspecify.annotations.Nullable;

/** Tells Parquet's writer what a flow has, column by column. */
final class FlowWriteSupport extends WriteSupport<FlowRecord> {
  private final List<FlowColumn> ipv4 = FlowColumn.of(true);
  private final List<FlowColumn> ipv6 = FlowColumn.of(false);
  private @Nullable RecordConsumer row;

  @Override
  @SuppressWarnings("deprecation") // It has to be there.
  public WriteContext init(Configuration configuration) {
    return new WriteContext(FlowColumn.schema(), Map.of());
  }

  @Override
  public WriteContext init(ParquetConfiguration configuration) {
    return new WriteContext(FlowColumn.schema(), Map.of());
  }

  @Override
  public void prepareForWrite(RecordConsumer consumer) {
    row = consumer;
  }

  @Override
  public void write(FlowRecord flow) {
    RecordConsumer to = Objects.requireNonNull(row, "consumer");
    to.startMessage();
    for (FlowColumn column : flow.ipVersion() == Ipv4.VERSION ? ipv4 : ipv6) {
      FlowElement element = column.element();
      if (element.applies().test(flow)) {
        to.startField(element.name(), column.place());
        write(element, flow, to);
        to.endField(element.name(), column.place());
      }
    }
    to.endMessage();
  }

  private static void write(FlowElement element, FlowRecord flow, RecordConsumer to) {
    switch (element.kind()) {
      case IPV4_ADDRESS, IPV6_ADDRESS ->
          to.addBinary(Binary.fromString(FlowJson.address(element, flow)));
      case UNSIGNED_8, UNSIGNED_16 -> to.addInteger((int) element.of(flow));
      case UNSIGNED_64, TIME_MS, TIME_NS -> to.addLong(element.of(flow));
    }
  }
}

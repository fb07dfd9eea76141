package io.linerate.parquet;

import io.linerate.track.flow.FlowElement;
import io.linerate.track.flow.FlowElements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/** A column: its place in the file, and what stands in it. */
record FlowColumn(int place, FlowElement element) {
  /** The columns of all flows. */
  static MessageType schema() {
    Types.MessageTypeBuilder schema = Types.buildMessage();
    names().values().forEach(element -> schema.addField(type(element)));
    return schema.named("flows");
  }

  /** The columns that a flow of IPv4 or IPv6 has. */
  static List<FlowColumn> of(boolean isIpv4) {
    List<String> places = List.copyOf(names().keySet());
    List<FlowColumn> columns = new ArrayList<>();
    for (FlowElement element : FlowElements.of(isIpv4, true)) {
      columns.add(new FlowColumn(places.indexOf(element.name()), element));
    }
    columns.sort((a, b) -> Integer.compare(a.place, b.place));
    return List.copyOf(columns);
  }

  private static Map<String, FlowElement> names() {
    Map<String, FlowElement> names = new LinkedHashMap<>();
    FlowElements.of(true, true).forEach(element -> names.put(element.name(), element));
    FlowElements.of(false, true).forEach(element -> names.putIfAbsent(element.name(), element));
    return names;
  }

  private static PrimitiveType type(FlowElement element) {
    return switch (element.kind()) {
      case IPV4_ADDRESS, IPV6_ADDRESS ->
          optional(PrimitiveTypeName.BINARY, LogicalTypeAnnotation.stringType(), element);
      case UNSIGNED_8 ->
          optional(PrimitiveTypeName.INT32, LogicalTypeAnnotation.intType(8, false), element);
      case UNSIGNED_16 ->
          optional(PrimitiveTypeName.INT32, LogicalTypeAnnotation.intType(16, false), element);
      case UNSIGNED_64, TIME_MS ->
          optional(PrimitiveTypeName.INT64, LogicalTypeAnnotation.intType(64, true), element);
      case TIME_NS ->
          optional(
              PrimitiveTypeName.INT64,
              LogicalTypeAnnotation.timestampType(true, LogicalTypeAnnotation.TimeUnit.NANOS),
              element);
    };
  }

  private static PrimitiveType optional(
      PrimitiveTypeName type, LogicalTypeAnnotation meaning, FlowElement element) {
    return Types.optional(type).as(meaning).named(element.name());
  }
}

package io.linerate.core.measure;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.SteeringRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** What ports and their devices have counted, as samples. */
record PortSamples(List<DriverPort> ports) {
  void collect(SampleSink sink) {
    Map<String, PortStatistics> counts = new LinkedHashMap<>();
    for (DriverPort port : ports) {
      sink.info(
          "linerate_port_info",
          "port",
          port.name(),
          "address",
          port.address().toString(),
          "linktype",
          LinkType.text(port.linkTypes()));
      counts.put(port.name(), port.statistics());
    }
    ports.forEach(port -> steering(sink, port));
    each(sink, counts, "received_packets", SampleUnit.PACKETS, PortStatistics::rxPackets);
    each(sink, counts, "received_bytes", SampleUnit.BYTES, PortStatistics::rxBytes);
    each(sink, counts, "sent_packets", SampleUnit.PACKETS, PortStatistics::txPackets);
    each(sink, counts, "sent_bytes", SampleUnit.BYTES, PortStatistics::txBytes);
    each(sink, counts, "missed_packets", SampleUnit.PACKETS, PortStatistics::missed);
    each(sink, counts, "no_buffer_packets", SampleUnit.PACKETS, PortStatistics::noBuffers);
    each(sink, counts, "error_packets", SampleUnit.PACKETS, PortStatistics::errors);
    devices(sink, counts);
  }

  private static void steering(SampleSink sink, DriverPort port) {
    FlowSteering steering = port.steering();
    int index = 0;
    for (SteeringRule rule : steering == null ? List.<SteeringRule>of() : steering.rules()) {
      sink.info(
          "linerate_port_steering_info",
          "port",
          port.name(),
          "index",
          String.valueOf(index++),
          "rule",
          rule.toString());
    }
  }

  /** Counts first, then flags: those of one name stay together. */
  private static void devices(SampleSink sink, Map<String, PortStatistics> counts) {
    for (boolean isFlag : new boolean[] {false, true}) {
      counts.forEach((port, count) ->
          new TreeMap<>(count.extended())
              .forEach((statistic, value) -> {
                if (PortStatistics.isFlag(statistic) == isFlag) {
                  device(sink, isFlag, value, "port", port, "statistic", statistic);
                }
              }));
    }
  }

  private static void device(SampleSink sink, boolean isFlag, long value, String... labels) {
    if (isFlag) {
      sink.gauge("linerate_port_device_flag", SampleUnit.NONE, value, labels);
    } else {
      sink.counter("linerate_port_device_total", SampleUnit.NONE, value, labels);
    }
  }

  private static void each(
      SampleSink sink,
      Map<String, PortStatistics> counts,
      String what,
      SampleUnit unit,
      ToLongFunction<PortStatistics> number) {
    String name = "linerate_port_" + what + "_total";
    counts.forEach(
        (port, count) -> sink.counter(name, unit, number.applyAsLong(count), "port", port));
  }
}

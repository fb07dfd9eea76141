package io.linerate.apps.doctor;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.worker.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A port that is opened to see what its device can do in place of the program. */
record PortExam(EngineConfig config, String address) {
  private static final int FLAG_BYTES = "is_".length();

  List<Finding> findings() {
    try (Engine engine = new Engine(config)) {
      Port port = engine.port(address);
      Map<String, Long> extended = port.statistics().extended();
      List<Finding> findings = new ArrayList<>();
      findings.add(
          Finding.ok(
              "port " + address, port.rxQueues() + " rx, " + port.txQueues() + " tx queues"));
      if (extended.keySet().stream().anyMatch(PortStatistics::isFlag)) {
        findings.add(
            Finding.ok(
                "its device",
                "on: " + names(extended, 1) + "; there, but off: " + names(extended, 0)));
      }
      return findings;
    } catch (ConfigException | PortException e) {
      String message = String.valueOf(e.getMessage());
      int remedy = message.lastIndexOf("; ");
      return List.of(
          Finding.wrong(
              "port " + address,
              remedy < 0 ? message : message.substring(0, remedy),
              remedy < 0 ? "give another address" : message.substring(remedy + 2)));
    }
  }

  private static String names(Map<String, Long> statistics, long value) {
    String names =
        statistics.entrySet().stream()
            .filter(it -> PortStatistics.isFlag(it.getKey()) && it.getValue() == value)
            .map(it -> it.getKey().substring(FLAG_BYTES).replace('_', '-'))
            .sorted()
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "none" : names;
  }
}

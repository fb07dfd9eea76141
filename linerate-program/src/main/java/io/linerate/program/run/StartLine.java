package io.linerate.program.run;

import io.linerate.core.port.FilterSettings;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.statistics.PortSummary;
import io.linerate.core.statistics.QueuePlace;
import io.linerate.core.worker.Engine;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a program that goes on until somebody ends it says once it is up. */
final class StartLine {
  private StartLine() {}

  /**
   * What it is and between which ports, as {@code nat runs: inside packet:eth1, outside
   * packet:eth2; Ctrl-C ends it}.
   *
   * @param speaker whose name stands before the line already
   * @return "" if it has no input, or all of them end
   */
  static String of(Engine engine, String speaker) {
    Set<String> received =
        engine.queues().stream().map(QueuePlace::port).collect(Collectors.toSet());
    List<PortSummary> ports = engine.summary().ports();
    if (ports.stream().noneMatch(port -> received.contains(port.name()) && !isFile(port))) {
      return "";
    }
    String name = engine.config().programName();
    return "%s: %s%s; Ctrl-C ends it"
        .formatted(
            name.equals(speaker) ? "runs" : name + " runs",
            ports.stream()
                .map(port -> port.name() + " " + port.address())
                .collect(Collectors.joining(", ")),
            FilterSettings.of(engine.config())
                .map(filter -> filtered(filter.expression(), ports))
                .orElse(""));
  }

  /** Which packets it looks at, and which ports have the others stay in the kernel. */
  private static String filtered(String expression, List<PortSummary> ports) {
    String inKernel =
        ports.stream()
            .filter(port -> port.statistics().isFilteredByKernel())
            .map(PortSummary::name)
            .collect(Collectors.joining(", "));
    return "; filter " + expression + (inKernel.isEmpty() ? "" : ", in the kernel of " + inKernel);
  }

  private static boolean isFile(PortSummary port) {
    return port.statistics().extended().containsKey(PortStatistics.INPUT_BYTES);
  }
}
